// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The predictive mixture of a model: every cluster's predictive density with its share, and that of a cluster not seen
// yet where the partition prior allows one. A background stands last: every row has the same density there, also
// outside the box that it was fitted to.

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "coppice/model/model.hpp"

namespace coppice::internal {

class PredictiveMixture {
 public:
  PredictiveMixture(const Execution& execution, const ModelParts& parts);

  // visit(row, log joint density of every component, log density); rows in any order, on any thread.
  using Visit = std::function<void(std::size_t row, std::span<const double> log_joint, double total)>;
  // Without a background that has rows, its joint density is 0.
  void for_each_row(const Execution& execution, const Rows& rows, const Visit& visit) const;

  // The log joint density of the background.
  [[nodiscard]] double background() const noexcept { return background_; }

 private:
  std::unique_ptr<Components> components_;
  std::vector<double> log_shares_;
  double background_;
};

}  // namespace coppice::internal
