// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/constant_columns.hpp"

#include <numeric>
#include <optional>

namespace coppice {

std::vector<std::size_t> constant_columns(const Dataset& data) {
  if (data.is_sparse()) return {};
  std::vector<std::size_t> columns(data.n_columns());  // those that no row has differed in so far: soon few
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  std::optional<std::size_t> first;
  std::size_t n_seen = 0;
  for (std::size_t row = 0; row < data.n_rows() && !columns.empty(); ++row) {
    if (!(data.weight(row) > 0.0)) continue;  // has no say
    ++n_seen;
    if (!first) first = row;
    std::erase_if(columns, [&](std::size_t column) { return data.value(row, column) != data.value(*first, column); });
  }
  return n_seen < 2 ? std::vector<std::size_t>{} : columns;
}

}  // namespace coppice
