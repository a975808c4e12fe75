// SPDX-License-Identifier: BSD-3-Clause
#include "methods/point_clusters.hpp"

#include <numeric>
#include <string>
#include <vector>

#include "coppice/data/constant_columns.hpp"
#include "coppice/structure/family_catalogue.hpp"
#include "coppice/structure/gaussian_priors.hpp"

namespace coppice::internal {

namespace {

std::vector<double> column_floors(const Execution& execution, const Rows& rows, double share) {
  std::vector<double> floors = gaussian_shape(execution, rows).variance;
  const std::vector<std::size_t> constant = constant_columns(rows.data());
  for (const std::size_t column : constant) floors[column] = 0.0;
  const auto n_varying = static_cast<double>(floors.size() - constant.size());
  const double average = n_varying > 0.0 ? std::accumulate(floors.begin(), floors.end(), 0.0) / n_varying : 1.0;
  for (const std::size_t column : constant) floors[column] = average;
  for (double& floor : floors) floor *= share;
  return floors;
}

// The words of the option are those of families with a prior.
const PointEstimates& point_estimates(std::string_view family) {
  return *family_entry("point-" + std::string(family)).point_estimates;
}

}  // namespace

std::unique_ptr<Components> point_clusters(const Execution& execution, const Rows& rows, std::string_view family,
                                           double floor) {
  return point_estimates(family).make(column_floors(execution, rows, floor));
}

double numbers_in_covariance(std::string_view family, std::size_t n_varying) {
  return point_estimates(family).numbers_in_covariance(static_cast<double>(n_varying));
}

double bic_parameters(std::string_view family, std::size_t n_varying, std::size_t k) {
  const double of_one = static_cast<double>(n_varying) + numbers_in_covariance(family, n_varying);
  return static_cast<double>(k) * (of_one + 1.0) - 1.0;
}

ClusterParameters parameters_of_clusters(std::string_view family, std::size_t n_varying) {
  const double of_one = bic_parameters(family, n_varying, 1);
  return {of_one, bic_parameters(family, n_varying, 2) - of_one};
}

}  // namespace coppice::internal
