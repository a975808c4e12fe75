// SPDX-License-Identifier: BSD-3-Clause
// Legend ([L] Eqs. 15-20): phi0 = pseudo-count of every cluster; weights ~ Dirichlet(phi0, ..., phi0), integrated out.
#include <cmath>
#include <limits>

#include "coppice/kernels/special.hpp"
#include "partition/own_size_prior.hpp"

namespace coppice {
using namespace internal;

namespace {

using kernels::digamma;
using kernels::log_gamma;

class Dirichlet final : public OwnSizePrior {
 public:
  explicit Dirichlet(double phi0) : phi0_(phi0) {}

  [[nodiscard]] std::unique_ptr<PartitionPrior> clone() const override { return std::make_unique<Dirichlet>(phi0_); }
  [[nodiscard]] std::string_view name() const override { return "dirichlet"; }
  [[nodiscard]] std::vector<NamedParameter> parameters() const override { return {{"phi0", phi0_}}; }

  void offsets(std::span<const double> sizes, double total, std::span<double> out) const override {
    // -E[log weight] of each cluster, complete: psi of the total is the same for all (docs/errata.md, 5).
    const double of_all = digamma(total + static_cast<double>(sizes.size()) * phi0_);
    for (std::size_t c = 0; c < out.size(); ++c) out[c] = of_all - digamma(phi0_ + sizes[c]);
  }
  [[nodiscard]] double objective(std::span<const double> sizes, double total) const override {
    // Labelled clusters ([L] Eq. 19; docs/errata.md, 6): empty ones count by their number.
    double sum = normalizer(total, sizes.size());
    for (const double size : sizes) sum -= log_gamma(phi0_ + size) - log_gamma(phi0_);
    return sum;
  }
  [[nodiscard]] double pair(double size_a, double size_b) const override {
    return log_gamma(phi0_ + size_a) + log_gamma(phi0_ + size_b) - log_gamma(phi0_ + size_a + size_b) -
           log_gamma(phi0_);
  }
  [[nodiscard]] double level(double total, std::size_t k) const override {
    // The same for all pairs at one level: left out of keys, added when a merge is made.
    return normalizer(total, k - 1) - normalizer(total, k);
  }
  [[nodiscard]] double size_term(double size) const override { return log_gamma(phi0_ + size) - log_gamma(phi0_); }
  [[nodiscard]] double log_share(double size, double total, std::size_t k) const override {
    return std::log((phi0_ + size) / (total + static_cast<double>(k) * phi0_));
  }
  [[nodiscard]] double log_remainder(std::span<const double> /*sizes*/, double /*total*/) const override {
    return -std::numeric_limits<double>::infinity();
  }
  [[nodiscard]] bool is_monotone() const override { return true; }

 private:
  [[nodiscard]] double normalizer(double total, std::size_t k) const {
    const double mass = static_cast<double>(k) * phi0_;
    return log_gamma(total + mass) - log_gamma(mass);
  }

  double phi0_;
};

}  // namespace

std::unique_ptr<PartitionPrior> make_dirichlet(double phi0) { return std::make_unique<Dirichlet>(phi0); }

}  // namespace coppice
