// SPDX-License-Identifier: BSD-3-Clause
// Keeping bounds costs memory and a first sweep that computes all distances. Whether they would pay is found by
// computing, for 128 rows spread over the table, the bounds that the sweep before would have left and counting whom
// they keep out. The same test of ties is asked as by the bounds themselves.

#include "assign/bounds_forecast.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "assign/centre_groups.hpp"
#include "assign/centre_ties.hpp"
#include "coppice/kernels/quadratic.hpp"

namespace coppice::internal {

namespace {

// The centres in the groups that the bounds of a row would not keep out.
std::size_t distances_asked(const CentreGroups& groups, const CentreTies& ties, std::span<const double> row,
                            std::int32_t label) {
  const auto distance = [&](std::int32_t centre) {
    return std::sqrt(kernels::exact_squared_distance(row, groups.centre(centre)));
  };
  const double upper = distance(label) + groups.drifts()[static_cast<std::size_t>(label)];
  std::size_t n_asked = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    double lower = std::numeric_limits<double>::infinity();
    for (const std::int32_t centre : groups.members(g)) {
      if (centre != label) lower = std::min(lower, distance(centre));
    }
    if (!ties.is_beaten(std::max(lower - groups.group_drifts()[g], 0.0), upper)) n_asked += groups.members(g).size();
  }
  return n_asked;
}

}  // namespace

bool would_bounds_have_paid(const Rows& rows, std::span<const double> previous, const Components& centres,
                            std::span<const std::int32_t> labels) {
  constexpr std::size_t n_sampled = 128;
  if (previous.size() != centres.centres().size()) return false;
  CentreGroups groups(previous, rows.n_columns());
  groups.move_to(centres.centres());
  const CentreTies ties(centres);
  std::vector<double> row(rows.n_columns());
  std::size_t n_asked = 0;
  std::size_t n_all = 0;
  for (std::size_t i = 0; i < rows.size(); i += std::max<std::size_t>(rows.size() / n_sampled, 1)) {
    rows.copy_row(i, row);
    n_asked += distances_asked(groups, ties, row, labels[i]);
    n_all += centres.size();
  }
  // Half the distances: bounds have a price of their own.
  return 2 * n_asked < n_all;
}

}  // namespace coppice::internal
