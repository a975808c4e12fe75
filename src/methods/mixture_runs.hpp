// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The runs of one mixture fit: one for every number of clusters and every restart, of which the best survives, also
// where a stop cuts them short.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "coppice/infer/state.hpp"
#include "coppice/methods/gaussian_mixture.hpp"
#include "coppice/runtime/ordered_sum.hpp"

namespace coppice {

// -log-likelihood + (parameters / 2) log N, where the parameters are means, (co)variances and shares.
[[nodiscard]] double mixture_bic(const GaussianMixtureEm& method, std::size_t n_columns, std::size_t k,
                                 double objective, double total_weight);

// What is run: soft or hard EM.
struct MixtureEngine {
  std::function<State(std::span<const std::int32_t>)> from_labels;
  std::function<void(State&)> converge;  // reports the start first
};

class MixtureRuns {
 public:
  MixtureRuns(const Execution& execution, const GaussianMixtureEm& method, const Rows& rows, double total_weight,
              MixtureEngine engine)
      : execution_(execution), method_(method), rows_(rows), total_weight_(total_weight), engine_(std::move(engine)) {}

  // Why the run that found `best` ended; `best` stays empty if not even the first start was evaluated.
  StopReason run(std::optional<State>& best);

 private:
  StopReason run_once(State& state, std::size_t k, std::uint64_t restart);
  [[nodiscard]] std::vector<std::int32_t> first_labels(std::size_t k, std::uint64_t restart);
  // What columns are taken times for a start, to be of one size: where clusters mind no column's unit, starts do not.
  [[nodiscard]] const std::vector<double>& factors();
  // Smaller is better: the objective for one number of clusters, BIC for several.
  [[nodiscard]] double rank(const State& state) const;

  const Execution& execution_;
  const GaussianMixtureEm& method_;
  const Rows& rows_;
  double total_weight_;
  MixtureEngine engine_;
  std::optional<std::vector<double>> factors_;
};

}  // namespace coppice
