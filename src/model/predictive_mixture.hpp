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

class NearRows;

class PredictiveMixture {
 public:
  PredictiveMixture(const Execution& execution, const Model& model, ClusterMass mass);

  // What a row has of the mixture. Components are left out whose share of its density cannot reach 2^-53 / K: together
  // they change nothing.
  struct OfRow {
    std::size_t row = 0;
    std::span<const std::int32_t> components;  // in their order
    std::span<const double> log_joint;         // log density times share of each
    double total = 0.0;                        // log density, the background's part included

    [[nodiscard]] double log_joint_of(std::int32_t component) const;  // -infinity if it was left out
  };
  // Rows in any order, on any thread.
  using Visit = std::function<void(const OfRow& of)>;
  // Row `first` and as many behind it as `near` has: for each a cluster that it is near to, such as its label, or -1.
  // So clusters far from all rows near one are known without asking about every row.
  struct Asked {
    std::size_t first = 0;
    std::span<const std::int32_t> near;
  };
  void for_each_row(const Execution& execution, const Rows& rows, const Asked& asked, const Visit& visit) const;
  // Whether it matters what rows are near to.
  [[nodiscard]] bool leaves_out() const noexcept { return bounds_ != nullptr; }

  // The clusters, and the one not seen yet as the last if there may be one.
  [[nodiscard]] const Components& components() const noexcept { return *components_; }
  [[nodiscard]] bool has_new_cluster() const noexcept { return has_new_cluster_; }
  // Their log shares; with masses of one, over the log masses.
  [[nodiscard]] std::span<const double> log_factors() const noexcept { return log_factors_; }
  // The log joint density of the background; -infinity without rows in one.
  [[nodiscard]] double background() const noexcept { return background_; }

 private:
  class Panels;

  void for_each_group(const Execution& execution, const Rows& rows, const NearRows& groups, const Visit& visit) const;

  std::unique_ptr<Components> components_;
  std::unique_ptr<PredictionBounds> bounds_;  // over boxes of rows; none if that does not pay
  std::vector<double> log_factors_;           // shares, over the masses if those are to be one
  bool has_new_cluster_;
  double background_;
};

}  // namespace coppice::internal
