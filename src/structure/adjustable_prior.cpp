// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/adjustable_prior.hpp"

namespace coppice {

namespace {

class FixedPrior final : public AdjustablePrior {
 public:
  explicit FixedPrior(std::unique_ptr<Components> components) : components_(std::move(components)) {}

  [[nodiscard]] std::string_view family() const override { return components_->family(); }
  [[nodiscard]] const std::vector<PriorNumber>& numbers() const override { return numbers_; }
  [[nodiscard]] const std::vector<std::vector<double>>& starts() const override { return starts_; }
  [[nodiscard]] std::unique_ptr<Components> at(std::span<const double> /*values*/) const override {
    return components_->clone();
  }

 private:
  std::unique_ptr<Components> components_;
  std::vector<PriorNumber> numbers_;
  std::vector<std::vector<double>> starts_{{}};
};

}  // namespace

std::unique_ptr<AdjustablePrior> make_fixed_prior(std::unique_ptr<Components> components) {
  return std::make_unique<FixedPrior>(std::move(components));
}

}  // namespace coppice
