// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rows with labels under a family and a partition prior: what most kinds about clusterings start from.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "coppice/infer/me.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "inputs.hpp"

namespace coppice::golden {

class LabelledCase {
 public:
  // Clusters are the labels 0..k-1, empty ones among them, where k > 0, else the labels in use.
  LabelledCase(const Json& inputs, std::unique_ptr<PartitionPrior> partition, std::size_t k)
      : components_(to_components(inputs.at("family"))),
        partition_(std::move(partition)),
        rows_(to_rows(inputs.at("X"))),
        units_(rows_),
        labels_(inputs.at("z").get<std::vector<std::int32_t>>()) {
    name_clusters(k);
    stats_ = statistics(labels_);
  }
  explicit LabelledCase(const Json& inputs)
      : LabelledCase(inputs, to_partition(inputs.at("prior")), inputs.at("prior").value("K", std::size_t{0})) {}
  LabelledCase(const LabelledCase&) = delete;
  LabelledCase& operator=(const LabelledCase&) = delete;

  [[nodiscard]] Execution execution() { return execution_.get(); }
  [[nodiscard]] internal::Problem problem() const {
    return {units_, *components_, *partition_, static_cast<double>(rows_.size())};
  }
  [[nodiscard]] const Rows& rows() const noexcept { return rows_; }
  [[nodiscard]] const StatsArena& stats() const noexcept { return stats_; }
  [[nodiscard]] std::size_t k() const noexcept { return names_.size(); }
  [[nodiscard]] const std::vector<std::int32_t>& labels() const noexcept { return labels_; }  // 0..k-1
  [[nodiscard]] std::int32_t name(std::size_t cluster) const { return names_.at(cluster); }   // as in the case

  [[nodiscard]] StatsArena statistics(const std::vector<std::int32_t>& labels) {
    return statistics_of(execution_.get(), units_, *components_, labels_of(units_, labels), k());
  }

 private:
  void name_clusters(std::size_t k) {
    if (k == 0) {
      names_ = labels_;
      std::ranges::sort(names_);
      names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
    } else {
      for (std::size_t c = 0; c < k; ++c) names_.push_back(static_cast<std::int32_t>(c));
    }
    for (std::int32_t& label : labels_) {
      const auto found = std::ranges::find(names_, label);
      if (found == names_.end()) throw std::out_of_range("a label of z is not below K");
      label = static_cast<std::int32_t>(found - names_.begin());
    }
  }

  LocalExecution execution_{1};
  std::unique_ptr<Components> components_;
  std::unique_ptr<PartitionPrior> partition_;
  Rows rows_;
  Units units_;
  std::vector<std::int32_t> labels_;
  std::vector<std::int32_t> names_;
  StatsArena stats_;
};

}  // namespace coppice::golden
