// SPDX-License-Identifier: BSD-3-Clause
// Legend ([V] section 4): v_i ~ Beta(a_i, b_i) = what component i takes of what is left, a_i = alpha1 + N_i, b_i =
// alpha2 + the mass behind it; psi = digamma.
//
// As a prior over partitions components stand in order of size, which is the best of all orders for any alpha1 > 0
// ([V] section 5; docs/errata.md): the sticks follow from the sizes alone. What the sizes lack of the total is the mass
// of components beyond T. Where a stick is broken T times at most, that order is the best for alpha1 >= alpha2.
#include "coppice/partition/sticks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "coppice/kernels/special.hpp"
#include "coppice/partition/partition_prior.hpp"

namespace coppice {

namespace internal {

namespace {

using kernels::digamma;
using kernels::log_gamma;

double log_beta(double a, double b) { return log_gamma(a) + log_gamma(b) - log_gamma(a + b); }

}  // namespace

std::vector<Stick> sticks_of(const StickPrior& prior, std::span<const double> sizes, double behind) {
  std::vector<Stick> sticks(sizes.size());
  // From the last: what is behind a stick is everything after it.
  for (std::size_t i = sizes.size(); i-- > 0;) {
    sticks[i] = {prior.alpha1 + sizes[i], prior.alpha2 + behind};
    behind += sizes[i];
  }
  return sticks;
}

StickWeights expected_log_weights(std::span<const Stick> sticks) {
  StickWeights weights;
  for (const Stick& stick : sticks) {
    const double of_both = digamma(stick.a + stick.b);
    weights.of_components.push_back(weights.of_rest + digamma(stick.a) - of_both);
    weights.of_rest += digamma(stick.b) - of_both;
  }
  return weights;
}

StickWeights log_expected_weights(std::span<const Stick> sticks) {
  StickWeights weights;
  for (const Stick& stick : sticks) {
    const double of_both = std::log(stick.a + stick.b);
    weights.of_components.push_back(weights.of_rest + std::log(stick.a) - of_both);
    weights.of_rest += std::log(stick.b) - of_both;
  }
  return weights;
}

double log_tail(const StickPrior& prior) {
  const double of_both = digamma(prior.alpha1 + prior.alpha2);
  // Beyond T the score falls by this per component, a geometric series: sum = first / (1 - e^t), and log(1 - e^t) by
  // expm1, which keeps its digits where t is near 0 (the closed form of docs/errata.md, 22).
  const double per_component = digamma(prior.alpha2) - of_both;  // < 0
  return digamma(prior.alpha1) - of_both - std::log(-std::expm1(per_component));
}

double log_tail_of(const StickPrior& prior, std::size_t n) {
  const double of_both = digamma(prior.alpha1 + prior.alpha2);
  const double per_component = digamma(prior.alpha2) - of_both;
  const double of_last = static_cast<double>(n - 1) * per_component;  // which has no part to take
  if (n == 1) return of_last;
  const double of_others = log_tail(prior) + std::log(-std::expm1(of_last));  // a geometric series that ends
  return std::max(of_last, of_others) + std::log1p(std::exp(-std::abs(of_last - of_others)));
}

double kl_to_prior(std::span<const Stick> sticks, const StickPrior& prior) {
  double sum = 0.0;
  for (const auto& [a, b] : sticks) {
    sum += log_beta(prior.alpha1, prior.alpha2) - log_beta(a, b) + (a - prior.alpha1) * digamma(a) +
           (b - prior.alpha2) * digamma(b) + (prior.alpha1 + prior.alpha2 - a - b) * digamma(a + b);
  }
  return sum;
}

namespace {

// Sizes in the order of the sticks, and what is behind them.
struct InOrder {
  std::vector<std::size_t> clusters;
  std::vector<double> sizes;
  double behind = 0.0;
};

InOrder by_size(std::span<const double> sizes, double total) {
  InOrder result{std::vector<std::size_t>(sizes.size()), {}, total};
  std::iota(result.clusters.begin(), result.clusters.end(), std::size_t{0});
  std::ranges::stable_sort(result.clusters, std::ranges::greater{}, [&](std::size_t c) { return sizes[c]; });
  for (const std::size_t cluster : result.clusters) result.sizes.push_back(sizes[cluster]);
  for (const double size : result.sizes) result.behind -= size;
  // Sizes that are sums of shares may exceed the total by rounding.
  result.behind = std::max(0.0, result.behind);
  return result;
}

// Broken without end, or so many times at most.
class Sticks final : public PartitionPrior {
 public:
  Sticks(StickPrior prior, std::optional<std::size_t> most) : prior_(prior), most_(most) {}

  [[nodiscard]] std::unique_ptr<PartitionPrior> clone() const override {
    return std::make_unique<Sticks>(prior_, most_);
  }
  [[nodiscard]] std::string_view name() const override { return most_ ? "truncated-sticks" : "sticks"; }
  [[nodiscard]] std::vector<NamedParameter> parameters() const override {
    std::vector<NamedParameter> parameters{{"alpha1", prior_.alpha1}, {"alpha2", prior_.alpha2}};
    if (most_) parameters.push_back({"truncation", static_cast<double>(*most_)});
    return parameters;
  }

  void offsets(std::span<const double> sizes, double total, std::span<double> out) const override {
    const InOrder order = by_size(sizes, total);
    take(order, expected_log_weights(sticks(order)), out);
    for (double& value : out) value = -value;
  }
  [[nodiscard]] double remainder_offset(std::span<const double> sizes, double total) const override {
    if (is_last(sizes.size())) return std::numeric_limits<double>::infinity();
    return -expected_log_weights(sticks(by_size(sizes, total))).of_rest - tail_behind(sizes.size());
  }
  // Labels behind those seen are as is best for them.
  [[nodiscard]] double objective(std::span<const double> sizes, double total) const override {
    const InOrder order = by_size(sizes, total);
    double sum = is_last(sizes.size()) ? 0.0 : -order.behind * tail_behind(sizes.size());
    for (const auto& [a, b] : sticks(order)) sum += log_beta(prior_.alpha1, prior_.alpha2) - log_beta(a, b);
    return sum;
  }
  void log_shares(std::span<const double> sizes, double total, std::span<double> out) const override {
    const InOrder order = by_size(sizes, total);
    take(order, log_expected_weights(sticks(order)), out);
  }
  [[nodiscard]] double log_remainder(std::span<const double> sizes, double total) const override {
    if (is_last(sizes.size())) return -std::numeric_limits<double>::infinity();
    return log_expected_weights(sticks(by_size(sizes, total))).of_rest;
  }
  // With an end, the order of sizes is not the best for all parameters (see above): reordering may raise F.
  [[nodiscard]] bool is_monotone() const override { return !most_; }

 private:
  // Whether so many clusters leave nothing behind them.
  [[nodiscard]] bool is_last(std::size_t k) const { return most_ && k >= *most_; }
  [[nodiscard]] double tail_behind(std::size_t k) const {
    return most_ ? log_tail_of(prior_, *most_ - k) : log_tail(prior_);
  }
  // One less than there are clusters if the last takes what is left.
  [[nodiscard]] std::vector<Stick> sticks(const InOrder& order) const {
    if (!is_last(order.sizes.size()) || order.sizes.empty()) return sticks_of(prior_, order.sizes, order.behind);
    return sticks_of(prior_, std::span(order.sizes).first(order.sizes.size() - 1), order.sizes.back());
  }
  static void take(const InOrder& order, const StickWeights& weights, std::span<double> out) {
    for (std::size_t i = 0; i < order.clusters.size(); ++i) {
      const double weight = i < weights.of_components.size() ? weights.of_components[i] : weights.of_rest;
      if (order.clusters[i] < out.size()) out[order.clusters[i]] = weight;
    }
  }

  StickPrior prior_;
  std::optional<std::size_t> most_;
};

}  // namespace

std::unique_ptr<PartitionPrior> make_truncated_sticks(double alpha1, double alpha2, std::size_t most) {
  return std::make_unique<Sticks>(StickPrior{alpha1, alpha2}, most);
}

}  // namespace internal

std::unique_ptr<PartitionPrior> make_sticks(double alpha1, double alpha2) {
  return std::make_unique<internal::Sticks>(internal::StickPrior{alpha1, alpha2}, std::nullopt);
}

}  // namespace coppice
