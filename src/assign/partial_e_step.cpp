// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/assign/partial_e_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "assign/rows_by_cluster.hpp"
#include "coppice/assign/accumulators.hpp"
#include "coppice/kernels/distance_bounds.hpp"
#include "coppice/kernels/squared_distances.hpp"
#include "coppice/runtime/for_each_block.hpp"
#include "coppice/runtime/for_each_task.hpp"

// Rows are taken in groups of the same nearest cluster, so that a block of rows meets few centres: those around that
// cluster are copied side by side, and all their distances from a panel of rows come from one kernel. Each row then
// picks from its own search space. Nothing that is done for a block grows with the number of clusters, but for a table
// of places that every thread makes once.

namespace coppice::internal {

namespace {

constexpr std::size_t most_rows_of_block = 4 * kernels::panel_rows;
constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

// A centre that a row looks at.
struct Candidate {
  double squared = 0.0;
  std::uint32_t cluster = 0;

  [[nodiscard]] bool operator<(const Candidate& other) const noexcept {
    return squared < other.squared || (squared == other.squared && cluster < other.cluster);
  }
};

void sort_out(std::vector<std::uint32_t>& clusters) {
  std::ranges::sort(clusters);
  clusters.erase(std::unique(clusters.begin(), clusters.end()), clusters.end());
}

// What is around a row's clusters, and these, in increasing order.
void gather_space(const Neighbourhoods& neighbourhoods, std::span<const std::uint32_t> own,
                  std::vector<std::uint32_t>& space) {
  space.assign(own.begin(), own.end());
  for (const std::uint32_t cluster : own) {
    const auto around = neighbourhoods.of(cluster);
    space.insert(space.end(), around.begin(), around.end());
  }
  sort_out(space);
}

// What one thread works in.
class BlockLook {
 public:
  BlockLook(const PartialEStep& step, RowClusters& rows)
      : step_(step),
        rows_(rows),
        n_columns_(step.rows.n_columns()),
        buffer_(n_columns_),
        place_of_(step.neighbourhoods.size(), nowhere) {}

  // Rows of one nearest cluster.
  void look(std::span<const std::size_t> chosen, std::vector<SeenDistance>& seen) {
    gather_centres(chosen);
    sums_.clear();
    for (std::size_t first = 0; first < chosen.size(); first += kernels::panel_rows) {
      look_at_panel(chosen.subspan(first, std::min(kernels::panel_rows, chosen.size() - first)));
    }
    distances += chosen.size() * clusters_.size();
    if (step_.gives_distances) give_sums(seen);
    for (const std::uint32_t cluster : clusters_) place_of_[cluster] = nowhere;
  }

  std::uint64_t distances = 0;
  std::size_t n_changed = 0;

 private:
  // The centres around the rows' clusters, in increasing order.
  void gather_centres(std::span<const std::size_t> chosen) {
    clusters_.clear();
    for (const std::size_t row : chosen) {
      for (const std::uint32_t own : rows_.of(row)) {
        for (const std::uint32_t cluster : step_.neighbourhoods.of(own)) add_cluster(cluster);
        add_cluster(own);
      }
    }
    std::ranges::sort(clusters_);
    centres_.clear();
    for (std::size_t place = 0; place < clusters_.size(); ++place) {
      place_of_[clusters_[place]] = static_cast<std::uint32_t>(place);
      const auto centre = step_.centres.subspan(clusters_[place] * n_columns_, n_columns_);
      centres_.insert(centres_.end(), centre.begin(), centre.end());
    }
    squared_.resize(clusters_.size() * kernels::panel_rows);
  }

  void add_cluster(std::uint32_t cluster) {
    if (place_of_[cluster] != nowhere) return;
    place_of_[cluster] = 0;
    clusters_.push_back(cluster);
  }

  void look_at_panel(std::span<const std::size_t> chosen) {
    RowBlock block(step_.rows, chosen, buffer_);
    kernels::squared_distances(block.panel(), centres_.data(), clusters_.size(), squared_.data());
    if (!step_.explored.empty()) explore(chosen, block);
    for (std::size_t i = 0; i < chosen.size(); ++i) look_at_row(chosen[i], i);
  }

  void explore(std::span<const std::size_t> chosen, const RowBlock& block) {
    explored_.clear();
    for (const std::size_t row : chosen) explored_.push_back(static_cast<std::int32_t>(step_.explored[row]));
    squared_of_explored_.resize(chosen.size());
    kernels::squared_distances_from_own(block.stored(), n_columns_, step_.centres.data(), explored_.data(),
                                        squared_of_explored_.data());
    distances += chosen.size();
  }

  // Row i of the panel.
  void look_at_row(std::size_t row, std::size_t i) {
    candidates_.clear();
    const std::span<std::uint32_t> own = rows_.of(row);
    if (own.size() == 1) {
      for (const std::uint32_t cluster : step_.neighbourhoods.of(own.front())) consider(cluster, i);
    } else {
      gather_space(step_.neighbourhoods, own, space_);
      for (const std::uint32_t cluster : space_) consider(cluster, i);
    }
    if (!step_.explored.empty()) consider_explored(step_.explored[row], i);
    choose(row);
  }

  void consider(std::uint32_t cluster, std::size_t i) {
    candidates_.push_back({squared_[place_of_[cluster] * kernels::panel_rows + i], cluster});
  }

  void consider_explored(std::uint32_t cluster, std::size_t i) {
    const auto is_it = [&](const Candidate& candidate) { return candidate.cluster == cluster; };
    if (std::ranges::any_of(candidates_, is_it)) return;
    candidates_.push_back({squared_of_explored_[i], cluster});
  }

  void choose(std::size_t row) {
    const std::span<std::uint32_t> own = rows_.of(row);
    if (step_.gives_distances) note_distances(row);
    const auto end = candidates_.begin() + static_cast<std::ptrdiff_t>(own.size());
    if (own.size() == 1) {
      std::iter_swap(candidates_.begin(), std::ranges::min_element(candidates_, std::less<Candidate>()));
    } else {
      std::nth_element(candidates_.begin(), end, candidates_.end());
      std::sort(candidates_.begin(), end, [](const auto& a, const auto& b) { return a.cluster < b.cluster; });
    }
    bool has_changed = false;
    for (std::size_t place = 0; place < own.size(); ++place) {
      has_changed = has_changed || own[place] != candidates_[place].cluster;
      own[place] = candidates_[place].cluster;
      rows_.squared(row)[place] = candidates_[place].squared;
    }
    n_changed += has_changed ? 1 : 0;
  }

  // The distances of all candidates, to be summed up for the nearest of them.
  void note_distances(std::size_t row) {
    const double weight = step_.rows.weight(row);
    if (!(weight > 0.0)) return;
    const std::uint32_t nearest = std::ranges::min_element(candidates_, std::less<Candidate>())->cluster;
    SumsOf& sums = sums_of(nearest);
    for (const Candidate& candidate : candidates_) {
      const double distance = weight * std::sqrt(candidate.squared);
      const std::uint32_t place = place_of_[candidate.cluster];
      if (place == nowhere) {
        sums.explored.push_back({nearest, candidate.cluster, weight, distance});
      } else {
        sums.weights[place] += weight;
        sums.distances[place] += distance;
      }
    }
  }

  // Of rows that came to a cluster: over those of the centres at hand that they looked at, and over those explored.
  struct SumsOf {
    std::uint32_t cluster = 0;
    std::vector<double> weights;
    std::vector<double> distances;
    std::vector<SeenDistance> explored;
  };

  SumsOf& sums_of(std::uint32_t cluster) {
    for (SumsOf& sums : sums_) {
      if (sums.cluster == cluster) return sums;
    }
    sums_.push_back(
        {cluster, std::vector<double>(clusters_.size(), 0.0), std::vector<double>(clusters_.size(), 0.0), {}});
    return sums_.back();
  }

  void give_sums(std::vector<SeenDistance>& seen) const {
    for (const SumsOf& sums : sums_) {
      for (std::size_t place = 0; place < clusters_.size(); ++place) {
        if (!(sums.weights[place] > 0.0)) continue;
        seen.push_back({sums.cluster, clusters_[place], sums.weights[place], sums.distances[place]});
      }
      seen.insert(seen.end(), sums.explored.begin(), sums.explored.end());
    }
  }

  const PartialEStep& step_;
  RowClusters& rows_;
  std::size_t n_columns_;
  BlockBuffer buffer_;
  std::vector<std::uint32_t> place_of_;  // of every cluster among the centres at hand
  std::vector<std::uint32_t> clusters_;
  std::vector<double> centres_;
  std::vector<double> squared_;  // [centre][row of the panel]
  std::vector<std::int32_t> explored_;
  std::vector<double> squared_of_explored_;
  std::vector<std::uint32_t> space_;
  std::vector<Candidate> candidates_;
  std::vector<SumsOf> sums_;
};

// Before the first look there are no distances: rows stand with the first of their clusters.
Groups by_nearest(const RowClusters& rows, std::size_t n_clusters) {
  std::vector<std::uint32_t> nearest(rows.n_rows());
  for (std::size_t row = 0; row < nearest.size(); ++row) nearest[row] = rows.nearest(row);
  return {nearest, n_clusters};
}

}  // namespace

LookedAround look_around(const Execution& execution, const PartialEStep& step, RowClusters& rows) {
  const Groups groups = by_nearest(rows, step.neighbourhoods.size());
  const std::vector<GroupBlock> blocks = groups.blocks(most_rows_of_block);
  LookedAround found;
  found.distances_seen.resize(step.gives_distances ? blocks.size() : 0);
  Workspaces<BlockLook> workspaces(execution.n_threads());
  std::vector<SeenDistance> none;
  for_each_task(execution, {.count = blocks.size()}, [&](std::size_t task, std::size_t worker) {
    BlockLook& look = workspaces.of(worker, [&] { return std::make_unique<BlockLook>(step, rows); });
    const GroupBlock& block = blocks[task];
    look.look(groups.entries().subspan(block.first, block.last - block.first),
              step.gives_distances ? found.distances_seen[task] : none);
  });
  workspaces.for_each([&](const BlockLook& look) {
    found.distances += look.distances;
    found.n_changed += look.n_changed;
  });
  return found;
}

std::vector<std::uint32_t> search_space(const PartialEStep& step, const RowClusters& rows, std::size_t row) {
  std::vector<std::uint32_t> space;
  gather_space(step.neighbourhoods, rows.of(row), space);
  if (!step.explored.empty()) {
    space.push_back(step.explored[row]);
    sort_out(space);
  }
  return space;
}

std::vector<std::uint32_t> drawn_clusters(const Execution& execution, std::size_t n_rows, std::size_t n_clusters,
                                          std::uint64_t seed, std::uint64_t iteration) {
  std::vector<std::uint32_t> drawn(n_rows);
  for_each_block(execution, {.n_items = n_rows}, [&](const BlockRange& block) {
    RandomStream random{seed, Purpose::exploration, (iteration << 32U) + block.number};
    for (std::size_t row = block.first; row < block.last; ++row) {
      drawn[row] = static_cast<std::uint32_t>(random.below(n_clusters));
    }
  });
  return drawn;
}

}  // namespace coppice::internal
