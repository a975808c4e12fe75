// SPDX-License-Identifier: BSD-3-Clause
// A key is own(a) + own(b) - own(a and b), each own() a log evidence plus a term of the size
// (partition/size_terms.hpp). The first two are kept, so that a key takes one evidence of a merged pair.

#include "structure/pair_gains.hpp"

namespace coppice::internal {

PairGains::PairGains(const Components& components, const PartitionPrior& partition, StatsArena clusters)
    : components_(components),
      stats_(std::move(clusters)),
      sizes_(stats_.weights()),
      size_term_(partition, sizes_),
      evidence_(components.merged_evidence(stats_)),
      own_(stats_.size()) {
  for (std::size_t c = 0; c < own_.size(); ++c) own_[c] = evidence_->alone(c) + size_term_(sizes_[c]);
}

void PairGains::keys(Slot one, std::span<const Slot> others, double* out) const {
  evidence_->with(one, others, out);
  for (std::size_t i = 0; i < others.size(); ++i) {
    const Slot other = others[i];
    out[i] = own_[one] + own_[other] - (out[i] + size_term_(sizes_[one] + sizes_[other]));
  }
}

double PairGains::merge(Slot a, Slot b) {
  const double apart = own_[a] + own_[b];
  components_.merge(stats_[a], stats_[b]);
  set(a);
  return apart - own_[a];
}

void PairGains::restore(Slot slot, ConstStatsRef stats) {
  stats_.assign(slot, stats);
  set(slot);
}

void PairGains::set(Slot slot) {
  sizes_[slot] = stats_.weight(slot);
  evidence_->set(slot, stats_[slot]);
  own_[slot] = evidence_->alone(slot) + size_term_(sizes_[slot]);
}

}  // namespace coppice::internal
