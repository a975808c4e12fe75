// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Tables and rules for the tests of seeding, and a chi-square test of what was drawn.

#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "coppice/runtime/local_execution.hpp"
#include "coppice/seeding/seed_rows.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {

// The table of the golden case, and the rows chosen there.
inline Dataset golden_points() {
  return Dataset::from_rows(std::vector<double>{-2.045, -2.95, -0.939, -0.853, -1.835, -0.583, -0.493, -4.119, -2.386,
                                                -0.419, -2.109, -0.744, 2.697, -2.091},
                            7, 2);
}
inline const std::vector<std::size_t> golden_chosen = {3, 0};

struct NamedRule {
  std::string name;
  SeedingOptions options;
};

inline std::vector<NamedRule> all_rules() {
  return {{"plain k-means++", {.candidates = 1}},
          {"greedy k-means++", {}},
          {"AFK-MC2", {.rule = SeedingRule::afk_mc2, .chain_length = 20}},
          {"uniform", {.rule = SeedingRule::uniform}},
          {"farthest first", {.rule = SeedingRule::farthest}}};
}

inline std::vector<std::size_t> shuffled_order(std::size_t n, std::uint64_t seed) {
  RandomStream random{seed, Purpose::test, 60};
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

// The rows of a table in this order, left out or repeated as it says, with their weights.
inline Dataset rows_in_order(const Dataset& data, std::span<const std::size_t> order) {
  std::vector<double> values;
  std::vector<double> weights;
  for (const std::size_t row : order) {
    for (std::size_t c = 0; c < data.n_columns(); ++c) values.push_back(data.value(row, c));
    weights.push_back(data.weight(row));
  }
  const Dataset ordered = Dataset::from_rows(std::move(values), order.size(), data.n_columns());
  return data.weights().empty() ? ordered : ordered.with_weights(std::move(weights));
}

// Whole numbers times a power of two: exact as floats, and most rows have copies or equally distant neighbours.
inline Dataset lattice_rows(std::size_t n_rows, std::size_t n_columns, std::size_t n_values, std::uint64_t seed) {
  RandomStream random{seed, Purpose::test, 61};
  std::vector<double> values(n_rows * n_columns);
  for (double& value : values) value = 0.125 * static_cast<double>(random.below(n_values));
  return Dataset::from_rows(std::move(values), n_rows, n_columns);
}

inline std::vector<double> whole_weights(std::size_t n, std::uint64_t seed) {
  RandomStream random{seed, Purpose::test, 62};
  std::vector<double> weights(n);
  for (double& weight : weights) weight = static_cast<double>(random.below(5));
  return weights;
}

// Seeds a table, taken less an origin that does not depend on the order of its rows.
class Seeded {
 public:
  explicit Seeded(const Dataset& data, std::size_t threads = 1)
      : local_(threads), rows_(data, std::vector<double>(data.n_columns(), 0.25)) {}

  [[nodiscard]] const Rows& rows() const noexcept { return rows_; }
  [[nodiscard]] Execution execution() { return local_.get(); }
  [[nodiscard]] std::vector<std::size_t> chosen(std::size_t k, const SeedingOptions& options, std::uint64_t seed = 0) {
    RandomStream random{seed, Purpose::seeding};
    return seed_rows(local_.get(), rows_, k, options, random);
  }
  [[nodiscard]] std::vector<double> centres(std::size_t k, const SeedingOptions& options, std::uint64_t seed = 0) {
    return copy_points(rows_, chosen(k, options, seed));
  }
  [[nodiscard]] double squared_distance(std::size_t a, std::size_t b) const {
    double sum = 0.0;
    for (std::size_t c = 0; c < rows_.n_columns(); ++c) {
      const double t = rows_.data().value(a, c) - rows_.data().value(b, c);
      sum += t * t;
    }
    return sum;
  }

 private:
  LocalExecution local_;
  Rows rows_;
};

// How often each value was drawn, against its probability: chi-square with one degree of freedom less than there are
// possible values. Wilson and Hilferty's approximation gives its quantile at level 1e-6.
inline double chi_square(const std::vector<std::size_t>& counts, const std::vector<double>& law) {
  const double n_draws = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
  double sum = 0.0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double expected = n_draws * law[i];
    if (expected > 0.0) sum += std::pow(static_cast<double>(counts[i]) - expected, 2) / expected;
    if (expected <= 0.0 && counts[i] > 0) return INFINITY;  // impossible, and yet it happened
  }
  return sum;
}
inline double chi_square_limit(const std::vector<double>& law) {
  const double z = 4.7534;  // level 1e-6
  double freedom = -1.0;
  for (const double probability : law) freedom += probability > 0.0 ? 1.0 : 0.0;
  return freedom * std::pow(1.0 - 2.0 / (9.0 * freedom) + z * std::sqrt(2.0 / (9.0 * freedom)), 3);
}

}  // namespace coppice::internal
