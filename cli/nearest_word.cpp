// SPDX-License-Identifier: BSD-3-Clause
#include "nearest_word.hpp"

#include <algorithm>
#include <numeric>

namespace coppice::cli {

namespace {

// Letters to insert, remove or replace (Levenshtein's distance), row by row of its table.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
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
