// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Groups of neighbouring centres, as distance bounds want them: how far each group moved, and who is nearest in it.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/kernels/nearest_centres.hpp"

namespace coppice::internal {

class CentreGroups {
 public:
  CentreGroups() = default;
  // Up to 32 centres make one group; there are at most 64 groups.
  CentreGroups(std::span<const double> centres, std::size_t n_columns);

  [[nodiscard]] std::size_t size() const noexcept { return members_.size(); }
  [[nodiscard]] std::size_t group_of(std::int32_t centre) const noexcept {
    return group_of_[static_cast<std::size_t>(centre)];
  }
  [[nodiscard]] const std::vector<std::int32_t>& members(std::size_t group) const noexcept { return members_[group]; }
  [[nodiscard]] const kernels::PackedCentres& packed(std::size_t group) const noexcept { return packed_[group]; }

  // New places of the same centres. Drifts are rounded up: how far each centre moved, and the farthest of each group.
  void move_to(std::span<const double> centres);
  [[nodiscard]] std::span<const double> drifts() const noexcept { return drifts_; }
  [[nodiscard]] std::span<const double> group_drifts() const noexcept { return group_drifts_; }
  [[nodiscard]] std::span<const double> centres() const noexcept { return centres_; }
  [[nodiscard]] std::span<const double> centre(std::int32_t c) const noexcept {
    return std::span(centres_).subspan(static_cast<std::size_t>(c) * n_columns_, n_columns_);
  }
  [[nodiscard]] std::size_t n_centres() const noexcept { return group_of_.size(); }

 private:
  void pack();

  std::size_t n_columns_ = 0;
  std::vector<double> centres_;
  std::vector<std::size_t> group_of_;
  std::vector<std::vector<std::int32_t>> members_;
  std::vector<kernels::PackedCentres> packed_;
  std::vector<double> drifts_;
  std::vector<double> group_drifts_;
};

}  // namespace coppice::internal
