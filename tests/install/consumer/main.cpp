// SPDX-License-Identifier: BSD-3-Clause
// Two groups of points, far apart: the program ends with 0 if both, and no more, are found.
#include <coppice/coppice.hpp>
#include <coppice/runtime/random.hpp>
#include <cstdio>
#include <vector>

int main() {
  std::vector<double> values;
  coppice::RandomStream random{7, coppice::Purpose::test};
  constexpr std::size_t n_rows = 200;
  for (std::size_t row = 0; row < n_rows; ++row) {
    const double centre = row % 2 == 0 ? -20.0 : 20.0;
    values.push_back(centre + random.normal());
    values.push_back(centre + random.normal());
  }
  const coppice::Dataset points = coppice::Dataset::from_rows(std::move(values), n_rows, 2);
  const coppice::Fit fit = coppice::fit(points, coppice::BayesianKMeans{.seed = 7});
  std::printf("%zu clusters\n", fit.model.k());
  return fit.model.k() == 2 ? 0 : 1;
}
