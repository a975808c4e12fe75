// SPDX-License-Identifier: BSD-3-Clause
// Many k-means clusters on columns of one scale, to merge under the family's objective: a cheap way to have every
// cluster of the table on some pieces of its own. Twenty sweeps at most: pieces need not be settled, they are merged.

#include "coppice/structure/over_segmentation.hpp"

#include <cmath>

#include "coppice/family/adapter.hpp"
#include "coppice/family/centroid.hpp"
#include "coppice/infer/me.hpp"
#include "coppice/seeding/seed_rows.hpp"
#include "structure/without_last_bits.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t iterations = 20;

// The rows with all columns on one scale.
Rows standardized(const Rows& rows, const std::vector<double>& variance) {
  const std::size_t d = rows.n_columns();
  std::vector<double> values(rows.size() * d);
  std::vector<double> deviation(d);
  // Seeds are drawn by distances: last bits of variances must not reach them.
  for (std::size_t i = 0; i < d; ++i) deviation[i] = without_last_bits(std::sqrt(variance[i]));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::span<double> out = std::span(values).subspan(row * d, d);
    rows.copy_row(row, out);
    for (std::size_t i = 0; i < d; ++i) out[i] /= deviation[i];
  }
  Dataset data = Dataset::from_rows(std::move(values), rows.size(), d);
  if (rows.are_weighted()) data = data.with_weights(rows.data().weights());
  return {std::move(data), std::vector<double>(d, 0.0)};
}

}  // namespace

std::vector<std::int32_t> over_segmented(const Execution& execution, const Rows& rows,
                                         const std::vector<double>& variance, std::size_t k, std::uint64_t seed,
                                         std::uint64_t stream) {
  const Rows scaled = standardized(rows, variance);
  const std::size_t d = rows.n_columns();
  RandomStream random{seed, Purpose::seeding, stream};
  const std::vector<double> centres = copy_points(scaled, seed_rows(execution, scaled, k, {}, random));
  const Units units(scaled);
  const FamilyAdapter<Centroid> centroids{Centroid(d)};
  const std::unique_ptr<PartitionPrior> no_prior = make_no_partition_prior();
  double total_weight = 0.0;
  for (std::size_t row = 0; row < rows.size(); ++row) total_weight += rows.weight(row);
  Journal unread;
  MaximizationExpectation lloyd(execution, {units, centroids, *no_prior, total_weight}, unread);
  State state = lloyd.from_clusters(centre_statistics(centres, d), Deaths::allowed);
  for (std::size_t i = 0; i < iterations && lloyd.sweep(state); ++i) {
  }
  return state.labels.by_row();
}

}  // namespace coppice::internal
