// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/infer/truncated_em.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

#include "coppice/assign/assign.hpp"
#include "coppice/assign/shared_statistics.hpp"
#include "coppice/family/adapter.hpp"
#include "coppice/family/centroid.hpp"
#include "coppice/kernels/log_sum_exp.hpp"
#include "coppice/runtime/for_each_block.hpp"
#include "coppice/runtime/ordered_sum.hpp"

namespace coppice::internal {

namespace {

// As a share of the variance of all rows: where rows lie on their centres, densities have no limit.
constexpr double least_share_of_variance = 1e-12;

// Of all rows in a column, on average.
double variance_of(const Execution& execution, const Rows& rows) {
  const FamilyAdapter<Centroid> family{Centroid(rows.n_columns())};
  const Units units(rows);
  const StatsArena all = statistics_of(execution, units, family, one_label(units), 1);
  return all[0].back() / (all.weight(0) * static_cast<double>(rows.n_columns()));
}

// of_row(row) summed up over all rows, weighted.
double weighted_sum(const Execution& execution, const Rows& rows, const std::function<double(std::size_t)>& of_row) {
  const Blocks blocks{.n_items = rows.size()};
  const auto add = [&](std::span<double> sum, std::size_t block, std::size_t /*worker*/) {
    for (std::size_t row = blocks.first(block); row < blocks.last(block); ++row) {
      sum.front() += rows.weight(row) * of_row(row);
    }
  };
  const auto merge = [](std::span<double> into, std::span<const double> from) { into.front() += from.front(); };
  return ordered_sum(execution, blocks, OrderedSum{.size = 1, .add = add, .merge = merge}).front();
}

}  // namespace

TruncatedEm::TruncatedEm(const Execution& execution, const Rows& rows, const TruncatedOptions& options,
                         std::span<const double> centres, RowClusters first, Neighbourhoods around)
    : execution_(execution),
      rows_(rows),
      options_(options),
      total_weight_(total_weight(rows.data())),
      least_variance_(least_share_of_variance * variance_of(execution, rows)),
      stats_(centre_statistics(centres, rows.n_columns())),
      centres_(centres.begin(), centres.end()),
      of_rows_(std::move(first)),
      around_(std::move(around)) {}

std::size_t TruncatedEm::look_around() {
  ++n_looks_;
  if (!options_.explores) return look_around(std::span<const std::uint32_t>());
  return look_around(drawn_clusters(execution_, rows_.size(), n_clusters(), options_.seed, n_looks_));
}

std::size_t TruncatedEm::look_around(std::span<const std::uint32_t> explored) {
  const bool estimates = options_.rule == NeighbourhoodRule::estimated;
  if (!estimates) {
    around_ = nearest_neighbourhoods(execution_, centres_, rows_.n_columns(), options_.n_neighbours);
  }
  const LookedAround found =
      internal::look_around(execution_, {rows_, centres_, around_, explored, estimates}, of_rows_);
  distances_ += found.distances;
  if (estimates) DistanceEstimates(execution_, found.distances_seen, n_clusters()).update(execution_, around_);
  return found.n_changed;
}

void TruncatedEm::set_variance() {
  const double sum = weighted_sum(execution_, rows_, [&](std::size_t row) { return of_rows_.least(row); });
  variance_ = std::max(sum / (total_weight_ * static_cast<double>(rows_.n_columns())), least_variance_);
}

void TruncatedEm::set_shares(std::span<const double> squared, std::span<double> shares) const {
  for (std::size_t i = 0; i < squared.size(); ++i) shares[i] = -0.5 * squared[i] / variance_;
  const double log_sum = kernels::log_sum_exp(shares);
  for (double& share : shares) share = std::exp(share - log_sum);
}

std::vector<double> TruncatedEm::shares(std::size_t row) const {
  std::vector<double> shares(of_rows_.n_each());
  set_shares(of_rows_.squared(row), shares);
  return shares;
}

// What every row weighs in its clusters.
std::vector<double> TruncatedEm::weighed_shares() const {
  const std::size_t n_each = of_rows_.n_each();
  std::vector<double> masses(rows_.size() * n_each, 1.0);
  for_each_block(execution_, {.n_items = rows_.size()}, [&](const BlockRange& block) {
    for (std::size_t row = block.first; row < block.last; ++row) {
      const std::span<double> of_row = std::span(masses).subspan(row * n_each, n_each);
      if (n_each > 1) set_shares(of_rows_.squared(row), of_row);
      for (double& mass : of_row) mass *= rows_.weight(row);
    }
  });
  return masses;
}

void TruncatedEm::move_centres() {
  const std::size_t n_columns = rows_.n_columns();
  const FamilyAdapter<Centroid> family{Centroid(n_columns)};
  StatsArena after = shared_statistics(execution_, rows_, family, of_rows_, weighed_shares(), n_clusters());
  double scatter = 0.0;
  for (std::size_t c = 0; c < after.size(); ++c) {
    if (!(after.weight(c) > 0.0)) std::ranges::copy(stats_[c].subspan(1, n_columns), after[c].begin() + 1);
    scatter += after[c].back();
    std::ranges::copy(after[c].subspan(1, n_columns), centres_.begin() + static_cast<std::ptrdiff_t>(c * n_columns));
  }
  stats_ = std::move(after);
  variance_ = std::max(scatter / (total_weight_ * static_cast<double>(n_columns)), least_variance_);
}

double TruncatedEm::free_energy() const {
  const double half_columns = 0.5 * static_cast<double>(rows_.n_columns());
  const double constant =
      -std::log(static_cast<double>(n_clusters())) - half_columns * std::log(2.0 * std::numbers::pi * variance_);
  const double sum = weighted_sum(execution_, rows_, [&](std::size_t row) {
    const std::span<const double> squared = of_rows_.squared(row);
    const double least = *std::ranges::min_element(squared);
    double of_least = 0.0;
    for (const double one : squared) of_least += std::exp(-0.5 * (one - least) / variance_);
    return std::log(of_least) - 0.5 * least / variance_;
  });
  return sum + total_weight_ * constant;
}

double TruncatedEm::free_energy_of_labels() const {
  double scatter = 0.0;
  for (std::size_t c = 0; c < n_clusters(); ++c) scatter += stats_[c].back();
  const double half_columns = 0.5 * static_cast<double>(rows_.n_columns());
  return -total_weight_ * (std::log(static_cast<double>(n_clusters())) +
                           half_columns * std::log(2.0 * std::numbers::pi * variance_)) -
         0.5 * scatter / variance_;
}

}  // namespace coppice::internal
