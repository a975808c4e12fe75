// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "coppice/data/memory_need.hpp"
#include "coppice/data/npy/header.hpp"
#include "coppice/runtime/assert.hpp"
#include "coppice/runtime/error.hpp"
#include "data/naming.hpp"
#include "data/npy/convert.hpp"
#include "data/npy/read_npy.hpp"

namespace coppice::npy {
using namespace internal;

namespace {

void check_is_table(const Header& header, const std::string& name) {
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
}

bool can_be_viewed(const Header& header, const char* data) {
  const bool is_stored_so = header.element.kind == Kind::floating && header.element.size >= 4 &&
                            !header.element.big_endian && !header.fortran_order;
  // NumPy pads its headers so that data are aligned; other programs may not.
  return is_stored_so && reinterpret_cast<std::uintptr_t>(data) % header.element.size == 0;
}

template <class Value>
Dataset converted(const Header& header, const Content& content, std::size_t n_rows, const ReadOptions& options) {
  require_memory(header.count * sizeof(Value), content.name, options);
  std::vector<Value> values = convert<Value>(header, content.bytes.substr(header.data_offset));
  return naming(content.name, [&] { return Dataset::from_rows(std::move(values), n_rows, header.count / n_rows); });
}

template <class Value>
std::string bytes_of(std::span<const Value> values, std::string_view descr, const std::vector<std::size_t>& shape) {
  [[maybe_unused]] std::size_t count = 1;
  for (const std::size_t extent : shape) count *= extent;
  COPPICE_ASSERT(count == values.size());
  std::string bytes = header_bytes(descr, shape);
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  return bytes;
}

}  // namespace

bool looks_like_npy(std::string_view head) noexcept { return head.substr(0, magic.size()) == magic; }

Dataset to_table(Header header, const Content& content, const ReadOptions& options) {
  const std::size_t n_rows = std::min(header.shape[0], options.max_rows.value_or(header.shape[0]));
  const std::size_t n_columns = header.count / header.shape[0];
  header.count = n_rows * n_columns;
  const char* data = content.bytes.data() + header.data_offset;
  if (can_be_viewed(header, data)) {
    const Storage storage = header.element.size == 4 ? Storage::float32 : Storage::float64;
    return naming(content.name, [&] {
      return Dataset::from_memory(content.owner, data, storage, n_rows, n_columns, options.threads);
    });
  }
  return fits_float(header.element) ? converted<float>(header, content, n_rows, options)
                                    : converted<double>(header, content, n_rows, options);
}

Dataset read(const Content& content, const ReadOptions& options) {
  Header header = parse_header(content.bytes, content.name);
  check_is_table(header, content.name);
  return to_table(std::move(header), content, options);
}

Dataset read(const std::string& path) { return read(load(path), {}); }

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
