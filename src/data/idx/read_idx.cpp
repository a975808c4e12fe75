// SPDX-License-Identifier: BSD-3-Clause
#include "data/idx/read_idx.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "coppice/runtime/error.hpp"
#include "data/npy/read_npy.hpp"

namespace coppice::idx {
using namespace internal;

namespace {

using npy::Element;
using npy::Kind;

constexpr std::size_t extent_size = 4;

struct Type {
  unsigned char code;
  Element element;
};
constexpr std::array types{
    Type{0x08, {Kind::unsigned_integer, 1, true}}, Type{0x09, {Kind::signed_integer, 1, true}},
    Type{0x0B, {Kind::signed_integer, 2, true}},   Type{0x0C, {Kind::signed_integer, 4, true}},
    Type{0x0D, {Kind::floating, 4, true}},         Type{0x0E, {Kind::floating, 8, true}},
};

std::size_t byte(std::string_view bytes, std::size_t at) noexcept { return static_cast<unsigned char>(bytes[at]); }

std::optional<Element> element_of(std::string_view bytes) noexcept {
  for (const Type& type : types) {
    if (byte(bytes, 2) == type.code) return type.element;
  }
  return std::nullopt;
}

std::vector<std::size_t> parse_shape(std::string_view bytes, const std::string& name) {
  const std::size_t n_axes = byte(bytes, 3);
  if (bytes.size() < 4 + n_axes * extent_size) {
    throw DataError(fmt::format("{}: damaged IDX file: its {} extents take {} bytes, but only {} follow", name, n_axes,
                                n_axes * extent_size, bytes.size() - 4));
  }
  std::vector<std::size_t> shape(n_axes);
  for (std::size_t axis = 0; axis < n_axes; ++axis) {
    for (std::size_t at = 0; at < extent_size; ++at) {
      shape[axis] = shape[axis] << 8U | byte(bytes, 4 + axis * extent_size + at);
    }
  }
  return shape;
}

// The number of values; their bytes must be there, all of them and no more.
std::size_t checked_count(const npy::Header& header, std::string_view bytes, const std::string& name) {
  const std::size_t found = bytes.size() - header.data_offset;
  std::size_t expected = header.element.size;
  bool is_too_large = false;
  for (const std::size_t extent : header.shape) {
    is_too_large = is_too_large || __builtin_mul_overflow(expected, extent, &expected);
  }
  if (is_too_large || expected != found) {
    throw DataError(fmt::format("{}: damaged IDX file: shape {} needs {} bytes of data, but {} follow the header", name,
                                npy::shape_text(header.shape), is_too_large ? "far more" : fmt::format("{}", expected),
                                found));
  }
  return expected / header.element.size;
}

}  // namespace

// Two zero bytes alone say little: a type that is known, and at least one axis, must follow.
bool looks_like_idx(std::string_view bytes) noexcept {
  return bytes.size() >= 4 && bytes[0] == '\0' && bytes[1] == '\0' && bytes[3] != '\0' && element_of(bytes);
}

Dataset read(const Content& content, const ReadOptions& options) {
  if (!looks_like_idx(content.bytes)) throw DataError(fmt::format("{}: is not an IDX file", content.name));
  npy::Header header;
  header.element = *element_of(content.bytes);
  header.shape = parse_shape(content.bytes, content.name);
  header.data_offset = 4 + header.shape.size() * extent_size;
  header.count = checked_count(header, content.bytes, content.name);
  if (header.count == 0) {
    throw DataError(fmt::format("{}: the array of shape {} is empty, expected at least one row and one column",
                                content.name, npy::shape_text(header.shape)));
  }
  return npy::to_table(std::move(header), content, options);
}

}  // namespace coppice::idx
