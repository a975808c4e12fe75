// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/evaluate/davies_bouldin.hpp"

#include <algorithm>
#include <cmath>

#include "evaluate/clustered_rows.hpp"

namespace coppice::evaluate {

namespace {

// scikit-learn takes lengths up to this for 0, whatever the unit of the data.
constexpr double zero_length = 1e-8;

// The mean distance of each cluster's rows from its centroid.
std::vector<double> mean_radii(const Dataset& data, const Groups& groups, const std::vector<double>& means) {
  std::vector<double> radii(groups.k(), 0.0);
  for (std::size_t row = 0; row < groups.n_rows(); ++row) {
    const std::uint32_t cluster = groups.of_row[row];
    radii[cluster] += std::sqrt(squared_distance(data, row, means.data() + cluster * data.n_columns()));
  }
  for (std::size_t cluster = 0; cluster < groups.k(); ++cluster) {
    radii[cluster] /= static_cast<double>(groups.sizes[cluster]);
  }
  return radii;
}

struct Worst {
  std::vector<double> ratio;      // per cluster; coinciding centroids are passed over
  double largest_distance = 0.0;  // between any two centroids
};

Worst worst_ratios(const std::vector<double>& means, const std::vector<double>& radii, std::size_t n_columns) {
  Worst worst{std::vector<double>(radii.size(), 0.0), 0.0};
  for (std::size_t second = 1; second < radii.size(); ++second) {
    for (std::size_t first = 0; first < second; ++first) {
      const double apart =
          std::sqrt(squared_distance(means.data() + first * n_columns, means.data() + second * n_columns, n_columns));
      // As scikit-learn has it: two clusters in one place have no ratio.
      if (apart == 0.0) continue;
      worst.largest_distance = std::max(worst.largest_distance, apart);
      const double ratio = (radii[first] + radii[second]) / apart;
      worst.ratio[first] = std::max(worst.ratio[first], ratio);
      worst.ratio[second] = std::max(worst.ratio[second], ratio);
    }
  }
  return worst;
}

}  // namespace

// DB = (1/K) sum_i max_j (r_i + r_j) / ||m_i - m_j||, r the mean distance from the centroid.
double davies_bouldin(const Dataset& data, std::span<const std::int32_t> labels) {
  const Groups groups = check_and_group(data, labels);
  const std::vector<double> means = centroids(data, groups);
  const std::vector<double> radii = mean_radii(data, groups, means);
  const Worst worst = worst_ratios(means, radii, data.n_columns());
  if (std::ranges::max(radii) <= zero_length || worst.largest_distance <= zero_length) return 0.0;
  double sum = 0.0;
  for (const double ratio : worst.ratio) sum += ratio;
  return sum / static_cast<double>(groups.k());
}

}  // namespace coppice::evaluate
