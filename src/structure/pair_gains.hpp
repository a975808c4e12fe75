// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The gain of merging two clusters, less the part that is the same for all pairs, as the key of a pair.

#include <memory>
#include <vector>

#include "coppice/family/components.hpp"
#include "coppice/partition/size_terms.hpp"
#include "coppice/structure/closest_pairs.hpp"

namespace coppice::internal {

class PairGains final : public PairKeys {
 public:
  // Keep family and prior while this is in use.
  PairGains(const Components& components, const PartitionPrior& partition, StatsArena clusters);

  void keys(Slot one, std::span<const Slot> others, double* out) const override;

  [[nodiscard]] double log_evidence(Slot slot) const { return evidence_->alone(slot); }
  [[nodiscard]] const std::vector<double>& sizes() const noexcept { return sizes_; }
  [[nodiscard]] std::vector<double> statistics(Slot slot) const { return {stats_[slot].begin(), stats_[slot].end()}; }

  // Slot a holds both from now on; returns the gain.
  double merge(Slot a, Slot b);
  // Puts back what a slot held before.
  void restore(Slot slot, ConstStatsRef stats);

 private:
  void set(Slot slot);

  const Components& components_;
  StatsArena stats_;
  std::vector<double> sizes_;
  SizeTerms size_term_;
  std::unique_ptr<MergedEvidence> evidence_;
  std::vector<double> own_;  // log evidence and size term of every cluster by itself
};

}  // namespace coppice::internal
