// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/discrete_priors.hpp"

#include <functional>
#include <string>

#include "coppice/family/adapter.hpp"
#include "coppice/family/bernoulli.hpp"
#include "coppice/family/multinomial.hpp"

namespace coppice {

namespace {

constexpr double paper_value = 0.1;  // [L] section 10
constexpr double least = 1e-4;
constexpr double most = 100.0;

class PseudoCountPrior final : public AdjustablePrior {
 public:
  using Make = std::function<std::unique_ptr<Components>(double)>;

  PseudoCountPrior(std::string family, const std::string& name, std::optional<double> given, Make make)
      : family_(std::move(family)),
        numbers_{{name, given.value_or(least), given.value_or(most)}},
        starts_{{given.value_or(paper_value)}},
        make_(std::move(make)) {}

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

}  // namespace

std::unique_ptr<AdjustablePrior> make_multinomial_prior(std::size_t n_columns, std::optional<double> psi0,
                                                        std::optional<double> total) {
  return std::make_unique<PseudoCountPrior>("multinomial", "psi0", psi0, [=](double value) {
    return std::make_unique<FamilyAdapter<Multinomial>>(Multinomial(n_columns, value, total));
  });
}

std::unique_ptr<AdjustablePrior> make_bernoulli_prior(std::size_t n_columns, std::optional<double> omega0) {
  return std::make_unique<PseudoCountPrior>("bernoulli", "omega0", omega0, [=](double value) {
    return std::make_unique<FamilyAdapter<Bernoulli>>(Bernoulli(n_columns, value));
  });
}

}  // namespace coppice
