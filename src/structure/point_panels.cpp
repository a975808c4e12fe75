// SPDX-License-Identifier: BSD-3-Clause
#include "structure/point_panels.hpp"

#include <algorithm>
#include <limits>

#include "coppice/runtime/for_each_task.hpp"

namespace coppice::internal {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Numbers in all panels from which on waking other threads pays, and numbers per task.
constexpr std::size_t worth_sharing = std::size_t{1} << 18U;
constexpr std::size_t numbers_per_task = std::size_t{1} << 15U;

}  // namespace

PointPanels::PointPanels(const Rows& rows, std::span<const std::uint32_t> chosen)
    : n_slots_(chosen.size()), n_columns_(rows.n_columns()) {
  // One infinite column hides a slot; all of them hide those that were never filled.
  values_.assign(n_panels() * n_columns_ * kernels::panel_stride, infinity);
  std::vector<double> point(n_columns_);
  for (std::size_t slot = 0; slot < n_slots_; ++slot) {
    rows.copy_row(chosen[slot], point);
    set_point(slot, point);
  }
}

std::size_t PointPanels::n_panels() const noexcept {
  return (n_slots_ + kernels::panel_rows - 1) / kernels::panel_rows;
}

kernels::PanelView PointPanels::panel(std::size_t i) const noexcept {
  return {values_.data() + i * n_columns_ * kernels::panel_stride,
          std::min(kernels::panel_rows, n_slots_ - i * kernels::panel_rows), n_columns_};
}

std::size_t PointPanels::offset(std::size_t slot) const noexcept {
  return slot / kernels::panel_rows * n_columns_ * kernels::panel_stride + slot % kernels::panel_rows;
}

void PointPanels::copy_point(std::size_t slot, std::span<double> out) const noexcept {
  const double* from = values_.data() + offset(slot);
  for (std::size_t c = 0; c < n_columns_; ++c) out[c] = from[c * kernels::panel_stride];
}

void PointPanels::set_point(std::size_t slot, std::span<const double> point) noexcept {
  double* to = at(slot);
  for (std::size_t c = 0; c < n_columns_; ++c) to[c * kernels::panel_stride] = point[c];
}

void PointPanels::hide(std::size_t slot) noexcept { *at(slot) = infinity; }

void PointPanels::keep(std::span<const std::uint32_t> slots) {
  std::vector<double> point(n_columns_);
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    copy_point(slots[slot], point);
    set_point(slot, point);
  }
  for (std::size_t slot = slots.size(); slot < n_slots_; ++slot) hide(slot);
  n_slots_ = slots.size();
}

std::size_t PanelScan::first_smallest(const PointPanels& points, const double* values,
                                      const std::function<double(std::size_t panel)>& scan) {
  const std::size_t n_panels = points.n_panels();
  const std::size_t numbers_per_panel = kernels::panel_rows * points.n_columns();
  smallest_.resize(n_panels);
  const Blocks tasks{n_panels, std::max<std::size_t>(1, numbers_per_task / numbers_per_panel)};
  const auto scan_task = [&](std::size_t task) {
    for (std::size_t i = tasks.first(task); i < tasks.last(task); ++i) smallest_[i] = scan(i);
  };
  // Minima of panels, and then the first panel that has the least: the same with and without threads.
  if (n_panels * numbers_per_panel >= worth_sharing) {
    for_each_task(execution_, {.count = tasks.count()}, scan_task);
  } else {
    for (std::size_t task = 0; task < tasks.count(); ++task) scan_task(task);
  }
  const auto best = std::ranges::min_element(smallest_);
  if (*best == infinity) return nothing;
  const double* first = values + (best - smallest_.begin()) * static_cast<std::ptrdiff_t>(kernels::panel_rows);
  return static_cast<std::size_t>(std::find(first, first + kernels::panel_rows, *best) - values);
}

}  // namespace coppice::internal
