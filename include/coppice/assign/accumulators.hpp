// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the blocks of an assignment add up: the statistics of all clusters, followed by a few plain sums.

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "coppice/family/components.hpp"

namespace coppice::internal {

template <std::size_t NExtra>
struct Accumulators {
  const Components& components;
  std::size_t k;

  [[nodiscard]] std::size_t n_stats() const { return k * components.stats_size(); }
  [[nodiscard]] std::size_t size() const { return n_stats() + NExtra; }

  void merge(std::span<double> into, std::span<const double> from) const {
    const std::size_t stats_size = components.stats_size();
    for (std::size_t at = 0; at < n_stats(); at += stats_size) {
      if (from[at] > 0.0) components.merge(into.subspan(at, stats_size), from.subspan(at, stats_size));
    }
    for (std::size_t at = n_stats(); at < size(); ++at) into[at] += from[at];
  }

  [[nodiscard]] StatsArena stats(std::vector<double> total) const {
    total.resize(n_stats());
    return StatsArena(std::move(total), components.stats_size());
  }
};

// One workspace per thread, made by the thread that uses it.
template <class Workspace>
class Workspaces {
 public:
  template <class Make>
  Workspace& of(std::size_t worker, const Make& make) {
    if (!of_worker_[worker]) of_worker_[worker] = make();
    return *of_worker_[worker];
  }
  explicit Workspaces(std::size_t n_threads) : of_worker_(n_threads) {}
  // Those that were made, in the order of the threads.
  template <class Use>
  void for_each(const Use& use) const {
    for (const std::unique_ptr<Workspace>& workspace : of_worker_) {
      if (workspace) use(*workspace);
    }
  }

 private:
  std::vector<std::unique_ptr<Workspace>> of_worker_;
};

}  // namespace coppice::internal
