// SPDX-License-Identifier: BSD-3-Clause
// How often clusters come back in fits of resamples, each compared with the first labelling by overlaps in weight: O(N)
// for a resample. Clusters are matched by the largest Jaccard similarity (Hennig 2007), pairs of clusters by how likely
// a row of each is to be together with one of the other.

#include "coppice/evaluate/recurrence.hpp"

#include <algorithm>
#include <utility>

#include "coppice/data/background_label.hpp"
#include "coppice/data/bootstrap.hpp"

namespace coppice {
using namespace internal;

RecurrenceTally::RecurrenceTally(const Dataset& data, std::span<const std::int32_t> labels, std::size_t k)
    : data_(data), members_(k) {
  for (std::size_t row = 0; row < labels.size(); ++row) {
    if (data.weight(row) > 0.0 && labels[row] != background_label)
      members_[static_cast<std::size_t>(labels[row])].push_back(row);
  }
  sums_.clusters.resize(k);
  if (k <= Stability::most_clusters_together) sums_.together.assign(k * k, 0.0);
}

RecurrenceTally::Mass& RecurrenceTally::Mass::operator+=(const Mass& other) noexcept {
  weight += other.weight;
  own_pairs += other.own_pairs;
  return *this;
}

// A row of weight w stands for `whole` rows of weight 1 and one of the rest: none of them makes a pair with itself.
RecurrenceTally::Mass RecurrenceTally::mass_of(std::size_t row) const noexcept {
  const double weight = data_.weight(row);
  const WeightParts parts = weight_parts(weight);
  return {weight, parts.whole + parts.rest * parts.rest};
}

RecurrenceTally::Overlap RecurrenceTally::overlap(std::span<const std::int32_t> labels, std::size_t k) const {
  Overlap result{{}, std::vector<Mass>(members_.size()), std::vector<Mass>(k + 1)};
  std::vector<Mass> masses(k + 1);  // outliers last
  std::vector<std::size_t> met;
  for (std::size_t first = 0; first < members_.size(); ++first) {
    met.clear();
    for (const std::size_t row : members_[first]) {
      const auto second = labels[row] == background_label ? k : static_cast<std::size_t>(labels[row]);
      // As in contingency.cpp: only what is met is looked at again.
      if (masses[second].weight == 0.0) met.push_back(second);
      masses[second] += mass_of(row);
    }
    std::ranges::sort(met);
    for (const std::size_t second : met) {
      const Cell cell{first, second, std::exchange(masses[second], Mass{})};
      result.first[first] += cell.mass;
      result.second[second] += cell.mass;
      result.cells.push_back(cell);
    }
  }
  return result;
}

// As in evaluate/adjusted_rand_index.cpp (Hubert and Arabie 1985), with weighted pairs.
double RecurrenceTally::adjusted_rand_index(const Overlap& overlap) {
  double together = 0.0;
  double first = 0.0;
  double second = 0.0;
  Mass all;
  for (const Cell& cell : overlap.cells) together += cell.mass.pairs();
  for (const Mass& mass : overlap.second) second += mass.pairs();
  for (const Mass& mass : overlap.first) {
    first += mass.pairs();
    all += mass;
  }
  if (together == first && together == second) return 1.0;  // the same partition; includes 0/0
  const double by_chance = first * second / all.pairs();
  return (together - by_chance) / ((first + second) / 2.0 - by_chance);
}

void RecurrenceTally::add_jaccard(const Overlap& overlap) {
  constexpr double least_similarity = 0.75;  // "valid, stable" clusters of Hennig 2007
  std::vector<double> best(members_.size(), 0.0);
  for (const Cell& cell : overlap.cells) {
    if (cell.second + 1 == overlap.second.size()) continue;  // outliers are no cluster
    const double both = cell.mass.weight;
    const double either = overlap.first[cell.first].weight + overlap.second[cell.second].weight - both;
    best[cell.first] = std::max(best[cell.first], both / either);
  }
  for (std::size_t cluster = 0; cluster < best.size(); ++cluster) {
    sums_.clusters[cluster].recurrence += best[cluster];
    if (best[cluster] >= least_similarity) sums_.clusters[cluster].found += 1.0;
  }
}

// Sum over the clusters of the resample of (share of a in it) (share of b in it).
void RecurrenceTally::add_together(const Overlap& overlap) {
  std::vector<std::vector<std::pair<std::size_t, double>>> shares(overlap.second.size());
  for (const Cell& cell : overlap.cells) {
    if (cell.second + 1 == overlap.second.size()) continue;
    shares[cell.second].emplace_back(cell.first, cell.mass.weight / overlap.first[cell.first].weight);
  }
  for (const auto& inside : shares) {
    for (const auto& [a, share_a] : inside) {
      for (const auto& [b, share_b] : inside) sums_.together[a * members_.size() + b] += share_a * share_b;
    }
  }
}

void RecurrenceTally::add(std::span<const std::int32_t> labels, std::size_t k) {
  const Overlap shared = overlap(labels, k);
  ++sums_.resamples;
  ++sums_.k_counts[k];
  sums_.ari += adjusted_rand_index(shared);
  add_jaccard(shared);
  if (!sums_.together.empty()) add_together(shared);
}

Stability RecurrenceTally::result() const {
  Stability means = sums_;
  const auto n = static_cast<double>(std::max<std::size_t>(1, sums_.resamples));
  means.ari /= n;
  for (ClusterStability& cluster : means.clusters) {
    cluster.recurrence /= n;
    cluster.found /= n;
  }
  for (double& share : means.together) share /= n;
  return means;
}

}  // namespace coppice
