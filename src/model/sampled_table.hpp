// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A table whose rows come in any order, from several threads: every row has a place in a dense table, and every block
// of rows a list of what is not 0 in a sparse one.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/data/dataset.hpp"

namespace coppice::internal {

class SampledTable {
 public:
  SampledTable(std::size_t n_rows, std::size_t n_columns, bool is_sparse);

  // The rows of a block come in order.
  void take(std::size_t row, std::size_t block, std::span<const double> values);
  // Once all rows are there.
  [[nodiscard]] Dataset finish();

 private:
  struct Entries {
    std::vector<std::uint32_t> columns;
    std::vector<double> values;
  };

  [[nodiscard]] Dataset join_blocks() const;

  std::size_t n_rows_;
  std::size_t n_columns_;
  std::vector<double> values_;  // of a dense table
  std::vector<Entries> blocks_;
  std::vector<std::uint64_t> row_ends_;  // in their blocks
};

}  // namespace coppice::internal
