// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A family whose prior depends on a few numbers, so that a search can fit them to the data.

#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coppice/family/components.hpp"

namespace coppice {

struct PriorNumber {
  std::string name;
  double low = 0.0;  // positive; equal to high: not to be fitted
  double high = 0.0;
};

// The log evidence of clusters whose rows stay, as the prior's numbers change: what a fit of the prior asks for again
// and again.
class EvidenceOfPrior {
 public:
  EvidenceOfPrior() = default;
  EvidenceOfPrior(const EvidenceOfPrior&) = delete;
  EvidenceOfPrior& operator=(const EvidenceOfPrior&) = delete;
  virtual ~EvidenceOfPrior() = default;

  // Of all clusters together, with the prior at these values.
  [[nodiscard]] virtual double at(const Execution& execution, std::span<const double> values) = 0;
};

class AdjustablePrior {
 public:
  AdjustablePrior() = default;
  AdjustablePrior(const AdjustablePrior&) = delete;
  AdjustablePrior& operator=(const AdjustablePrior&) = delete;
  virtual ~AdjustablePrior() = default;

  [[nodiscard]] virtual std::string_view family() const = 0;
  [[nodiscard]] virtual const std::vector<PriorNumber>& numbers() const = 0;
  // Values to start searches from, the best guess first.
  [[nodiscard]] virtual const std::vector<std::vector<double>>& starts() const = 0;
  // The family with the prior at these values, one for each number.
  [[nodiscard]] virtual std::unique_ptr<Components> at(std::span<const double> values) const = 0;
  // Keep the prior and the clusters while it is in use.
  [[nodiscard]] virtual std::unique_ptr<EvidenceOfPrior> evidence_of(const Execution& execution,
                                                                     const StatsArena& clusters) const;
  // How many clusters in rows of so much weight rest on data and not on the prior alone: beside other families, no more
  // are believed.
  [[nodiscard]] virtual std::size_t most_clusters(double /*total_weight*/) const {
    return std::numeric_limits<std::size_t>::max();
  }
};

// A prior that is as it is.
[[nodiscard]] std::unique_ptr<AdjustablePrior> make_fixed_prior(std::unique_ptr<Components> components);

}  // namespace coppice
