// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/family/components.hpp"

namespace coppice {

double Components::merge_loss(ConstStatsRef a, ConstStatsRef b) const {
  std::vector<double> both(a.begin(), a.end());
  merge(both, b);
  return log_evidence(a) + log_evidence(b) - log_evidence(both);
}

}  // namespace coppice
