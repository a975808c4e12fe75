// SPDX-License-Identifier: BSD-3-Clause
// Gonzalez' rule, one pass over the rows for each point. Maxima are exact in any order, and ties go by content, so that
// threads and the order of the file do not matter. The first point is the row farthest from the mean: no draw is
// needed.

#include "coppice/seeding/farthest_first.hpp"

#include "seeding/nearest_squares.hpp"
#include "seeding/weighted_mean.hpp"

namespace coppice::internal {

namespace {

struct Farthest {
  double squared = -1.0;  // nobody yet
  std::size_t row = 0;
};

// Rounds of "which row is farthest from the points taken so far?".
class Rounds {
 public:
  Rounds(const Execution& execution, const SeedingTable& table)
      : execution_(execution), table_(table), squares_(table) {}

  Farthest take(std::span<const double> point) {
    std::vector<Farthest> of_worker(execution_.n_threads());
    squares_.lower(execution_, point, [&](std::size_t worker, std::size_t first, std::span<const double> squared) {
      for (std::size_t i = 0; i < squared.size(); ++i) keep_farther(of_worker[worker], {squared[i], first + i});
    });
    Farthest farthest;
    for (const Farthest& some : of_worker) keep_farther(farthest, some);
    return farthest;
  }
  Farthest take(std::size_t row) {
    std::vector<double> point(table_.rows().n_columns());
    table_.copy_point(row, point);
    return take(point);
  }
  void forget() noexcept { squares_.forget(); }

 private:
  void keep_farther(Farthest& best, const Farthest& other) const {
    // Rows without weight are at -1.
    if (other.squared < best.squared || other.squared < 0.0) return;
    if (other.squared > best.squared || table_.is_before(other.row, best.row)) best = other;
  }

  const Execution& execution_;
  const SeedingTable& table_;
  NearestSquares squares_;
};

}  // namespace

std::vector<std::size_t> farthest_first_rows(const Execution& execution, const ScaledRows& rows, std::size_t k) {
  const SeedingTable table(execution, rows);
  std::vector<std::size_t> chosen;
  if (k == 0 || table.n_present() == 0) return chosen;
  Rounds rounds(execution, table);
  chosen.push_back(rounds.take(weighted_mean(execution, table)).row);
  rounds.forget();  // the mean is nobody's centre
  while (chosen.size() < k) {
    const Farthest next = rounds.take(chosen.back());
    if (!(next.squared > 0.0)) break;
    chosen.push_back(next.row);
  }
  return chosen;
}

double farthest_first_lambda2(const Execution& execution, const Rows& rows, std::size_t k) {
  const SeedingTable table(execution, rows);
  if (k == 0 || table.n_present() == 0) return 0.0;
  Rounds rounds(execution, table);
  Farthest farthest = rounds.take(weighted_mean(execution, table));
  for (std::size_t round = 1; round < k && farthest.squared > 0.0; ++round) farthest = rounds.take(farthest.row);
  // In the data's own units; dividing twice, for a square of the scale may be out of range.
  return farthest.squared / table.scale() / table.scale();
}

}  // namespace coppice::internal
