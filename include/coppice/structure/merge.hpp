// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Merging clusters by the closed-form gain: the change of the objective follows from statistics alone, no unit is
// looked at.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "coppice/infer/me.hpp"

namespace coppice::internal {

class PairGains;

// The gains of pairs of clusters, kept up to date while clusters merge: of all pairs, or, where clusters are many, of
// those near each other. What two clusters were near, both together are; anew whenever half of the clusters are left.
class MergeGains {
 public:
  MergeGains(const Execution& execution, const Problem& problem, StatsArena stats,
             std::size_t most_for_all_pairs = 100);
  ~MergeGains();
  MergeGains(const MergeGains&) = delete;
  MergeGains& operator=(const MergeGains&) = delete;

  struct Pair {
    std::size_t a = 0;  // a < b
    std::size_t b = 0;
    double gain = 0.0;  // change of the objective, negative is good
  };
  // The pair of least gain; the smallest pair among equals. At least two clusters must be left.
  [[nodiscard]] Pair best() const;
  // The n pairs of least gain, the least first.
  [[nodiscard]] std::vector<Pair> nearest(std::size_t n) const;
  // The pair of least gain that the given cluster is part of.
  [[nodiscard]] Pair best_of(std::size_t cluster) const;
  // Joins b into a. Clusters keep their numbers; b is gone.
  void merge(const Pair& pair);

  [[nodiscard]] std::size_t n_left() const noexcept { return n_left_; }
  // How many pairs there were before the first merge.
  [[nodiscard]] std::uint64_t n_first_pairs() const noexcept { return n_first_pairs_; }
  // For every original cluster, the one it is part of now, numbered 0..n_left-1 in order.
  [[nodiscard]] std::vector<std::int32_t> numbering() const;
  [[nodiscard]] StatsArena stats() const;

 private:
  struct Link {
    std::uint32_t to = 0;
    double part = 0.0;  // of the gain, less what depends on K
  };
  using Links = std::vector<Link>;
  [[nodiscard]] static Link nobody(std::size_t cluster);  // what is best where there is no link

  void link();
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> partners(const StatsArena& alive) const;
  void take_parts(std::size_t cluster, Links& links) const;
  void set_link(std::size_t from, std::size_t to, double part);
  void unlink(std::size_t from, std::size_t to);
  void keep_best(std::size_t cluster);
  void find_best(std::size_t cluster);
  [[nodiscard]] double level() const;
  [[nodiscard]] std::vector<std::uint32_t> alive() const;

  Execution execution_;
  const Problem& problem_;
  std::size_t most_for_all_pairs_;
  std::unique_ptr<PairGains> gains_;
  std::vector<std::size_t> owner_;  // whom a cluster has been joined into
  std::vector<bool> is_alive_;
  std::vector<Links> links_;  // from either end
  std::vector<Link> best_;    // of every cluster's links; none: an infinite part
  std::size_t n_left_;
  std::size_t n_linked_ = 0;  // clusters that were left when links were made
  std::uint64_t n_first_pairs_ = 0;
};

// Merges the best pair as long as that lowers the objective; returns how many merges were made. No sweeps.
std::size_t merge_while_better(MaximizationExpectation& me, State& state);

// Merges the best pair whatever its gain until k clusters are left.
void merge_down_to(MaximizationExpectation& me, State& state, std::size_t k);

// Merges clusters a < b, whatever the gain.
void merge_pair(MaximizationExpectation& me, State& state, std::size_t a, std::size_t b);

// Merges the cluster with the one that suits it best, whatever the gain.
void merge_into_best_partner(MaximizationExpectation& me, State& state, std::size_t cluster);

}  // namespace coppice::internal
