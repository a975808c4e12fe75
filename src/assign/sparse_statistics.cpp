// SPDX-License-Identifier: BSD-3-Clause
// Two sorted lists are merged, as sparse vectors are added. Cluster numbers stand in doubles beside the statistics, so
// that an accumulator is a single array that can be sent as it is; doubles hold whole numbers up to 2^53.

#include "assign/sparse_statistics.hpp"

#include <algorithm>
#include <iterator>

namespace coppice::internal {

SparseStatistics::View SparseStatistics::view(std::span<const double> accumulator) {
  if (accumulator.empty()) return {};
  const auto n = static_cast<std::size_t>(accumulator.front());
  return {accumulator.subspan(1, n), accumulator.subspan(1 + n)};
}

ConstStatsRef SparseStatistics::stats_at(const View& view, std::size_t place) const {
  return view.stats.subspan(place * components_.stats_size(), components_.stats_size());
}

std::span<double> SparseStatistics::arena(std::vector<double>& accumulator) {
  if (accumulator.empty()) return {};
  return std::span(accumulator).subspan(1 + static_cast<std::size_t>(accumulator.front()));
}

std::vector<double> SparseStatistics::spread(std::span<const double> accumulator,
                                             std::span<const double> clusters) const {
  const View before = view(accumulator);
  std::vector<double> wider{static_cast<double>(clusters.size())};
  wider.reserve(1 + clusters.size() * (1 + components_.stats_size()));
  wider.insert(wider.end(), clusters.begin(), clusters.end());
  std::size_t place = 0;
  for (const double cluster : clusters) {
    if (place < before.clusters.size() && before.clusters[place] == cluster) {
      const ConstStatsRef stats = stats_at(before, place++);
      wider.insert(wider.end(), stats.begin(), stats.end());
    } else {
      wider.resize(wider.size() + components_.stats_size(), 0.0);
    }
  }
  return wider;
}

void SparseStatistics::make_room(std::vector<double>& accumulator, std::span<std::int32_t> labels) const {
  std::vector<double> wanted(labels.begin(), labels.end());
  std::ranges::sort(wanted);
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  std::vector<double> clusters;
  std::ranges::set_union(view(accumulator).clusters, wanted, std::back_inserter(clusters));
  if (clusters.size() > view(accumulator).clusters.size()) accumulator = spread(accumulator, clusters);
  for (std::int32_t& label : labels) {
    label = static_cast<std::int32_t>(std::ranges::lower_bound(clusters, label) - clusters.begin());
  }
}

// Into zeros as well: a family may copy or compute, and a whole arena would do the same.
void SparseStatistics::merge(std::vector<double>& into, std::span<const double> from) const {
  std::vector<double> clusters;
  std::ranges::set_union(view(into).clusters, view(from).clusters, std::back_inserter(clusters));
  if (clusters.size() > view(into).clusters.size()) into = spread(into, clusters);
  const std::span<double> stats = arena(into);
  const View added = view(from);
  std::size_t place = 0;
  for (std::size_t i = 0; i < added.clusters.size(); ++i) {
    while (clusters[place] != added.clusters[i]) ++place;
    const ConstStatsRef more = stats_at(added, i);
    const std::size_t size = components_.stats_size();
    // Statistics without weight are passed over, as Accumulators does for whole arenas: the same merges, the same bits.
    if (more.front() > 0.0) components_.merge(stats.subspan(place * size, size), more);
  }
}

StatsArena SparseStatistics::whole(std::span<const double> accumulator, std::size_t k) const {
  StatsArena stats(k, components_.stats_size());
  const View found = view(accumulator);
  for (std::size_t i = 0; i < found.clusters.size(); ++i) {
    stats.assign(static_cast<std::size_t>(found.clusters[i]), stats_at(found, i));
  }
  return stats;
}

}  // namespace coppice::internal
