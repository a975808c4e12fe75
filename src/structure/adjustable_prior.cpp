// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/adjustable_prior.hpp"

#include <numeric>

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

// Makes the family anew for all values.
class EvidenceOfFamily final : public EvidenceOfPrior {
 public:
  EvidenceOfFamily(const AdjustablePrior& prior, const StatsArena& clusters) : prior_(prior), clusters_(clusters) {}

  [[nodiscard]] double at(const Execution& execution, std::span<const double> values) override {
    const std::vector<double> of_clusters = prior_.at(values)->log_evidences(execution, clusters_);
    return std::accumulate(of_clusters.begin(), of_clusters.end(), 0.0);
  }

 private:
  const AdjustablePrior& prior_;
  const StatsArena& clusters_;
};

}  // namespace

std::unique_ptr<EvidenceOfPrior> AdjustablePrior::evidence_of(const Execution& /*execution*/,
                                                              const StatsArena& clusters) const {
  return std::make_unique<EvidenceOfFamily>(*this, clusters);
}

std::unique_ptr<AdjustablePrior> make_fixed_prior(std::unique_ptr<Components> components) {
  return std::make_unique<FixedPrior>(std::move(components));
}

}  // namespace coppice
