// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A conjugate family: what a cluster looks like. A family is a value that holds its prior; everything it knows of data
// passes through flat statistics, and it works on blocks of rows, never on one row against one cluster. To add one,
// write a class that satisfies this concept, wrap it in FamilyAdapter, and every method can use it
// (docs/architecture.md).

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "coppice/data/npy.hpp"
#include "coppice/data/rows.hpp"
#include "coppice/family/merged_evidence.hpp"
#include "coppice/family/row_sampler.hpp"
#include "coppice/family/stats.hpp"
#include "coppice/kernels/argmin.hpp"

namespace coppice {

using Weights = std::span<const double>;  // empty: every row weighs 1
using NamedArrays = std::map<std::string, npy::Array>;

// A cost in a fixed order of operations, with the size of what was summed up: near-ties are settled by it. It may lack
// a part that all clusters share.
struct ExactCost {
  double value = 0.0;
  double scale = 0.0;
};

// A promise about a cluster: scale <= ratio * (cost - floor) for every row.
struct TieScale {
  double ratio = 0.0;
  double floor = 0.0;
};

// The direction along which a cluster is widest: unit vector (its entry of largest modulus is positive) and variance.
struct SplitAxis {
  std::vector<double> direction;
  double variance = 0.0;
};

// A cluster's columns one by one, for people to read.
struct ColumnMoments {
  std::vector<double> mean;
  std::vector<double> variance;
};

// A family whose costs are not in nats says so by a constant tie_unit (tie_rule.hpp), one without a density by
// has_density = false, one whose functions take sparse blocks by takes_sparse_rows = true (it then also has
// exact_cost(q, SparseRow)), one that compares the shares of a row's total and not its size by compares_shares = true,
// and one whose shared rows may be summed up column by column (Components::shares_by_column) by shares_by_column =
// true. One that cannot take any numbers has check_rows(data), which throws a DataError; one whose predictive densities
// do not add up to one over all rows has log_mass(q), the logarithm of what they add up to.
template <class F>
concept Family = std::copyable<F> && std::copyable<typename F::Posterior> &&
    requires(const F f, StatsRef into, ConstStatsRef stats, const typename F::Posterior q, RowBlock& rows, Weights w,
             std::span<const typename F::Posterior> all, std::span<const double> row, double* out) {
  { f.name() } -> std::convertible_to<std::string_view>;
  { f.n_columns() } -> std::same_as<std::size_t>;
  { f.stats_size() } -> std::same_as<std::size_t>;
  {f.add(into, rows, w)};            // a block of rows
  {f.merge(into, stats)};            // nodes, threads, ranks, merged clusters
  {f.add_scaled(into, stats, 0.5)};  // as merge, if the rows behind `stats` weighed so many times as much
  { f.posterior(stats) } -> std::same_as<typename F::Posterior>;
  { f.log_evidence(stats) } -> std::same_as<double>;    // parameters integrated out, complete
  {f.costs(all, rows, out)};                            // out[cluster * panel_stride + row] = E[-log p(x)]
  { f.exact_cost(q, row) } -> std::same_as<ExactCost>;  // one row, less the origin
  { f.tie_scale(q) } -> std::same_as<TieScale>;
  { f.node_cost(q, stats) } -> std::same_as<double>;        // the summed cost of all rows behind `stats`
  {f.log_predictive(all, rows, out)};                       // out as for costs
  { f.plug_in(q) } -> std::same_as<typename F::Posterior>;  // costs become -log density at the mean parameters
  { f.kl_to_prior(q) } -> std::same_as<double>;
  { f.split_axis(stats) } -> std::convertible_to<std::optional<SplitAxis>>;  // nothing if statistics do not tell it
  { f.column_moments(stats) } -> std::same_as<ColumnMoments>;
  { f.to_arrays() } -> std::same_as<NamedArrays>;  // the prior, for the model file
  { F::from_arrays(f.to_arrays()) } -> std::same_as<F>;
};

// Rows of a block for which some clusters compete, by cost + offset.
struct NearestQuery {
  std::span<const double> offsets;          // of all clusters
  std::span<const std::int32_t> competing;  // at least one
  kernels::DoubtLimits limits;
};

// What a family may offer on top: a kernel of its own that finds the cheapest cluster of every row without writing the
// costs of all others down. A finder is made whenever the clusters change.
template <class F>
concept FindsNearest = Family<F> &&
    requires(const F f, std::span<const typename F::Posterior> all, const typename F::Finder finder, RowBlock& rows,
             const NearestQuery& query, std::int32_t* winners, std::uint32_t* doubtful) {
  { f.finder(all) } -> std::same_as<typename F::Finder>;
  // Winners, and the rows for which the limits leave them in doubt; returns how many those are, or nothing if the
  // finder is not made for such a block.
  { finder.find(rows, query, winners, doubtful) } -> std::same_as<std::optional<std::size_t>>;
};

// What exact moves of single rows ask on top of the rest: a member judged as if it were not one.
template <class F>
concept MovesSingleRows = Family<F> &&
    requires(const F f, StatsRef from, ConstStatsRef part, const typename F::Posterior q, RowBlock& rows, double* out) {
  {f.subtract(from, part)};        // the opposite of merge
  {f.log_held_out(q, rows, out)};  // log predictive density of members of weight 1 given the others
};

// What a family asks whose statistics depend on the cluster that rows are members of, because members count for more or
// less according to how well they fit.
template <class F>
concept WeighsMembers = Family<F> &&
    requires(const F f, const typename F::Posterior q, StatsRef into, RowBlock& rows, Weights w) {
  {f.add_members(q, into, rows, w)};  // as add(), for members of a cluster with that posterior
  {f.balance(into)};                  // all members' weights times one number, if that raises the log evidence
};

// What new rows from the clusters ask. The sampler may look at the clusters as long as it is in use.
template <class F>
concept SamplesRows = Family<F> && requires(const F f, std::span<const typename F::Posterior> all) {
  { f.row_sampler(all) } -> std::same_as<std::unique_ptr<RowSampler>>;
};

// What agglomeration gains from: pairs of clusters judged as one, faster than by merging statistics and starting anew.
// Null if there is no faster way under this prior.
template <class F>
concept MergesFast = Family<F> && requires(const F f, const StatsArena stats) {
  { f.merged_evidence(stats) } -> std::same_as<std::unique_ptr<MergedEvidence>>;
};

}  // namespace coppice
