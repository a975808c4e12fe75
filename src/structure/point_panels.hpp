// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Points that come and go, kept as panels: the closest one to a given place is found many rows at a time. A point is
// known by its slot. Slots that are hidden or empty lie at infinity (coppice/kernels/closest_row.hpp).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "coppice/data/rows.hpp"
#include "coppice/kernels/aligned.hpp"

namespace coppice::internal {

class PointPanels {
 public:
  // The chosen rows, in slots 0, 1, ...
  PointPanels(const Rows& rows, std::span<const std::uint32_t> chosen);

  [[nodiscard]] std::size_t n_slots() const noexcept { return n_slots_; }
  [[nodiscard]] std::size_t n_columns() const noexcept { return n_columns_; }
  [[nodiscard]] std::size_t n_panels() const noexcept;
  [[nodiscard]] kernels::PanelView panel(std::size_t i) const noexcept;
  // Room for one number per slot, and for those that kernels write behind the last.
  [[nodiscard]] std::size_t padded_slots() const noexcept { return n_panels() * kernels::panel_rows; }

  void copy_point(std::size_t slot, std::span<double> out) const noexcept;
  void set_point(std::size_t slot, std::span<const double> point) noexcept;
  void hide(std::size_t slot) noexcept;

  // Moves the slots that are kept, in their order, to the front.
  void keep(std::span<const std::uint32_t> slots);

 private:
  [[nodiscard]] double* at(std::size_t slot) noexcept { return values_.data() + offset(slot); }
  [[nodiscard]] std::size_t offset(std::size_t slot) const noexcept;

  std::size_t n_slots_;
  std::size_t n_columns_;
  kernels::AlignedVector<double> values_;
};

// Goes over all panels, with all threads where there is enough to do.
class PanelScan {
 public:
  explicit PanelScan(const Execution& execution) : execution_(execution) {}

  static constexpr std::size_t nothing = static_cast<std::size_t>(-1);

  // scan(panel) leaves a number for each of the panel's slots in `values` and returns the smallest. The first slot that
  // has the smallest of all; `nothing` if that is infinite.
  [[nodiscard]] std::size_t first_smallest(const PointPanels& points, const double* values,
                                           const std::function<double(std::size_t panel)>& scan);

 private:
  Execution execution_;
  std::vector<double> smallest_;  // of every panel
};

}  // namespace coppice::internal
