// SPDX-License-Identifier: BSD-3-Clause
// Greedy k-means++: of several candidates drawn by the D^2 law, the one that leaves the least potential. Candidates are
// compared in one pass over the rows for all of them, in whole numbers, so that equal potentials are equal and content
// decides.

#include "coppice/seeding/kmeanspp.hpp"

#include <algorithm>
#include <cmath>

#include "seeding/squared_masses.hpp"

namespace coppice::internal {

namespace {

std::vector<double> points_of(const SeedingTable& table, std::span<const std::size_t> rows) {
  const std::size_t n_columns = table.rows().n_columns();
  std::vector<double> points(rows.size() * n_columns);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    table.copy_point(rows[i], std::span(points).subspan(i * n_columns, n_columns));
  }
  return points;
}

// The candidate that leaves the least potential; among equals the first in content order.
std::size_t best_of(const Execution& execution, const SeedingTable& table, const SquaredMasses& masses,
                    std::vector<std::size_t> candidates) {
  // In content order, which breaks ties; and equal rows stand together, to be looked at once.
  std::ranges::sort(candidates, [&](std::size_t a, std::size_t b) { return table.is_before(a, b); });
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  if (candidates.size() == 1) return candidates.front();
  const std::vector<std::int64_t> potentials = masses.potentials(execution, points_of(table, candidates));
  return candidates[static_cast<std::size_t>(std::ranges::min_element(potentials) - potentials.begin())];
}

}  // namespace

std::size_t default_candidates(std::size_t k) noexcept {
  return 2 + (k > 1 ? static_cast<std::size_t>(std::log(static_cast<double>(k))) : 0);
}

std::vector<std::size_t> kmeanspp_rows(const Execution& execution, const ScaledRows& rows, std::size_t k,
                                       std::size_t candidates, RandomStream& random) {
  const SeedingTable table(execution, rows);
  std::vector<std::size_t> chosen;
  if (k == 0 || table.n_present() == 0) return chosen;
  if (candidates == 0) candidates = default_candidates(k);
  SquaredMasses masses(execution, table);
  chosen.push_back(masses.draw(execution, 1, random).front());
  while (chosen.size() < k) {
    masses.add_centre(execution, points_of(table, std::span(chosen).last(1)));
    if (masses.total() == 0) break;
    chosen.push_back(best_of(execution, table, masses, masses.draw(execution, candidates, random)));
  }
  return chosen;
}

std::vector<double> squared_distance_law(const Execution& execution, const Rows& rows,
                                         std::span<const std::size_t> chosen) {
  const SeedingTable table(execution, rows);
  std::vector<double> law(rows.size(), 0.0);
  if (table.n_present() == 0) return law;
  SquaredMasses masses(execution, table);
  for (const std::size_t& row : chosen) masses.add_centre(execution, points_of(table, std::span(&row, 1)));
  if (masses.total() == 0) return law;
  const double total = static_cast<double>(masses.total());
  for (std::size_t row = 0; row < law.size(); ++row) law[row] = static_cast<double>(masses.mass(row)) / total;
  return law;
}

}  // namespace coppice::internal
