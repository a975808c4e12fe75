// SPDX-License-Identifier: BSD-3-Clause
// Portions are what one component of a mixture has of the units: a list with a mass for each. The units of a front are
// of two kinds, nodes (statistics) first and rows of opened leaves behind, and a portion in increasing order is cut
// where the kinds meet. Masses scale a node's statistics as a whole; what is proportional to the weight, only the
// family knows (add_scaled).

#include "coppice/assign/portion.hpp"

#include <algorithm>
#include <array>

#include "assign/plane_sides.hpp"
#include "coppice/assign/accumulators.hpp"

namespace coppice::internal {

PortionParts::PortionParts(const Units& units, const Portion& portion) {
  if (units.are_rows()) {
    rows = portion;
    return;
  }
  if (units.front() == nullptr) {
    summaries = portion;
    return;
  }
  const Front& front = *units.front()->front;
  const std::size_t n_nodes = front.nodes().size();
  const auto n = static_cast<std::size_t>(std::ranges::lower_bound(portion.units, n_nodes) - portion.units.begin());
  summaries = {portion.units.first(n), portion.masses.first(n)};
  for (const std::size_t unit : portion.units.subspan(n)) places_.push_back(front.rows()[unit - n_nodes]);
  rows = {places_, portion.masses.subspan(n)};
}

namespace {

// Adds up both sides, block by block.
class Division {
 public:
  Division(const Units& units, const Components& components, const Plane& plane)
      : units_(units), components_(components), sides_(plane), accumulators_{components, 2} {}

  [[nodiscard]] StatsArena of_rows(const Execution& execution, const Portion& rows) const {
    return sum(execution, rows.units.size(), [&](std::span<double> accumulator, std::size_t first, std::size_t last) {
      BlockBuffer buffer(components_.n_columns());
      for (std::size_t at = first; at < last; at += kernels::panel_rows) {
        const std::size_t count = std::min(kernels::panel_rows, last - at);
        add_rows({rows.units.subspan(at, count), rows.masses.subspan(at, count)}, buffer, accumulator);
      }
    });
  }

  [[nodiscard]] StatsArena of_summaries(const Execution& execution, const Portion& chosen) const {
    return sum(execution, chosen.units.size(), [&](std::span<double> accumulator, std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        const ConstStatsRef stats = units_.summary(chosen.units[i]);
        if (!(chosen.masses[i] > 0.0) || !(stats[0] > 0.0)) continue;
        const auto side = static_cast<std::size_t>(sides_.point(components_.column_moments(stats).mean));
        components_.add_scaled(of_side(accumulator, side), stats, chosen.masses[i] / stats[0]);
      }
    });
  }

 private:
  template <class Add>
  [[nodiscard]] StatsArena sum(const Execution& execution, std::size_t n, const Add& add) const {
    const Blocks blocks{.n_items = n};
    const auto add_block = [&](std::span<double> accumulator, std::size_t block, std::size_t /*worker*/) {
      add(accumulator, blocks.first(block), blocks.last(block));
    };
    const auto merge = [&](auto into, auto from) { accumulators_.merge(into, from); };
    return accumulators_.stats(
        ordered_sum(execution, blocks, {.size = accumulators_.size(), .add = add_block, .merge = merge}));
  }

  // At most a panel.
  // Side by side: the rows of one side at a time are picked out of the panel, since a family adds to one cluster at a
  // time.
  void add_rows(const Portion& rows, BlockBuffer& buffer, std::span<double> accumulator) const {
    std::array<std::int32_t, kernels::panel_rows> sides;
    RowBlock all(rows_behind(units_), rows.units, buffer);
    sides_.rows(all, std::span(sides).first(rows.units.size()));
    for (const std::size_t side : {0U, 1U}) {
      std::array<std::size_t, kernels::panel_rows> chosen;
      std::array<double, kernels::panel_rows> masses;
      std::size_t n = 0;
      for (std::size_t i = 0; i < rows.units.size(); ++i) {
        if (static_cast<std::size_t>(sides[i]) != side || !(rows.masses[i] > 0.0)) continue;
        chosen[n] = rows.units[i];
        masses[n++] = rows.masses[i];
      }
      if (n == 0) continue;
      RowBlock block(rows_behind(units_), std::span(chosen).first(n), buffer);
      components_.add(of_side(accumulator, side), block, std::span(masses).first(n));
    }
  }

  [[nodiscard]] StatsRef of_side(std::span<double> accumulator, std::size_t side) const {
    return accumulator.subspan(side * components_.stats_size(), components_.stats_size());
  }

  const Units& units_;
  const Components& components_;
  PlaneSides sides_;
  Accumulators<0> accumulators_;
};

}  // namespace

StatsArena divide(const Execution& execution, const Units& units, const Portion& portion, const Components& components,
                  const Plane& plane) {
  const PortionParts parts(units, portion);
  const Division division(units, components, plane);
  if (parts.summaries.units.empty()) return division.of_rows(execution, parts.rows);
  StatsArena sides = division.of_summaries(execution, parts.summaries);
  if (parts.rows.units.empty()) return sides;
  const StatsArena rows = division.of_rows(execution, parts.rows);
  for (std::size_t side = 0; side < 2; ++side) components.merge(sides[side], rows[side]);
  return sides;
}

}  // namespace coppice::internal
