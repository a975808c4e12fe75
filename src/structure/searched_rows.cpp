// SPDX-License-Identifier: BSD-3-Clause
// Which rows a search for structure sees: a sample by content, the different rows with their counts, and what they
// weigh. A prior and a number of clusters go by how many observations there are. Copies of rows are none, and weights
// that are masses (sampling weights, say) count as many rows as they are worth, (sum w)^2 / sum w^2. The result is of
// the rows as given: only the search sees other weights.

#include "coppice/structure/searched_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "coppice/data/distinct_sample.hpp"
#include "coppice/structure/equal_rows.hpp"
#include "coppice/structure/gaussian_priors.hpp"
#include "coppice/structure/rounding.hpp"

namespace coppice::internal {

namespace {

constexpr double least_total = 2.0;          // rows: fewer tell nothing apart, whatever they are
constexpr std::size_t least_different = 30;  // fewer do not tell how copies come about

// Rounded to no grid, or to one so fine that equal values are no chance.
bool has_measured_column(const Execution& execution, const Rows& rows) {
  constexpr double fine = 1e-5;  // of the column's variance
  const std::vector<double> rounding = rounding_variances(execution, rows);
  const std::vector<double> variance = gaussian_shape(execution, rows).variance;
  for (std::size_t column = 0; column < rounding.size(); ++column) {
    if (rounding[column] < fine * variance[column]) return true;
  }
  return false;
}

// Whether most different rows have copies, and far more than the coarseness of the values makes.
bool are_mostly_copies(const Execution& execution, const Dataset& distinct) {
  constexpr double far_more = 4.0;
  if (distinct.n_rows() < least_different) return false;
  const auto n_copied = std::ranges::count_if(distinct.weights(), [](double weight) { return weight > 1.5; });
  if (static_cast<double>(n_copied) <= 0.5 * static_cast<double>(distinct.n_rows())) return false;
  const EqualPairs pairs = equal_pairs(execution, distinct);
  return pairs.found > far_more * pairs.by_chance;
}

bool are_whole(std::span<const double> weights) {
  constexpr double rounding = 1e-9;
  return std::ranges::all_of(
      weights, [](double weight) { return std::abs(weight - std::nearbyint(weight)) <= rounding * (1.0 + weight); });
}

// How often the whole table is there: what divides all weights. By chance so many do not have a divisor in common.
double times_over(const Dataset& distinct) {
  if (distinct.n_rows() < least_different || !are_whole(distinct.weights())) return 1.0;
  std::int64_t divisor = 0;
  for (const double weight : distinct.weights()) divisor = std::gcd(divisor, std::llround(weight));
  return static_cast<double>(std::max<std::int64_t>(1, divisor));
}

SearchWeights kind_of_weights(const Execution& execution, const MixturePlan& plan, const Rows& distinct) {
  const std::vector<double>& weights = distinct.data().weights();
  const double total = total_weight(distinct.data());
  if (!are_whole(weights)) {
    const bool are_masses = !plan.spec.has_background && total >= least_total;
    return are_masses ? SearchWeights::masses : SearchWeights::as_given;
  }
  const double mean_weight = total / static_cast<double>(distinct.size());
  const bool has_copies = plan.are_numbers_measured && mean_weight > 1.0 + 1e-9;
  if (!has_copies) return SearchWeights::as_given;
  if (are_mostly_copies(execution, distinct.data())) return SearchWeights::copies_once;
  return !plan.spec.has_background && has_measured_column(execution, distinct) ? SearchWeights::some_copies_once
                                                                               : SearchWeights::as_given;
}

// What a row of weight 1 weighs in the search. Masses add up to their effective number (sum w)^2 / sum w^2. Summed up
// in their own order, not in that of the rows.
double scale_of(std::vector<double> weights, SearchWeights kind) {
  std::ranges::sort(weights);
  double sum = 0.0;
  double squares = 0.0;
  for (const double weight : weights) {
    sum += weight;
    squares += weight * weight;
  }
  return kind == SearchWeights::masses ? sum / squares : static_cast<double>(weights.size()) / sum;
}

template <class Weight>
Rows weighing(const Rows& rows, const Weight& weight_for) {
  std::vector<double> weights = rows.data().weights();
  std::ranges::transform(weights, weights.begin(), weight_for);
  return {rows.data().with_weights(std::move(weights)), {rows.origin().begin(), rows.origin().end()}};
}

}  // namespace

Rows different_rows(const Execution& execution, const MixturePlan& plan, std::size_t n) {
  const Rows& rows = plan.rows;
  if (!plan.finds_structure() || plan.spec.has_start) return rows;
  Dataset distinct = distinct_sample(execution, rows.data(), n);
  if (distinct.n_rows() == rows.size()) return rows;
  return {std::move(distinct), {rows.origin().begin(), rows.origin().end()}};
}

SearchedRows rows_to_search(const Execution& execution, const MixturePlan& plan, std::size_t n) {
  Rows rows = different_rows(execution, plan, n);
  if (!plan.finds_structure() || plan.spec.has_start || !rows.are_weighted()) return {std::move(rows)};
  const double times = plan.are_numbers_measured ? times_over(rows.data()) : 1.0;
  if (times > 1.0) rows = weighing(rows, [&](double weight) { return weight / times; });
  const SearchWeights kind = kind_of_weights(execution, plan, rows);
  if (kind == SearchWeights::as_given) return {std::move(rows), times > 1.0 ? SearchWeights::table_once : kind};
  const double scale = scale_of(rows.data().weights(), kind);
  // No row counts more than once.
  return {weighing(rows, [&](double weight) { return std::min(weight * scale, 1.0); }), kind};
}

}  // namespace coppice::internal
