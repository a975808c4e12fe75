// SPDX-License-Identifier: BSD-3-Clause
// The shares of a mixture as parameters of greatest likelihood, N_c / N, or all alike, 1 / K. There is no prior, and
// nothing to set.
#include <algorithm>
#include <cmath>
#include <limits>

#include "partition/own_size_prior.hpp"

namespace coppice {
using namespace internal;

namespace {

double n_log_n(double n) { return n > 0.0 ? n * std::log(n) : 0.0; }

class Shares final : public OwnSizePrior {
 public:
  explicit Shares(ClusterParameters parameters) : parameters_(parameters) {}

  [[nodiscard]] std::unique_ptr<PartitionPrior> clone() const override { return std::make_unique<Shares>(parameters_); }
  [[nodiscard]] std::string_view name() const override { return "shares"; }
  [[nodiscard]] std::vector<NamedParameter> parameters() const override { return {}; }

  // An empty cluster cannot be joined.
  void offsets(std::span<const double> sizes, double total, std::span<double> out) const override {
    for (std::size_t c = 0; c < out.size(); ++c) out[c] = offset(sizes[c], total);
  }
  [[nodiscard]] double objective(std::span<const double> sizes, double total) const override {
    // -sum N_c log(N_c / N), and what the parameters cost.
    const double n_parameters = parameters_.first + parameters_.further * (static_cast<double>(sizes.size()) - 1.0);
    double sum = n_log_n(total) + price(n_parameters, total);
    for (const double size : sizes) sum -= n_log_n(size);
    return sum;
  }
  [[nodiscard]] double pair(double size_a, double size_b) const override {
    return n_log_n(size_a) + n_log_n(size_b) - n_log_n(size_a + size_b);
  }
  [[nodiscard]] double level(double total, std::size_t /*k*/) const override {
    return -price(parameters_.further, total);
  }
  [[nodiscard]] double size_term(double size) const override { return n_log_n(size); }
  [[nodiscard]] double log_share(double size, double total, std::size_t /*k*/) const override {
    return -offset(size, total);
  }
  [[nodiscard]] double log_remainder(std::span<const double> /*sizes*/, double /*total*/) const override {
    return -std::numeric_limits<double>::infinity();
  }
  [[nodiscard]] bool is_monotone() const override { return true; }

 private:
  static double offset(double size, double total) {
    return size > 0.0 ? -std::log(size / total) : std::numeric_limits<double>::infinity();
  }

  // Without parameters nothing, whatever the weight.
  static double price(double n_parameters, double total) {
    return n_parameters > 0.0 ? n_parameters / 2.0 * std::log(total) : 0.0;
  }

  ClusterParameters parameters_;
};

class EqualShares final : public OwnSizePrior {
 public:
  [[nodiscard]] std::unique_ptr<PartitionPrior> clone() const override { return std::make_unique<EqualShares>(); }
  [[nodiscard]] std::string_view name() const override { return "equal"; }
  [[nodiscard]] std::vector<NamedParameter> parameters() const override { return {}; }

  void offsets(std::span<const double> sizes, double /*total*/, std::span<double> out) const override {
    std::ranges::fill(out, log_k(sizes.size()));
  }
  [[nodiscard]] double objective(std::span<const double> sizes, double total) const override {
    return total * log_k(sizes.size());
  }
  [[nodiscard]] double pair(double /*size_a*/, double /*size_b*/) const override { return 0.0; }
  [[nodiscard]] double level(double total, std::size_t k) const override { return total * (log_k(k - 1) - log_k(k)); }
  [[nodiscard]] double size_term(double /*size*/) const override { return 0.0; }
  [[nodiscard]] double log_share(double /*size*/, double /*total*/, std::size_t k) const override { return -log_k(k); }
  [[nodiscard]] double log_remainder(std::span<const double> /*sizes*/, double /*total*/) const override {
    return -std::numeric_limits<double>::infinity();
  }
  [[nodiscard]] bool is_monotone() const override { return true; }

 private:
  static double log_k(std::size_t k) { return std::log(static_cast<double>(k)); }
};

}  // namespace

std::unique_ptr<PartitionPrior> make_shares(ClusterParameters parameters) {
  return std::make_unique<Shares>(parameters);
}

std::unique_ptr<PartitionPrior> make_equal_shares() { return std::make_unique<EqualShares>(); }

}  // namespace coppice
