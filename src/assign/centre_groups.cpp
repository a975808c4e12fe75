// SPDX-License-Identifier: BSD-3-Clause
// Groups decide how much a bound tells, not whether it is right. They are made once, of neighbours, and stay as they
// are while centres move: a group's drift is that of its fastest centre. Bounds of 64 groups are 256 bytes per row
// already.

#include "assign/centre_groups.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "coppice/assign/bounds.hpp"
#include "coppice/kernels/quadratic.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t group_size = 32;
constexpr std::size_t most_groups = 64;

// Cuts centres across their widest column, in proportion to the groups on either side.
class Cutter {
 public:
  Cutter(std::span<const double> centres, std::size_t n_columns, std::vector<std::size_t>& group_of)
      : centres_(centres), n_columns_(n_columns), group_of_(group_of) {}

  void cut(std::span<std::size_t> some, std::size_t first_group, std::size_t n_groups) {
    if (n_groups == 1) {
      for (const std::size_t centre : some) group_of_[centre] = first_group;
      return;
    }
    const std::size_t column = widest_column(some);
    const std::size_t left_groups = n_groups / 2;
    const std::size_t n_left = some.size() * left_groups / n_groups;
    std::ranges::nth_element(
        // Equal places by number, so that groups do not depend on how nth_element is written.
        some, some.begin() + static_cast<std::ptrdiff_t>(n_left), [&](std::size_t a, std::size_t b) {
          return value(a, column) != value(b, column) ? value(a, column) < value(b, column) : a < b;
        });
    cut(some.first(n_left), first_group, left_groups);
    cut(some.subspan(n_left), first_group + left_groups, n_groups - left_groups);
  }

 private:
  [[nodiscard]] double value(std::size_t centre, std::size_t column) const {
    return centres_[centre * n_columns_ + column];
  }
  [[nodiscard]] std::size_t widest_column(std::span<const std::size_t> some) const {
    std::size_t widest = 0;
    double width = -1.0;
    for (std::size_t c = 0; c < n_columns_; ++c) {
      const auto [low, high] = std::ranges::minmax(some, {}, [&](std::size_t centre) { return value(centre, c); });
      if (value(high, c) - value(low, c) > width) {
        width = value(high, c) - value(low, c);
        widest = c;
      }
    }
    return widest;
  }

  std::span<const double> centres_;
  std::size_t n_columns_;
  std::vector<std::size_t>& group_of_;
};

}  // namespace

std::vector<std::size_t> group_centres(std::span<const double> centres, std::size_t n_columns, std::size_t n_groups) {
  std::vector<std::size_t> group_of(centres.size() / n_columns);
  std::vector<std::size_t> everyone(group_of.size());
  std::iota(everyone.begin(), everyone.end(), std::size_t{0});
  Cutter(centres, n_columns, group_of).cut(everyone, 0, n_groups);
  return group_of;
}

CentreGroups::CentreGroups(std::span<const double> centres, std::size_t n_columns)
    : n_columns_(n_columns), centres_(centres.begin(), centres.end()) {
  const std::size_t n_centres = centres.size() / n_columns;
  const std::size_t n_groups = std::clamp<std::size_t>((n_centres + group_size - 1) / group_size, 1, most_groups);
  group_of_ = group_centres(centres, n_columns, n_groups);
  members_.resize(n_groups);
  for (std::size_t c = 0; c < n_centres; ++c) members_[group_of_[c]].push_back(static_cast<std::int32_t>(c));
  drifts_.assign(n_centres, 0.0);
  group_drifts_.assign(n_groups, 0.0);
  pack();
}

void CentreGroups::move_to(std::span<const double> centres) {
  constexpr double round_up = 1.0 + 0x1p-40;  // a drift that is too short would make a bound a lie
  std::ranges::fill(group_drifts_, 0.0);
  for (std::size_t c = 0; c < drifts_.size(); ++c) {
    const auto place = static_cast<std::int32_t>(c);
    const auto to = centres.subspan(c * n_columns_, n_columns_);
    drifts_[c] = std::sqrt(kernels::exact_squared_distance(centre(place), to)) * round_up;
    group_drifts_[group_of_[c]] = std::max(group_drifts_[group_of_[c]], drifts_[c]);
  }
  centres_.assign(centres.begin(), centres.end());
  pack();
}

void CentreGroups::pack() {
  packed_.clear();
  std::vector<double> of_group;
  for (const std::vector<std::int32_t>& members : members_) {
    of_group.clear();
    for (const std::int32_t c : members) of_group.insert(of_group.end(), centre(c).begin(), centre(c).end());
    packed_.emplace_back(of_group, n_columns_);
  }
}

}  // namespace coppice::internal
