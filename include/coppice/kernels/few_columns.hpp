// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rows of one to four columns, taken straight from where they are stored: everything that is known of a row stays in
// registers, and no panel is filled. A leaf of a tree has so few rows that anything else would cost more than the
// arithmetic.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/kernels/argmin.hpp"
#include "coppice/kernels/quadratic.hpp"

namespace coppice::kernels {

inline constexpr std::size_t most_few_columns = 4;

// Quadratic forms (quadratic.hpp), of which some compete for rows.
class FewForms {
 public:
  FewForms() = default;
  explicit FewForms(std::size_t n_columns) : n_columns_(n_columns) {}
  void append(const QuadraticForm& form);

  struct Query {
    StoredRows rows;                          // without an index
    std::span<const std::int32_t> competing;  // at least one
    std::span<const double> offsets;          // of all forms
    DoubtLimits limits;
  };
  // The form of least value + offset for every row; among equals the one that comes first. Lists the rows whose winner
  // is in doubt and returns how many there are. Both arrays have room for all rows.
  std::size_t nearest(const Query& query, std::int32_t* winners, std::uint32_t* doubtful) const noexcept;

  // Every form in a record of its own: m, the lower triangle of W row by row, a.
  struct Table {
    const double* records = nullptr;
    std::size_t n_columns = 0;
  };

 private:
  std::size_t n_columns_ = 0;
  std::vector<double> records_;
};

// As panel_moments (moments.hpp), for rows without an index: summed weight, mean and scatter about the mean. Rows of
// weight 0 leave no trace.
double few_moments(const StoredRows& rows, std::span<const double> weights, std::span<double> mean,
                   std::span<double> packed_scatter) noexcept;

}  // namespace coppice::kernels
