// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The log evidence of a Gaussian cluster of any shape, given log |f B0 + S| for multiples f of the prior's matrix
// (gaussian.hpp), and the multiple that suits it best. Suffix 0 marks the prior.

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace coppice::internal {

// log |f B0 + S| for some multiples f.
using LogDets = std::function<void(std::span<const double> multiples, double* out)>;

// The rows of a cluster. They may count by precision factors and not by 1 each (student.hpp).
struct WeighedRows {
  double weight = 0.0;
  double n = 0.0;  // rows that it is the weight of
};

class WishartEvidence {
 public:
  struct Numbers {
    std::size_t n_columns = 0;
    double xi0 = 0.0;
    double eta0 = 0.0;
    double log_det_b0 = 0.0;
    double multiples_decay = 0.0;
  };
  WishartEvidence() = default;
  // `multiples` in increasing order, or none: 1 alone.
  WishartEvidence(const Numbers& numbers, std::span<const double> multiples);

  [[nodiscard]] const Numbers& numbers() const noexcept { return numbers_; }
  [[nodiscard]] double log_multigamma0() const noexcept { return log_multigamma0_; }  // log Gamma_D(eta0 / 2)
  [[nodiscard]] double log_prior_of(double multiple) const;

  // The log evidence is the sum of both.
  [[nodiscard]] double of_any_multiple(WeighedRows rows) const;
  [[nodiscard]] double of_multiple(double multiple, double log_det, double n_rows) const;

  // A cluster at one of the multiples.
  struct AtMultiple {
    double multiple = 1.0;
    double value = 0.0;  // of_multiple()
  };
  // The best one. Log determinants may lack a part that is the same for all multiples, and so does the value then.
  [[nodiscard]] AtMultiple best(double n_rows, const LogDets& log_dets) const;

 private:
  Numbers numbers_;
  std::vector<double> multiples_;
  double log_multigamma0_ = 0.0;
  double log_sum_of_multiples_ = 0.0;  // of exp(-decay |log f|)
};

}  // namespace coppice::internal
