// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/searched_rows.hpp"

#include <algorithm>

#include "coppice/data/distinct_sample.hpp"
#include "coppice/structure/gaussian_priors.hpp"
#include "coppice/structure/rounding.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t most_searched_rows = 10000;  // for structure

// Rounded to no grid, or to one so fine that equal values are no chance.
bool has_measured_column(const Execution& execution, const MixturePlan& plan, const Dataset& data) {
  constexpr double fine = 1e-5;  // of the column's variance
  if (!plan.are_numbers_measured) return false;
  const Rows rows(data, fixed_origin(execution, data));
  const std::vector<double> rounding = rounding_variances(execution, rows);
  const std::vector<double> variance = gaussian_shape(execution, rows).variance;
  for (std::size_t column = 0; column < rounding.size(); ++column) {
    if (rounding[column] < fine * variance[column]) return true;
  }
  return false;
}

}  // namespace

SearchedRows rows_to_search(const Execution& execution, const MixturePlan& plan) {
  const Rows& rows = plan.rows;
  if (!plan.finds_structure() || plan.spec.has_start) return {rows};
  Dataset distinct = distinct_sample(execution, rows.data(), most_searched_rows);
  const std::vector<double> origin(rows.origin().begin(), rows.origin().end());
  const double mean_weight = total_weight(distinct) / static_cast<double>(distinct.n_rows());
  const bool is_heavy =
      !plan.spec.has_background && mean_weight > 1.0 + 1e-9 && has_measured_column(execution, plan, distinct);
  if (is_heavy) {
    std::vector<double> weights = distinct.weights();
    for (double& weight : weights) weight = std::min(weight / mean_weight, 1.0);
    return {{distinct.with_weights(std::move(weights)), origin}, true};
  }
  if (distinct.n_rows() == rows.size()) return {rows};
  return {{std::move(distinct), origin}};
}

}  // namespace coppice::internal
