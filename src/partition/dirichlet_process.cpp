// SPDX-License-Identifier: BSD-3-Clause
// Legend ([L] Eqs. 23-24): alpha = mass of the process. The law of a set partition, so that K is no index but a result.
//
// The law knows clusters of one row and more. Between 0 and 1 the gamma function rises without limit, which would be a
// reward for clusters of next to no weight: one that weighs less than a row counts as a row.
#include <algorithm>
#include <cmath>
#include <limits>

#include "coppice/kernels/special.hpp"
#include "coppice/partition/partition_prior.hpp"

namespace coppice {

namespace {

using kernels::digamma;
using kernels::log_gamma;

double n_rows(double size) { return size > 0.0 ? std::max(size, 1.0) : 0.0; }

class DirichletProcess final : public PartitionPrior {
 public:
  explicit DirichletProcess(double alpha) : alpha_(alpha) {}

  [[nodiscard]] std::unique_ptr<PartitionPrior> clone() const override {
    return std::make_unique<DirichletProcess>(alpha_);
  }
  [[nodiscard]] std::string_view name() const override { return "dp"; }
  [[nodiscard]] double parameter() const override { return alpha_; }

  // An empty cluster cannot be joined: -psi(0) is infinite.
  [[nodiscard]] double offset(double size, double total, std::size_t /*k*/) const override {
    if (size <= 0.0) return std::numeric_limits<double>::infinity();
    return digamma(n_rows(total) + alpha_) - digamma(n_rows(size));
  }
  [[nodiscard]] double objective(std::span<const double> sizes, double total) const override {
    double sum = log_gamma(n_rows(total) + alpha_) - log_gamma(alpha_);
    for (const double size : sizes) {
      if (size > 0.0) sum -= size_term(size);
    }
    return sum;
  }
  [[nodiscard]] double merge_pair(double size_a, double size_b) const override {
    return size_term(size_a) + size_term(size_b) - size_term(size_a + size_b);
  }
  [[nodiscard]] double merge_level(double /*total*/, std::size_t /*k*/) const override { return 0.0; }
  [[nodiscard]] double size_term(double size) const override {
    return size > 0.0 ? std::log(alpha_) + log_gamma(n_rows(size)) : 0.0;
  }
  [[nodiscard]] double log_share(double size, double total, std::size_t /*k*/) const override {
    return std::log(size / (total + alpha_));
  }
  [[nodiscard]] double log_share_of_new(double total) const override { return std::log(alpha_ / (total + alpha_)); }
  [[nodiscard]] bool is_monotone() const override { return false; }

 private:
  double alpha_;
};

}  // namespace

std::unique_ptr<PartitionPrior> make_dirichlet_process(double alpha) {
  return std::make_unique<DirichletProcess>(alpha);
}

}  // namespace coppice
