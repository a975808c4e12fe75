// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The predictive mixture of a model: every cluster's predictive density with its share, and that of a cluster not seen
// yet where the partition prior allows one. A background stands last: every row has the same density there, also
// outside the box that it was fitted to.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "coppice/model/model.hpp"

namespace coppice::internal {

// What the density of a cluster adds up to over all rows where values are rounded: less than one, as labels and
// evidences have it, or one, so that models with other clusters compare.
enum class ClusterMass : std::uint8_t { of_evidence, one };

class PredictiveMixture {
 public:
  PredictiveMixture(const Execution& execution, const Model& model, ClusterMass mass);

  // visit(row, log joint density of every component, log density); rows in any order, on any thread.
  using Visit = std::function<void(std::size_t row, std::span<const double> log_joint, double total)>;
  // The background stands among them only if it has rows.
  void for_each_row(const Execution& execution, const Rows& rows, const Visit& visit) const {
    for_each_row(execution, rows, {0, rows.size()}, visit);
  }
  struct Range {
    std::size_t first = 0;
    std::size_t last = 0;  // behind the last row
  };
  void for_each_row(const Execution& execution, const Rows& rows, Range range, const Visit& visit) const;

  // The clusters, and the one not seen yet as the last if there may be one.
  [[nodiscard]] const Components& components() const noexcept { return *components_; }
  [[nodiscard]] bool has_new_cluster() const noexcept { return has_new_cluster_; }
  // Their log shares; with masses of one, over the log masses.
  [[nodiscard]] std::span<const double> log_factors() const noexcept { return log_factors_; }
  // The log joint density of the background; -infinity without rows in one.
  [[nodiscard]] double background() const noexcept { return background_; }

 private:
  std::unique_ptr<Components> components_;
  std::vector<double> log_factors_;  // shares, over the masses if those are to be one
  bool has_new_cluster_;
  double background_;
};

}  // namespace coppice::internal
