// SPDX-License-Identifier: BSD-3-Clause
// Two groups of points, far apart: the program ends with 0 if both, and no more, are found.
#include <cmath>
#include <coppice/coppice.hpp>
#include <cstdio>
#include <numbers>
#include <random>
#include <vector>

int main() {
  std::vector<double> values;
  std::mt19937 random(7);
  const auto normal = [&random] {  // Box and Muller; the standard library's own differs between implementations
    const double u = (static_cast<double>(random()) + 1.0) / 4294967297.0;
    const double v = static_cast<double>(random()) / 4294967296.0;
    return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v);
  };
  constexpr std::size_t n_rows = 200;
  for (std::size_t row = 0; row < n_rows; ++row) {
    const double centre = row % 2 == 0 ? -20.0 : 20.0;
    values.push_back(centre + normal());
    values.push_back(centre + normal());
  }
  const coppice::Dataset points = coppice::Dataset::from_rows(std::move(values), n_rows, 2);
  const coppice::Fit fit = coppice::fit(points, coppice::BayesianKMeans{.seed = 7});
  std::printf("%zu clusters\n", fit.model.k());
  return fit.model.k() == 2 ? 0 : 1;
}
