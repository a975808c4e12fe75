// SPDX-License-Identifier: BSD-3-Clause
#include "family/log_det_merges.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace coppice::internal {

namespace {

class LogDetMerges final : public MergedEvidence {
 public:
  LogDetMerges(LogDetEvidence evidence, std::unique_ptr<MergedLogDets> log_dets, const StatsArena& stats)
      : evidence_(std::move(evidence)),
        of_weight_(stats, evidence_.of_weight),
        log_dets_(std::move(log_dets)),
        offset_(log_dets_->offset()),
        weights_(stats.size()),
        alone_(stats.size()) {
    for (std::size_t c = 0; c < stats.size(); ++c) set(c, stats[c]);
  }

  [[nodiscard]] double alone(std::size_t cluster) const override { return alone_[cluster]; }

  void with(std::size_t one, std::span<const std::uint32_t> others, double* out) const override {
    const double weight = weights_[one];
    for (std::size_t first = 0; first < others.size(); first += most_pairs) {
      const auto some = others.subspan(first, std::min(most_pairs, others.size() - first));
      double* results = out + first;
      log_dets_->find(static_cast<std::uint32_t>(one), some, results);
      for (std::size_t i = 0; i < some.size(); ++i) {
        // Kernels answer NaN where numbers leave their range. Such pairs are few, and take the careful way one by one.
        const bool is_found = !std::isnan(results[i]);
        results[i] = is_found ? evidence(weight + weights_[some[i]], results[i]) : careful(one, some[i]);
      }
    }
  }

  void set(std::size_t cluster, ConstStatsRef stats) override {
    log_dets_->set(cluster, stats);
    weights_[cluster] = stats[0];
    alone_[cluster] = evidence_.of_cluster(stats);
  }

 private:
  [[nodiscard]] double evidence(double n, double log_det) const {
    return of_weight_(n) - (evidence_.eta0 + evidence_.rate * n) / 2.0 * (log_det + offset_);
  }
  [[nodiscard]] double careful(std::size_t one, std::size_t other) const {
    const double n = weights_[one] + weights_[other];
    if (!(n > 0.0)) return 0.0;
    // The order of the two is fixed, since sums round.
    return evidence(n, log_dets_->find_carefully(std::min(one, other), std::max(one, other)));
  }

  LogDetEvidence evidence_;
  ByWeight of_weight_;
  std::unique_ptr<MergedLogDets> log_dets_;
  double offset_;
  std::vector<double> weights_;
  std::vector<double> alone_;
};

}  // namespace

std::unique_ptr<MergedEvidence> log_det_merges(LogDetEvidence evidence, std::unique_ptr<MergedLogDets> log_dets,
                                               const StatsArena& stats) {
  return std::make_unique<LogDetMerges>(std::move(evidence), std::move(log_dets), stats);
}

}  // namespace coppice::internal
