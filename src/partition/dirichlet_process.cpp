// SPDX-License-Identifier: BSD-3-Clause
// Legend ([L] Eqs. 23-24): alpha = mass of the process. The law of a set partition, so that K is no index but a result.
//
// The law knows clusters of one row and more. Between 0 and 1 the gamma function rises without limit, which would be a
// reward for clusters of next to no weight: one that weighs less than a row counts as a row.
#include <algorithm>
#include <cmath>
#include <limits>

#include "coppice/kernels/special.hpp"
#include "partition/own_size_prior.hpp"

namespace coppice {
using namespace internal;

namespace {

using kernels::digamma;
using kernels::log_gamma;

double n_rows(double size) { return size > 0.0 ? std::max(size, 1.0) : 0.0; }

class DirichletProcess final : public OwnSizePrior {
 public:
  explicit DirichletProcess(double alpha) : alpha_(alpha) {}

  [[nodiscard]] std::unique_ptr<PartitionPrior> clone() const override {
    return std::make_unique<DirichletProcess>(alpha_);
  }
  [[nodiscard]] std::string_view name() const override { return "dp"; }
  [[nodiscard]] std::vector<NamedParameter> parameters() const override { return {{"alpha", alpha_}}; }

  // An empty cluster cannot be joined: -psi(0) is infinite.
  void offsets(std::span<const double> sizes, double total, std::span<double> out) const override {
    const double of_all = digamma(n_rows(total) + alpha_);
    for (std::size_t c = 0; c < out.size(); ++c) {
      out[c] = sizes[c] > 0.0 ? of_all - digamma(n_rows(sizes[c])) : std::numeric_limits<double>::infinity();
    }
  }
  [[nodiscard]] double objective(std::span<const double> sizes, double total) const override {
    double sum = log_gamma(n_rows(total) + alpha_) - log_gamma(alpha_);
    for (const double size : sizes) {
      if (size > 0.0) sum -= size_term(size);
    }
    return sum;
  }
  [[nodiscard]] double pair(double size_a, double size_b) const override {
    return size_term(size_a) + size_term(size_b) - size_term(size_a + size_b);
  }
  // Each cluster pays log alpha in its size term: the number of clusters costs nothing by itself.
  [[nodiscard]] double level(double /*total*/, std::size_t /*k*/) const override { return 0.0; }
  [[nodiscard]] double size_term(double size) const override {
    return size > 0.0 ? std::log(alpha_) + log_gamma(n_rows(size)) : 0.0;
  }
  [[nodiscard]] double log_share(double size, double total, std::size_t /*k*/) const override {
    return std::log(size / (total + alpha_));
  }
  [[nodiscard]] double log_remainder(std::span<const double> /*sizes*/, double total) const override {
    return std::log(alpha_ / (total + alpha_));
  }
  // When a cluster dies F may rise (docs/errata.md, 8): log Gamma is convex, and the linear bound of a sweep holds only
  // while a cluster lives.
  [[nodiscard]] bool is_monotone() const override { return false; }

 private:
  double alpha_;
};

}  // namespace

std::unique_ptr<PartitionPrior> make_dirichlet_process(double alpha) {
  return std::make_unique<DirichletProcess>(alpha);
}

}  // namespace coppice
