// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/assign/distance_estimates.hpp"

#include <algorithm>

#include "coppice/runtime/for_each_task.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t clusters_per_task = 64;

template <class Work>
void for_each_cluster(const Execution& execution, std::size_t n_clusters, const Work& work) {
  const std::size_t n_tasks = (n_clusters + clusters_per_task - 1) / clusters_per_task;
  for_each_task(execution, {.count = n_tasks}, [&](std::size_t task) {
    const std::size_t last = std::min(n_clusters, (task + 1) * clusters_per_task);
    for (std::size_t c = task * clusters_per_task; c < last; ++c) work(c);
  });
}

}  // namespace

DistanceEstimates::DistanceEstimates(const Execution& execution, std::span<const std::vector<SeenDistance>> by_block,
                                     std::size_t n_clusters)
    : begin_(n_clusters + 1, 0), n_(n_clusters, 0) {
  for (const std::vector<SeenDistance>& block : by_block) {
    for (const SeenDistance& seen : block) ++begin_[seen.of + 1];
  }
  for (std::size_t c = 0; c < n_clusters; ++c) begin_[c + 1] += begin_[c];
  std::vector<SeenDistance> seen(begin_.back());
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for (const std::vector<SeenDistance>& block : by_block) {
    for (const SeenDistance& one : block) seen[next[one.of]++] = one;
  }
  estimates_.resize(seen.size());
  for_each_cluster(execution, n_clusters, [&](std::size_t c) {
    const std::span<SeenDistance> own = std::span(seen).subspan(begin_[c], begin_[c + 1] - begin_[c]);
    std::ranges::stable_sort(own, {}, &SeenDistance::to);  // sums in the order of the blocks
    for (std::size_t first = 0, last = 0; first < own.size(); first = last) {
      SeenDistance sum = own[first];
      for (last = first + 1; last < own.size() && own[last].to == sum.to; ++last) {
        sum.weight += own[last].weight;
        sum.sum += own[last].sum;
      }
      estimates_[begin_[c] + n_[c]++] = {sum.to, sum.to == c ? 0.0 : sum.sum / sum.weight};
    }
  });
}

void DistanceEstimates::update(const Execution& execution, Neighbourhoods& neighbourhoods) const {
  for_each_cluster(execution, n_.size(), [&](std::size_t c) {
    if (n_[c] == 0) return;
    std::vector<EstimatedDistance> candidates(of(c).begin(), of(c).end());
    const auto rank = [c](const EstimatedDistance& one) {  // itself comes first
      return std::pair(one.to == c ? -1.0 : one.distance, one.to);
    };
    const std::size_t n = std::min(neighbourhoods.most(), candidates.size());
    const auto end = candidates.begin() + static_cast<std::ptrdiff_t>(n);
    std::ranges::nth_element(candidates, end, {}, rank);
    std::vector<std::uint32_t> nearest;
    for (auto one = candidates.begin(); one != end; ++one) nearest.push_back(one->to);
    std::ranges::sort(nearest);
    neighbourhoods.set(c, nearest);
  });
}

}  // namespace coppice::internal
