// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/npy/header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "coppice/runtime/assert.hpp"
#include "coppice/runtime/error.hpp"
#include "data/npy/dictionary.hpp"

namespace coppice::npy {

namespace {

constexpr std::size_t longest_header = 1U << 20;  // structured types can be long, but those are refused anyway

[[noreturn]] void damaged(const std::string& name, const std::string& what) {
  throw DataError(fmt::format("{}: damaged NPY file: {}; write it again with numpy.save", name, what));
}

// The length field's bytes, least significant first.
std::size_t little_endian(std::string_view bytes) {
  std::size_t value = 0;
  for (std::size_t at = bytes.size(); at-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[at]);
  return value;
}

// Where the dictionary's text is.
std::pair<std::size_t, std::size_t> find_dictionary(std::string_view bytes, const std::string& name) {
  if (bytes.substr(0, magic.size()) != magic) {
    throw DataError(fmt::format("{}: not an NPY file: it does not begin with \\x93NUMPY", name));
  }
  if (bytes.size() < magic.size() + 2) damaged(name, "it ends before the version number");
  const int major = static_cast<unsigned char>(bytes[magic.size()]);
  if (major < 1 || major > 3) {
    throw DataError(fmt::format("{}: NPY version {} is unknown, expected 1, 2 or 3", name, major));
  }
  const std::size_t length_size = major == 1 ? 2 : 4;
  const std::size_t begin = magic.size() + 2 + length_size;
  if (bytes.size() < begin) damaged(name, "it ends before the length of its header");
  const std::size_t length = little_endian(bytes.substr(magic.size() + 2, length_size));
  if (length > bytes.size() - begin) {
    damaged(name, fmt::format("its header should have {} bytes, but only {} follow", length, bytes.size() - begin));
  }
  if (length > longest_header) damaged(name, fmt::format("a header of {} bytes is too long to be true", length));
  return {begin, length};
}

std::string_view what_is(char code) {
  switch (code) {
    case 'O':
      return "Python objects";
    case 'S':
    case 'a':
    case 'U':
      return "strings";
    case 'c':
      return "complex numbers";
    case 'M':
    case 'm':
      return "dates";
    case 'V':
      return "records";
    case 'f':
      return "long doubles";
    default:
      return "an unknown type";
  }
}

[[noreturn]] void refuse_type(std::string_view descr, char code, const std::string& name) {
  throw DataError(
      fmt::format("{}: holds {} (NumPy type '{}'), expected numbers of type f2, f4, f8, i1 to i8, u1 to u8 "
                  "or bool; convert it with .astype('f8')",
                  name, what_is(code), printable(descr)));
}

Element parse_element(std::string_view descr, const std::string& name) {
  Element element;
  std::string_view rest = descr;
  if (!rest.empty() && std::string_view("<>|=").find(rest[0]) != std::string_view::npos) {
    element.big_endian = rest[0] == '>';
    rest.remove_prefix(1);
  }
  if (rest == "?") rest = "b1";
  const char code = rest.empty() ? '\0' : rest[0];
  rest.remove_prefix(rest.empty() ? 0 : 1);
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), element.size);
  if (error != std::errc{} || end != rest.data() + rest.size()) refuse_type(descr, code, name);
  const auto is_one_of = [&](std::initializer_list<std::size_t> sizes) {
    return std::ranges::find(sizes, element.size) != sizes.end();
  };
  if (code == 'b' && is_one_of({1})) {
    element.kind = Kind::boolean;
  } else if (code == 'i' && is_one_of({1, 2, 4, 8})) {
    element.kind = Kind::signed_integer;
  } else if (code == 'u' && is_one_of({1, 2, 4, 8})) {
    element.kind = Kind::unsigned_integer;
  } else if (code == 'f' && is_one_of({2, 4, 8})) {
    element.kind = Kind::floating;
  } else {
    refuse_type(descr, code, name);
  }
  return element;
}

// The product of the shape; the number of bytes must fit too.
std::size_t checked_count(const Header& header, const std::string& name) {
  std::size_t bytes = header.element.size;
  std::size_t count = 1;
  for (const std::size_t extent : header.shape) {
    if (__builtin_mul_overflow(bytes, extent, &bytes)) {
      damaged(name, fmt::format("an array of shape {} is too large to be true", shape_text(header.shape)));
    }
    count *= extent;  // not above `bytes`
  }
  return count;
}

void check_length(const Header& header, std::size_t size, const std::string& name) {
  const std::size_t expected = header.count * header.element.size;
  const std::size_t found = size - header.data_offset;
  if (found == expected) return;
  damaged(name, fmt::format("shape {} needs {} bytes of data, but {} follow the header", shape_text(header.shape),
                            expected, found));
}

Dictionary checked_dictionary(std::string_view text, const std::string& name) {
  try {
    return parse_dictionary(text);
  } catch (const DataError& error) {
    damaged(name, error.what());
  }
}

}  // namespace

std::string shape_text(const std::vector<std::size_t>& shape) {
  return shape.size() == 1 ? fmt::format("({},)", shape[0]) : fmt::format("({})", fmt::join(shape, ", "));
}

Header parse_header(std::string_view bytes, const std::string& name) {
  const auto [begin, length] = find_dictionary(bytes, name);
  Dictionary dictionary = checked_dictionary(bytes.substr(begin, length), name);
  Header header;
  if (dictionary.is_structured) refuse_type("[...]", 'V', name);
  header.element = parse_element(dictionary.descr, name);
  header.shape = std::move(dictionary.shape);
  header.data_offset = begin + length;
  header.count = checked_count(header, name);
  check_length(header, bytes.size(), name);
  // With a single long axis both orders are the same.
  const auto is_long = [](std::size_t extent) { return extent > 1; };
  header.fortran_order = dictionary.fortran_order && std::ranges::count_if(header.shape, is_long) > 1;
  return header;
}

std::string parse_word(std::string_view bytes, const std::string& name) {
  const auto [begin, length] = find_dictionary(bytes, name);
  const Dictionary dictionary = checked_dictionary(bytes.substr(begin, length), name);
  const bool is_text = dictionary.descr.size() > 1 && (dictionary.descr[1] == 'S' || dictionary.descr[1] == 'U');
  if (!is_text || !dictionary.shape.empty()) return {};
  // ASCII letters are one byte of an S, and one byte and three zeros of a U.
  std::string word;
  for (const char letter : bytes.substr(begin + length)) {
    if (letter != '\0') word += letter;
  }
  return word;
}

std::string header_bytes(std::string_view descr, const std::vector<std::size_t>& shape) {
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", descr, shape_text(shape));
  // Magic, version and length take 10 bytes; data begin at a multiple of 64, after a newline.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  COPPICE_ASSERT(header.size() < 1U << 16U);
  std::string bytes(magic);
  bytes.append({'\x01', '\x00', static_cast<char>(header.size() & 255U), static_cast<char>(header.size() >> 8U)});
  return bytes + header;
}

}  // namespace coppice::npy
