// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What families share whose costs are linear in the row, a'x + b: multinomial and Bernoulli. Rows are dense or sparse,
// not negative, and have an origin of zeros.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "coppice/family/box.hpp"
#include "coppice/kernels/linear.hpp"

namespace coppice::internal {

// A cluster's cost, of which a part that all clusters share may be left out. Near-ties are measured by s = |b| +
// sum |a_d x_d|. That is cost + 2 sum_{a_d < 0} |a_d| x_d + |b| - b, so that s <= cost - tie_floor if every x_d is at
// most `most` where its coefficient is negative (tie_rule.hpp).
struct LinearCost {
  LinearCost() = default;
  LinearCost(std::vector<double> coefficients, double constant, double most);

  std::vector<double> a;
  double b = 0.0;
  double tie_floor = 0.0;

  [[nodiscard]] kernels::LinearForm form() const noexcept { return {a, b}; }
  [[nodiscard]] TieScale tie_scale() const noexcept { return {1.0, tie_floor}; }
  // The same bits for a sparse row as for the dense one.
  [[nodiscard]] ExactCost exact(std::span<const double> row) const noexcept;
  [[nodiscard]] ExactCost exact(const SparseRow& row) const noexcept;
  // a'(sums of columns) + b weight
  [[nodiscard]] double of_sums(double weight, std::span<const double> sums) const noexcept;
};

// out[form * kernels::panel_stride + row]
void linear_costs(std::span<const kernels::LinearForm> forms, RowBlock& rows, double* out);

// Finds the cheapest cluster of every row (family.hpp): dense rows by panels, sparse rows entry by entry for all
// clusters at once. It views the coefficients: keep the clusters while it is in use.
class LinearFinder {
 public:
  LinearFinder() = default;
  LinearFinder(std::vector<kernels::LinearForm> forms, std::size_t n_columns)
      : forms_(std::move(forms)), table_(forms_, n_columns) {}

  [[nodiscard]] std::optional<std::size_t> find(RowBlock& rows, const NearestQuery& query, std::int32_t* winners,
                                                std::uint32_t* doubtful) const;

 private:
  [[nodiscard]] std::size_t find_sparse(const RowBlock& rows, const NearestQuery& query, std::int32_t* winners,
                                        std::uint32_t* doubtful) const;
  [[nodiscard]] std::size_t find_dense(RowBlock& rows, const NearestQuery& query, std::int32_t* winners,
                                       std::uint32_t* doubtful) const;

  std::vector<kernels::LinearForm> forms_;
  kernels::LinearTable table_;  // for sparse rows
};

// Judges whole boxes; `total`: what the columns of every row add up to, if they all add up to the same.
[[nodiscard]] std::unique_ptr<BoxTest> linear_box_test(std::span<const kernels::LinearForm> forms,
                                                       std::span<const double> offsets, std::size_t n_columns,
                                                       std::optional<double> total = std::nullopt);

}  // namespace coppice::internal
