// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Sweeps that remember the last one. Late in a search a sweep changes few clusters, and the others' costs of every row,
// and the statistics of those whose members stay, are what they were: a sweep takes as long as the clusters that have
// changed ask for. Labels and statistics are those of the plain sweep (naive.hpp) to the last bit.

#include <cstdint>
#include <optional>
#include <vector>

#include "coppice/assign/assign.hpp"

namespace coppice::internal {

class RememberedCosts {
 public:
  // Nothing where remembering does not pay, or takes too much memory.
  [[nodiscard]] std::optional<Assignment> sweep(const Execution& execution, const Units& units,
                                                const Components& clusters, std::span<const double> offsets,
                                                const Labels& present);
  void forget() { *this = {}; }

 private:
  // A cluster whose costs have to be found.
  struct Missing {
    std::int32_t cluster = 0;
    std::size_t place = 0;
  };
  [[nodiscard]] bool make_room(const Units& units, const Components& clusters);
  [[nodiscard]] std::vector<Missing> find_places(const Components& clusters);
  [[nodiscard]] double* costs_of(std::size_t panel, std::size_t place);
  [[nodiscard]] StatsArena statistics(const Execution& execution, const Units& units, const Components& clusters,
                                      std::span<const std::int32_t> labels) const;

  std::size_t n_places_ = 0;
  std::vector<double> costs_;              // panel by panel, place by place
  std::vector<std::uint64_t> identities_;  // of the clusters whose costs are at these places; 0: nobody's
  std::vector<std::int32_t> clusters_;     // of this sweep, at these places; -1: none
  std::vector<std::int32_t> labels_;       // of the last sweep
  StatsArena stats_;
};

}  // namespace coppice::internal
