// SPDX-License-Identifier: BSD-3-Clause
// Every row's costs at all clusters are kept in places, panel by panel. A place belongs to a cluster's identity, not to
// its number: identities change when statistics or prior change by a bit, and with nothing else, so that clusters may
// be split, merged, renumbered and taken back without anybody telling. A sweep computes the costs of clusters that have
// no place yet and finds the winners from what is written down; statistics are summed up for clusters whose members
// changed. Both give the bits of a plain sweep, since costs and sums of a cluster do not depend on the others.

#include "assign/remembered_costs.hpp"

#include <algorithm>
#include <memory>

#include "assign/data_term.hpp"
#include "coppice/assign/accumulators.hpp"
#include "coppice/assign/naive.hpp"
#include "coppice/kernels/few_columns.hpp"
#include "coppice/runtime/for_each_block.hpp"

namespace coppice::internal {

namespace {

// Of 8 bytes each: 32 MB.
constexpr std::size_t most_remembered = std::size_t{1} << 22;  // costs

struct Workspace {
  explicit Workspace(std::size_t n_columns) : buffer(n_columns) {}
  BlockBuffer buffer;
  NearestWorkspace nearest;
};

// With few columns, and for centres, rows find their clusters without their costs being written down.
bool is_worth_it(const Execution& execution, const Units& units, const Components& clusters) {
  return execution.communicator.is_alone() && units.are_rows() && !units.rows().are_sparse() &&
         !units.have_opened_rows() && clusters.size() > 1 && clusters.identity(0) != 0 && !clusters.weighs_members() &&
         clusters.n_columns() > kernels::most_few_columns && clusters.centres().empty();
}

// For every label 0..k-1, the label before of the units that have it, if they are all that had that one; else -1.
std::vector<std::int32_t> same_members(std::span<const std::int32_t> before, std::size_t k_before,
                                       std::span<const std::int32_t> now, std::size_t k) {
  constexpr std::int32_t unseen = -2;
  std::vector<std::int32_t> same(k, unseen);
  std::vector<std::size_t> n_before(k_before, 0);
  std::vector<std::size_t> n_now(k, 0);
  for (std::size_t i = 0; i < now.size(); ++i) {
    std::int32_t& of_cluster = same[static_cast<std::size_t>(now[i])];
    if (of_cluster == unseen) of_cluster = before[i];
    if (of_cluster != before[i]) of_cluster = -1;
    ++n_before[static_cast<std::size_t>(before[i])];
    ++n_now[static_cast<std::size_t>(now[i])];
  }
  for (std::size_t c = 0; c < k; ++c) {
    // One label before is not enough: the cluster before may have had more members than these.
    if (same[c] >= 0 && n_before[static_cast<std::size_t>(same[c])] != n_now[c]) same[c] = -1;
  }
  return same;
}

}  // namespace

std::optional<Assignment> RememberedCosts::sweep(const Execution& execution, const Units& units,
                                                 const Components& clusters, std::span<const double> offsets,
                                                 const Labels& present) {
  if (!is_worth_it(execution, units, clusters) || !make_room(units, clusters)) {
    forget();
    return std::nullopt;
  }
  const std::vector<Missing> missing = find_places(clusters);
  const Subset all(units);
  const std::span<const std::int32_t> before = present.list();
  std::vector<std::int32_t> labels(units.size());
  Workspaces<Workspace> workspaces(execution.n_threads());
  for_each_block(execution, {.n_items = units.size()}, [&](const BlockRange& block) {
    Workspace& workspace =
        workspaces.of(block.worker, [&] { return std::make_unique<Workspace>(clusters.n_columns()); });
    for (std::size_t first = block.first; first < block.last; first += kernels::panel_rows) {
      const std::size_t count = std::min(kernels::panel_rows, block.last - first);
      const std::size_t panel = first / kernels::panel_rows;
      RowBlock rows = all.rows(first, count, workspace.buffer);
      for (const Missing& one : missing) clusters.costs({&one.cluster, 1}, rows, costs_of(panel, one.place));
      clusters.nearest_by_costs(
          offsets, clusters_, costs_of(panel, 0), rows,
          {[&](std::size_t i) { return before[first + i]; }, std::span(labels).subspan(first, count)},
          workspace.nearest);
    }
  });
  for (const Missing& one : missing) {
    identities_[one.place] = clusters.identity(static_cast<std::size_t>(one.cluster));
  }
  Assignment result;
  result.stats = statistics(execution, units, clusters, labels);
  result.distances = units.size() * clusters.size();
  labels_ = labels;
  stats_ = result.stats;
  result.labels = Labels(std::move(labels));
  set_data_term(clusters, offsets, result);
  return result;
}

// More places than clusters: their number may grow.
bool RememberedCosts::make_room(const Units& units, const Components& clusters) {
  if (clusters.size() <= n_places_) return true;
  const std::size_t n_places = clusters.size() + clusters.size() / 4 + 2;
  const std::size_t n_panels = (units.size() + kernels::panel_rows - 1) / kernels::panel_rows;
  const std::size_t n_costs = n_panels * n_places * kernels::panel_stride;
  if (n_costs > most_remembered) return false;
  n_places_ = n_places;
  costs_.assign(n_costs, 0.0);
  identities_.assign(n_places, 0);
  return true;
}

double* RememberedCosts::costs_of(std::size_t panel, std::size_t place) {
  return costs_.data() + (panel * n_places_ + place) * kernels::panel_stride;
}

// Places without a cluster of this sweep are free. Those that are taken are nobody's until all costs are there.
std::vector<RememberedCosts::Missing> RememberedCosts::find_places(const Components& clusters) {
  clusters_.assign(n_places_, -1);
  std::vector<Missing> missing;
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    // Two equal clusters have equal statistics but may not share a place: the second one counts as missing.
    const auto known = std::ranges::find(identities_, clusters.identity(c));
    const auto place = static_cast<std::size_t>(known - identities_.begin());
    const auto cluster = static_cast<std::int32_t>(c);
    if (known == identities_.end() || clusters_[place] >= 0) {
      missing.push_back({cluster, 0});
    } else {
      clusters_[place] = cluster;
    }
  }
  std::size_t place = 0;
  for (Missing& one : missing) {
    while (clusters_[place] >= 0) ++place;
    one.place = place;
    clusters_[place] = one.cluster;
    identities_[place] = 0;
  }
  return missing;
}

StatsArena RememberedCosts::statistics(const Execution& execution, const Units& units, const Components& clusters,
                                       std::span<const std::int32_t> labels) const {
  const std::size_t k = clusters.size();
  if (labels_.empty()) return statistics_of_list(execution, Subset(units), clusters, labels, k);
  const std::vector<std::int32_t> same = same_members(labels_, stats_.size(), labels, k);
  std::vector<std::int32_t> number(k, -1);  // among those with other members
  std::int32_t n_changed = 0;
  for (std::size_t c = 0; c < k; ++c) {
    if (same[c] < 0) number[c] = n_changed++;
  }
  // Members of clusters that stay get the number -1, which sums leave out.
  std::vector<std::int32_t> numbers(labels.size());
  std::ranges::transform(labels, numbers.begin(), [&](std::int32_t c) { return number[static_cast<std::size_t>(c)]; });
  StatsArena changed;
  if (n_changed > 0) {
    changed = statistics_of_list(execution, Subset(units), clusters, numbers, static_cast<std::size_t>(n_changed));
  }
  StatsArena stats(0, clusters.stats_size());
  for (std::size_t c = 0; c < k; ++c) {
    const bool is_same = same[c] >= 0;
    stats.append(is_same ? stats_[static_cast<std::size_t>(same[c])] : changed[static_cast<std::size_t>(number[c])]);
  }
  return stats;
}

}  // namespace coppice::internal
