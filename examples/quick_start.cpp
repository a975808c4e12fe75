// SPDX-License-Identifier: BSD-3-Clause
// Clusters a table and labels its rows again with the model: quick_start points.csv
#include <coppice/coppice.hpp>
#include <iostream>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: quick_start TABLE\n";
    return 2;
  }
  const coppice::Dataset points = coppice::read(argv[1]);
  const coppice::Fit fit = coppice::fit(points, coppice::BayesianKMeans{.seed = 7});
  std::cout << fit.model.k() << " clusters, objective " << fit.model.objective() << " nats\n";
  for (std::size_t cluster = 0; cluster < fit.model.k(); ++cluster) {
    std::cout << "cluster " << cluster << ": weight " << fit.model.stats().weight(cluster) << '\n';
  }
  return fit.model.predict(points) == fit.labels ? 0 : 1;
}
