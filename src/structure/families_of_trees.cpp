// SPDX-License-Identifier: BSD-3-Clause
#include "structure/families_of_trees.hpp"

#include <algorithm>

#include "coppice/data/memory_need.hpp"
#include "coppice/family/wishart_family.hpp"
#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"

namespace coppice::internal {

namespace {

// Numbers in the statistics of all rows that an unasked family may have: 2 GB.
constexpr double most_unasked = 0x1p28;
// The leaves, the clusters that grow from them, what merges keep of each, and the leaves of the prior's fit.
constexpr double copies_at_once = 4.0;

}  // namespace

// Gaussian clusters of any shape have a matrix of columns x columns for every row that begins as a cluster of its own.
std::vector<std::string> families_that_fit(std::vector<std::string> families, const Rows& rows) {
  if (std::ranges::find(families, "gaussian") == families.end()) return families;
  const double n_numbers =
      static_cast<double>(rows.size()) * static_cast<double>(WishartFamily::stats_size(rows.n_columns()));
  if (families.size() > 1 && n_numbers > most_unasked) {
    std::erase(families, "gaussian");
    return families;
  }
  const double bytes = copies_at_once * sizeof(double) * n_numbers;
  const auto available = static_cast<double>(available_memory());
  if (bytes <= available) return families;
  throw LimitError(
      format_text("a tree of {} with gaussian clusters takes about {:.0f} GB of memory, but only {:.1f} GB are free; "
                  "take {family=diagonal} or spherical, or fewer columns ({transform=pca:50})",
                  counted(rows.size(), "row"), bytes * 1e-9, available * 1e-9));
}

}  // namespace coppice::internal
