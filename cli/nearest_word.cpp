// SPDX-License-Identifier: BSD-3-Clause
#include "nearest_word.hpp"

#include <algorithm>
#include <numeric>

namespace coppice::cli {

namespace {

// Letters to insert, remove or replace, or neighbours to exchange, row by row of the table of all beginnings.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> earlier(b.size() + 1);
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    earlier.swap(before);
    before.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = before[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, row[j - 1] + 1, before[j] + 1});
      const bool is_exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_exchanged) row[j] = std::min(row[j], earlier[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest_word(std::string_view word, const std::vector<std::string>& candidates) {
  const std::size_t most_edits = std::min<std::size_t>((word.size() + 1) / 3, 3);  // one letter in three may be wrong
  std::string nearest;
  std::size_t least = most_edits + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance >= least) continue;
    least = distance;
    nearest = candidate;
  }
  return nearest;
}

}  // namespace coppice::cli
