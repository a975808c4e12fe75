// SPDX-License-Identifier: BSD-3-Clause
// The shares of a mixture as parameters of greatest likelihood, N_c / N, or all alike, 1 / K. There is no prior, and
// nothing to set.
#include <cmath>
#include <limits>

#include "coppice/partition/partition_prior.hpp"

namespace coppice {

namespace {

double n_log_n(double n) { return n > 0.0 ? n * std::log(n) : 0.0; }

class Shares final : public PartitionPrior {
 public:
  [[nodiscard]] std::unique_ptr<PartitionPrior> clone() const override { return std::make_unique<Shares>(); }
  [[nodiscard]] std::string_view name() const override { return "shares"; }
  [[nodiscard]] double parameter() const override { return 1.0; }

  // An empty cluster cannot be joined.
  [[nodiscard]] double offset(double size, double total, std::size_t /*k*/) const override {
    return size > 0.0 ? -std::log(size / total) : std::numeric_limits<double>::infinity();
  }
  [[nodiscard]] double objective(std::span<const double> sizes, double total) const override {
    double sum = n_log_n(total);
    for (const double size : sizes) sum -= n_log_n(size);
    return sum;
  }
  [[nodiscard]] double merge_pair(double size_a, double size_b) const override {
    return n_log_n(size_a) + n_log_n(size_b) - n_log_n(size_a + size_b);
  }
  [[nodiscard]] double merge_level(double /*total*/, std::size_t /*k*/) const override { return 0.0; }
  [[nodiscard]] double size_term(double size) const override { return n_log_n(size); }
  [[nodiscard]] double log_share(double size, double total, std::size_t k) const override {
    return -offset(size, total, k);
  }
  [[nodiscard]] double log_share_of_new(double /*total*/) const override {
    return -std::numeric_limits<double>::infinity();
  }
  [[nodiscard]] bool is_monotone() const override { return true; }
};

class EqualShares final : public PartitionPrior {
 public:
  [[nodiscard]] std::unique_ptr<PartitionPrior> clone() const override { return std::make_unique<EqualShares>(); }
  [[nodiscard]] std::string_view name() const override { return "equal"; }
  [[nodiscard]] double parameter() const override { return 1.0; }

  [[nodiscard]] double offset(double /*size*/, double /*total*/, std::size_t k) const override {
    return std::log(static_cast<double>(k));
  }
  [[nodiscard]] double objective(std::span<const double> sizes, double total) const override {
    return total * offset(0.0, total, sizes.size());
  }
  [[nodiscard]] double merge_pair(double /*size_a*/, double /*size_b*/) const override { return 0.0; }
  [[nodiscard]] double merge_level(double total, std::size_t k) const override {
    return total * (offset(0.0, total, k - 1) - offset(0.0, total, k));
  }
  [[nodiscard]] double size_term(double /*size*/) const override { return 0.0; }
  [[nodiscard]] double log_share(double size, double total, std::size_t k) const override {
    return -offset(size, total, k);
  }
  [[nodiscard]] double log_share_of_new(double /*total*/) const override {
    return -std::numeric_limits<double>::infinity();
  }
  [[nodiscard]] bool is_monotone() const override { return true; }
};

}  // namespace

std::unique_ptr<PartitionPrior> make_shares() { return std::make_unique<Shares>(); }

std::unique_ptr<PartitionPrior> make_equal_shares() { return std::make_unique<EqualShares>(); }

}  // namespace coppice
