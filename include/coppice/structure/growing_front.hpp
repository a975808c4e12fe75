// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The units of Fast-VDP ([V] section 6): a front of a kd-tree, whose nodes' rows share alike. It starts coarse and is
// opened, down to single rows if need be, where the free energy falls by it, and where a component that is to be cut
// has too few units to tell two parts of it.

#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "coppice/assign/units.hpp"
#include "coppice/infer/me.hpp"

namespace coppice::internal {

struct FrontBudget {
  double nats = 0.01;  // per weight, that the free energy may lie above that of all rows by themselves
  std::size_t units = std::numeric_limits<std::size_t>::max();  // nodes and rows at most
};

// Whether any node was opened, and what could still be gained by opening all of them, down to single rows.
struct Opening {
  bool has_opened = false;
  double left = 0.0;
};

// What a component is cut by: so many units at least, but where these are leaves of the tree, each of which opens into
// many rows, so many; and single rows if it has no more of them than that.
struct TrialUnits {
  std::size_t units = 0;
  std::size_t leaves = 0;
  std::size_t rows = 0;
};

class GrowingFront {
 public:
  // Keep the tree meanwhile.
  GrowingFront(const TreeUnits& tree, const FrontBudget& budget);
  GrowingFront(const GrowingFront&) = delete;
  GrowingFront& operator=(const GrowingFront&) = delete;

  // The same object all the time, of the front as it is.
  [[nodiscard]] const Units& units() const noexcept { return units_; }
  [[nodiscard]] const Front& front() const noexcept { return *of_.front; }

  // What go_back() closes all nodes to that were opened since.
  [[nodiscard]] std::shared_ptr<const Front> now() const noexcept { return of_.front; }
  void go_back(std::shared_ptr<const Front> front) noexcept { of_.front = std::move(front); }

  // Where the free energy of a mixture falls most by it, until opening every node once more would gain little. False if
  // nothing was opened.
  bool open_for_gain(const Execution& execution, const Problem& problem, const StatsArena& mixture);
  // The same by what a few rows of every node would gain by shares of their own: with many columns, one node more
  // shows little of what many would.
  bool open_by_sample(const Execution& execution, const Problem& problem, const StatsArena& mixture);
  // The same by what is there to be gained in all, down to single rows, for which it looks at all of them: clusters
  // that a cut does not part seem to have nothing to gain by it.
  [[nodiscard]] Opening open_to_budget(const Execution& execution, const Problem& problem, const StatsArena& mixture);
  // Once all nodes of every chosen component that has less than that, by the label of each unit. False if nothing was
  // opened.
  bool open_for_trials(std::span<const std::int32_t> labels, std::span<const std::size_t> components,
                       const TrialUnits& least);

 private:
  [[nodiscard]] std::size_t units_inside(std::size_t unit) const;
  // The nodes that have most to gain, so many that what is left keeps within the budget.
  bool open_most(std::span<const double> gains, double total_weight);
  // As many of them as the budget allows, from the first on.
  bool open(std::span<const std::size_t> units);

  FrontBudget budget_;
  FrontUnits of_;
  Units units_;
};

}  // namespace coppice::internal
