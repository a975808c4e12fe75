// SPDX-License-Identifier: BSD-3-Clause
// Two looks at how many clusters there are: one at the sample, which shows all of them if they are hundreds, and one at
// the 10,000 rows around one row, which shows the true density of clusters there if they are thousands and the sample
// has a row or two of each. The larger table that follows has rows enough for every cluster.

#include "structure/enough_rows.hpp"

#include <algorithm>

#include "coppice/data/choose_rows.hpp"
#include "coppice/data/row_draw.hpp"
#include "coppice/runtime/for_each_block.hpp"
#include "coppice/structure/search.hpp"
#include "structure/without_last_bits.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t rows_around = 10000;
constexpr std::size_t few_around = 30;  // clusters, which a sample of all rows would show as well

// A cluster of any shape needs more rows, the more columns there are.
double rows_per_cluster(std::size_t n_columns) { return 20.0 + 2.0 * static_cast<double>(n_columns); }

struct Distant {
  double distance = 0.0;
  std::size_t row = 0;
};

std::vector<Distant> distances_from(const Execution& execution, const Rows& rows, std::span<const double> variance,
                                    std::span<const double> centre) {
  const std::size_t d = rows.n_columns();
  std::vector<Distant> found(rows.size());
  for_each_block(execution, Blocks{rows.size()}, [&](const BlockRange& block) {
    std::vector<double> point(d);
    for (std::size_t row = block.first; row < block.last; ++row) {
      rows.copy_row(row, point);
      double distance = 0.0;
      for (std::size_t i = 0; i < d; ++i) distance += (point[i] - centre[i]) * (point[i] - centre[i]) / variance[i];
      found[row] = {without_last_bits(distance), row};
    }
  });
  std::erase_if(found, [&](const Distant& one) { return !(rows.weight(one.row) > 0.0); });
  return found;
}

// As many as in the whole table, if clusters lie everywhere as they do around one row.
double clusters_by_neighbourhood(const Execution& execution, const MixturePlan& plan, std::span<const double> variance,
                                 std::span<const double> centre) {
  const Rows around(rows_around_one(execution, plan.rows, variance, centre, rows_around),
                    {plan.rows.origin().begin(), plan.rows.origin().end()});
  const Units units(around);
  const double weight = total_weight(around.data());
  const FineStart start =
      fine_start(execution, {units, *plan.fine, *plan.partition, weight, {variance.begin(), variance.end()}});
  if (start.k <= few_around) return 0.0;
  return static_cast<double>(start.k) * plan.total_weight / weight;
}

}  // namespace

Dataset rows_around_one(const Execution& execution, const Rows& rows, std::span<const double> variance,
                        std::span<const double> centre, std::size_t n) {
  std::vector<Distant> found = distances_from(execution, rows, variance, centre);
  n = std::min(n, found.size());
  const auto is_nearer = [&](const Distant& a, const Distant& b) {
    return a.distance != b.distance ? a.distance < b.distance : content_less(rows.data(), a.row, b.row);
  };
  std::ranges::nth_element(found, found.begin() + static_cast<std::ptrdiff_t>(n), is_nearer);
  std::vector<std::size_t> chosen(n);
  std::transform(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(n), chosen.begin(),
                 [](const Distant& one) { return one.row; });
  std::ranges::sort(chosen);
  return choose_rows(rows.data(), chosen);
}

std::size_t enough_rows(const Execution& execution, const MixturePlan& plan, const FineStart& of_sample,
                        std::span<const double> variance, std::span<const double> centre) {
  double k = of_sample.k > many_clusters ? static_cast<double>(of_sample.k) : 0.0;
  if (k == 0.0 && plan.fine && !variance.empty()) k = clusters_by_neighbourhood(execution, plan, variance, centre);
  if (k <= static_cast<double>(many_clusters)) return 0;
  return static_cast<std::size_t>(k * rows_per_cluster(plan.rows.n_columns()));
}

}  // namespace coppice::internal
