// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A family whose prior depends on a few numbers, so that a search can fit them to the data.

#include <cstddef>
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
  // Whether clusters of k in all of so much weight rest on data and not on the prior alone.
  [[nodiscard]] virtual bool is_trusted(double total_weight, std::size_t k) const = 0;
};

// A prior that is as it is.
[[nodiscard]] std::unique_ptr<AdjustablePrior> make_fixed_prior(std::unique_ptr<Components> components);

}  // namespace coppice
