// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/evaluate/adjusted_mutual_information.hpp"

#include "evaluate/expected_mutual_information.hpp"
#include "evaluate/mutual_information.hpp"

namespace coppice::evaluate {

namespace {

// One group, or every row a group of its own: shuffling the rows does not change such a partition.
bool is_trivial(std::size_t k, std::size_t n_rows) { return k < 2 || k == n_rows; }

}  // namespace

// AMI = (MI - E[MI]) / ((H1 + H2) / 2 - E[MI]).
double adjusted_mutual_information(const Contingency& table) {
  // If either labeling is trivial then MI = E[MI] exactly. The score is 0, or 1 if both are the same trivial
  // partition (0/0); in floating point it would be noise.
  if (is_trivial(table.k(), table.n_rows) || is_trivial(table.k_truth(), table.n_rows)) {
    return table.k() == table.k_truth() ? 1.0 : 0.0;
  }
  const double expected = expected_mutual_information(table.cluster_sizes, table.truth_sizes, table.n_rows);
  return (mutual_information(table) - expected) / (mean_entropy(table) - expected);
}

double adjusted_mutual_information(std::span<const std::int32_t> labels, std::span<const std::int32_t> truth) {
  return adjusted_mutual_information(contingency(labels, truth));
}

}  // namespace coppice::evaluate
