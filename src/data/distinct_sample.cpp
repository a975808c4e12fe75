// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/distinct_sample.hpp"

#include <algorithm>
#include <vector>

#include "coppice/data/choose_rows.hpp"
#include "coppice/data/row_draw.hpp"

namespace coppice::internal {

namespace {

// One row of every content, and what all of its copies weigh.
struct Distinct {
  std::vector<std::size_t> rows;
  std::vector<double> weights;
};

Distinct without_copies(const Dataset& data, std::vector<std::size_t> rows) {
  // Stable, so that of copies the first in the table stands for all.
  std::ranges::stable_sort(rows, [&](std::size_t a, std::size_t b) { return unit_free_less(data, a, b); });
  Distinct distinct;
  for (const std::size_t row : rows) {
    if (distinct.rows.empty() || unit_free_less(data, distinct.rows.back(), row)) {
      distinct.rows.push_back(row);
      distinct.weights.push_back(0.0);
    }
    distinct.weights.back() += data.weight(row);
  }
  return distinct;
}

}  // namespace

Dataset distinct_sample(const Execution& execution, const Dataset& data, std::size_t n) {
  Distinct distinct = without_copies(data, content_sample(execution, data, n));
  return choose_rows(data, distinct.rows).with_weights(std::move(distinct.weights));
}

}  // namespace coppice::internal
