// SPDX-License-Identifier: BSD-3-Clause
// The shares of a mixture at the mode of their posterior under a symmetric Dirichlet(phi0), phi0 >= 1:
//
//   pi_c = (N_c + phi0 - 1) / (N + K (phi0 - 1)).
//
// Their part of the objective is -log p(labels | pi) - log p(pi), complete.
#include <cmath>
#include <limits>

#include "coppice/kernels/special.hpp"
#include "coppice/runtime/error.hpp"
#include "partition/own_size_prior.hpp"

namespace coppice {
using namespace internal;

namespace {

using kernels::log_gamma;

// 0 log 0 = 0.
double mass_log_mass(double mass) { return mass > 0.0 ? mass * std::log(mass) : 0.0; }

class ModalShares final : public OwnSizePrior {
 public:
  explicit ModalShares(double phi0) : phi0_(phi0) {
    if (phi0 < 1.0) throw OptionError("shares have a mode if the pseudo-count of every cluster is at least 1");
  }

  [[nodiscard]] std::unique_ptr<PartitionPrior> clone() const override { return std::make_unique<ModalShares>(phi0_); }
  [[nodiscard]] std::string_view name() const override { return "modal-shares"; }
  [[nodiscard]] std::vector<NamedParameter> parameters() const override { return {{"phi0", phi0_}}; }

  void offsets(std::span<const double> sizes, double total, std::span<double> out) const override {
    for (std::size_t c = 0; c < out.size(); ++c) out[c] = -log_share(sizes[c], total, sizes.size());
  }
  [[nodiscard]] double objective(std::span<const double> sizes, double total) const override {
    double sum = of_number(total, sizes.size());
    for (const double size : sizes) sum -= size_term(size);
    return sum;
  }
  [[nodiscard]] double pair(double size_a, double size_b) const override {
    return size_term(size_a) + size_term(size_b) - size_term(size_a + size_b);
  }
  [[nodiscard]] double level(double total, std::size_t k) const override {
    return of_number(total, k - 1) - of_number(total, k);
  }
  [[nodiscard]] double size_term(double size) const override { return mass_log_mass(size + phi0_ - 1.0); }
  [[nodiscard]] double log_share(double size, double total, std::size_t k) const override {
    const double mass = size + phi0_ - 1.0;
    return mass > 0.0 ? std::log(mass / (total + static_cast<double>(k) * (phi0_ - 1.0)))
                      : -std::numeric_limits<double>::infinity();
  }
  [[nodiscard]] double log_remainder(std::span<const double> /*sizes*/, double /*total*/) const override {
    return -std::numeric_limits<double>::infinity();
  }
  [[nodiscard]] bool is_monotone() const override { return true; }

 private:
  // sum_c (N_c + phi0 - 1) log(sum) - log Gamma(K phi0) + K log Gamma(phi0)
  [[nodiscard]] double of_number(double total, std::size_t k) const {
    const auto n = static_cast<double>(k);
    return mass_log_mass(total + n * (phi0_ - 1.0)) - log_gamma(n * phi0_) + n * log_gamma(phi0_);
  }

  double phi0_;
};

}  // namespace

std::unique_ptr<PartitionPrior> make_modal_shares(double phi0) { return std::make_unique<ModalShares>(phi0); }

}  // namespace coppice
