// SPDX-License-Identifier: BSD-3-Clause
// Clusters a table and says how often each cluster comes back when the rows are reweighted: how_sure points.csv
#include <coppice/coppice.hpp>
#include <iostream>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: how_sure TABLE\n";
    return 2;
  }
  const coppice::Dataset points = coppice::read(argv[1]);
  const coppice::BayesianKMeans method{.seed = 7};
  const coppice::Fit found = coppice::fit(points, method);
  const coppice::Stability again =
      coppice::stability(points, found, [&](const coppice::Dataset& rows) { return coppice::fit(rows, method); });
  for (const coppice::ClusterStability& cluster : again.clusters) {
    std::cout << "recurrence " << cluster.recurrence << ", found in " << 100.0 * cluster.found
              << "% of the resamples\n";
  }
  return again.resamples == 20 ? 0 : 1;
}
