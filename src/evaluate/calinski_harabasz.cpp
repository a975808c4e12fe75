// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/evaluate/calinski_harabasz.hpp"

#include "evaluate/clustered_rows.hpp"

namespace coppice::evaluate {

namespace {

// The mean of all rows, out of the clusters' means: m = m_1 + sum_k (n_k / N) (m_k - m_1).
std::vector<double> overall_mean(const std::vector<double>& means, const Groups& groups, std::size_t n_columns) {
  std::vector<double> overall(means.begin(), means.begin() + static_cast<std::ptrdiff_t>(n_columns));
  for (std::size_t cluster = 1; cluster < groups.k(); ++cluster) {
    const double share = static_cast<double>(groups.sizes[cluster]) / static_cast<double>(groups.n_rows());
    for (std::size_t column = 0; column < n_columns; ++column) {
      overall[column] += share * (means[cluster * n_columns + column] - means[column]);
    }
  }
  return overall;
}

}  // namespace

// CH = (sum_k n_k ||m_k - m||^2 / (K - 1)) / (sum_n ||x_n - m_k(n)||^2 / (N - K)).
double calinski_harabasz(const Dataset& data, std::span<const std::int32_t> labels) {
  const Groups groups = check_and_group(data, labels);
  const std::size_t n_columns = data.n_columns();
  const std::vector<double> means = centroids(data, groups);
  const std::vector<double> overall = overall_mean(means, groups, n_columns);

  double between = 0.0;
  for (std::size_t cluster = 0; cluster < groups.k(); ++cluster) {
    const double* mean = means.data() + cluster * n_columns;
    between += static_cast<double>(groups.sizes[cluster]) * squared_distance(mean, overall.data(), n_columns);
  }
  double within = 0.0;
  for (std::size_t row = 0; row < groups.n_rows(); ++row) {
    within += squared_distance(data, row, means.data() + groups.of_row[row] * n_columns);
  }
  if (within == 0.0) return 1.0;
  const auto degrees_between = static_cast<double>(groups.k() - 1);
  const auto degrees_within = static_cast<double>(groups.n_rows() - groups.k());
  return between * degrees_within / (within * degrees_between);
}

}  // namespace coppice::evaluate
