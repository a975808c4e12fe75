// SPDX-License-Identifier: BSD-3-Clause
// Pseudo-counts of multinomial and Bernoulli clusters. Searches take the same count for every column; agglomeration,
// whose clusters begin as single rows, centres them at the rates of the whole table.

#include "coppice/structure/discrete_priors.hpp"

#include <cstdint>
#include <functional>
#include <numeric>
#include <string>

#include "coppice/assign/naive.hpp"
#include "coppice/family/adapter.hpp"
#include "coppice/family/bernoulli.hpp"
#include "coppice/family/multinomial.hpp"

namespace coppice::internal {

namespace {

constexpr double symmetric_start = 0.1;  // the paper's value, [L] section 10
constexpr double centred_start = 1.0;
constexpr double least = 1e-4;
constexpr double most = 100.0;
constexpr double half = 0.5;  // a count, for every possibility

class PseudoCountPrior final : public AdjustablePrior {
 public:
  using Make = std::function<std::unique_ptr<Components>(double)>;

  PseudoCountPrior(std::string family, PriorNumber number, double first, Make make)
      : family_(std::move(family)), numbers_{std::move(number)}, starts_{{first}}, make_(std::move(make)) {}

  [[nodiscard]] std::string_view family() const override { return family_; }
  [[nodiscard]] const std::vector<PriorNumber>& numbers() const override { return numbers_; }
  [[nodiscard]] const std::vector<std::vector<double>>& starts() const override { return starts_; }
  [[nodiscard]] std::unique_ptr<Components> at(std::span<const double> values) const override {
    return make_(values.front());
  }

 private:
  std::string family_;
  std::vector<PriorNumber> numbers_;
  std::vector<std::vector<double>> starts_;
  Make make_;
};

PriorNumber number(const char* name, std::optional<double> given) {
  return {name, given.value_or(least), given.value_or(most)};
}

// Weight and sums of the columns of all rows, in the statistics of a family of any prior.
template <class F>
std::vector<double> statistics_of_all(const Execution& execution, const Rows& rows) {
  const FamilyAdapter<F> components(F(rows.n_columns(), 1.0));
  const std::vector<std::int32_t> labels(rows.size(), 0);
  const Units units(rows);
  const StatsArena stats = statistics_of_list(execution, Subset(units), components, labels, 1);
  return {stats[0].begin(), stats[0].end()};
}

}  // namespace

std::unique_ptr<AdjustablePrior> make_multinomial_prior(std::size_t n_columns, std::optional<double> psi0,
                                                        std::optional<double> total) {
  return std::make_unique<PseudoCountPrior>(
      "multinomial", number("psi0", psi0), psi0.value_or(symmetric_start),
      [=](double value) { return std::make_unique<FamilyAdapter<Multinomial>>(Multinomial(n_columns, value, total)); });
}

std::unique_ptr<AdjustablePrior> make_bernoulli_prior(std::size_t n_columns, std::optional<double> omega0) {
  return std::make_unique<PseudoCountPrior>(
      "bernoulli", number("omega0", omega0), omega0.value_or(symmetric_start),
      [=](double value) { return std::make_unique<FamilyAdapter<Bernoulli>>(Bernoulli(n_columns, value)); });
}

std::unique_ptr<AdjustablePrior> make_centred_multinomial_prior(std::vector<double> rates,
                                                                std::optional<double> total) {
  return std::make_unique<PseudoCountPrior>(
      "multinomial", number("psi0", {}), centred_start, [rates = std::move(rates), total](double value) {
        std::vector<double> psi0 = rates;
        for (double& of_column : psi0) of_column *= value * static_cast<double>(rates.size());
        return std::make_unique<FamilyAdapter<Multinomial>>(Multinomial(psi0, total));
      });
}

std::unique_ptr<AdjustablePrior> make_centred_bernoulli_prior(std::vector<double> rates) {
  return std::make_unique<PseudoCountPrior>("bernoulli", number("omega0", {}), centred_start,
                                            [rates = std::move(rates)](double value) {
                                              std::vector<BetaCounts> prior;
                                              prior.reserve(rates.size());
                                              for (const double rate : rates)
                                                prior.push_back({2.0 * value * (1.0 - rate), 2.0 * value * rate});
                                              return std::make_unique<FamilyAdapter<Bernoulli>>(Bernoulli(prior));
                                            });
}

std::vector<double> count_rates(const Execution& execution, const Rows& rows) {
  const std::vector<double> stats = statistics_of_all<Multinomial>(execution, rows);
  std::vector<double> rates(stats.begin() + 1, stats.end() - 1);
  // Half a count more everywhere: a column that never occurs would have a pseudo-count of 0.
  const double total = std::accumulate(rates.begin(), rates.end(), half * static_cast<double>(rates.size()));
  for (double& rate : rates) rate = (rate + half) / total;
  return rates;
}

std::vector<double> bit_rates(const Execution& execution, const Rows& rows) {
  const std::vector<double> stats = statistics_of_all<Bernoulli>(execution, rows);
  std::vector<double> rates(stats.begin() + 1, stats.end());
  for (double& rate : rates) rate = (rate + half) / (stats.front() + 2.0 * half);
  return rates;
}

}  // namespace coppice::internal
