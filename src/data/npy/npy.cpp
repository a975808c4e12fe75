// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/npy.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include "coppice/runtime/error.hpp"
#include "data/npy/convert.hpp"
#include "data/npy/header.hpp"
#include "data/npy/read_npy.hpp"
#include "runtime/assert.hpp"

namespace coppice::npy {

namespace {

std::pair<std::size_t, std::size_t> rows_and_columns(const Header& header, const std::string& name) {
  const std::vector<std::size_t>& shape = header.shape;
  if (shape.empty() || shape.size() > 2) {
    throw DataError(
        fmt::format("{}: the array has shape {}, expected a table of rows and columns; reshape it to two "
                    "dimensions",
                    name, shape_text(shape)));
  }
  if (header.count == 0) {
    throw DataError(fmt::format("{}: the array of shape {} is empty, expected at least one row and one column", name,
                                shape_text(shape)));
  }
  return {shape[0], shape.size() == 2 ? shape[1] : 1};
}

bool can_be_viewed(const Header& header, const char* data) {
  const bool is_stored_so = header.element.kind == Kind::floating && header.element.size >= 4 &&
                            !header.element.big_endian && !header.fortran_order;
  // NumPy pads its headers so that data are aligned; other programs may not.
  return is_stored_so && reinterpret_cast<std::uintptr_t>(data) % header.element.size == 0;
}

template <class Value>
std::string bytes_of(std::span<const Value> values, std::string_view descr, const std::vector<std::size_t>& shape) {
  [[maybe_unused]] std::size_t count = 1;
  for (const std::size_t extent : shape) count *= extent;
  COPPICE_ASSERT(count == values.size());
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", descr, shape_text(shape));
  // Magic, version and length take 10 bytes; data begin at a multiple of 64, after a newline.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  COPPICE_ASSERT(header.size() < 1U << 16U);
  std::string bytes(magic);
  bytes.append({'\x01', '\x00', static_cast<char>(header.size() & 255U), static_cast<char>(header.size() >> 8U)});
  bytes += header;
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  return bytes;
}

}  // namespace

bool looks_like_npy(std::string_view head) noexcept { return head.substr(0, magic.size()) == magic; }

Dataset read(const Content& content) {
  const Header header = parse_header(content.bytes, content.name);
  const auto [n_rows, n_columns] = rows_and_columns(header, content.name);
  const std::string_view data = content.bytes.substr(header.data_offset);
  try {
    if (can_be_viewed(header, data.data())) {
      const Storage storage = header.element.size == 4 ? Storage::float32 : Storage::float64;
      return Dataset::from_memory(content.owner, data.data(), storage, n_rows, n_columns);
    }
    return fits_float(header.element) ? Dataset::from_rows(convert<float>(header, data), n_rows, n_columns)
                                      : Dataset::from_rows(convert<double>(header, data), n_rows, n_columns);
  } catch (const DataError& error) {
    throw DataError(fmt::format("{}: {}", content.name, error.what()));
  }
}

Dataset read(const std::string& path) { return read(load(path)); }

Array parse_array(std::string_view bytes, const std::string& name) {
  Header header = parse_header(bytes, name);
  std::vector<double> values = convert<double>(header, bytes.substr(header.data_offset));
  return {std::move(header.shape), std::move(values)};
}

std::string to_bytes(std::span<const double> values, const std::vector<std::size_t>& shape) {
  return bytes_of(values, "<f8", shape);
}

std::string to_bytes(std::span<const float> values, const std::vector<std::size_t>& shape) {
  return bytes_of(values, "<f4", shape);
}

std::string to_bytes(std::span<const std::int32_t> values, const std::vector<std::size_t>& shape) {
  return bytes_of(values, "<i4", shape);
}

}  // namespace coppice::npy
