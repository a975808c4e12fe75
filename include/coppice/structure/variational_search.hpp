// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The search for a variational Dirichlet process mixture: every family that competes under every start of its prior, by
// greedy release (greedy_release.hpp), with fits of the prior in between. The least free energy decides.

#include <memory>
#include <optional>
#include <vector>

#include "coppice/runtime/local_execution.hpp"
#include "coppice/structure/family_result.hpp"
#include "coppice/structure/greedy_release.hpp"
#include "coppice/structure/mixture_ground.hpp"
#include "coppice/structure/mixture_plan.hpp"

namespace coppice::internal {

struct VariationalOptions {
  ReleaseOptions release = {};
  bool fits_alpha2 = false;
  std::optional<FrontBudget> front = {};  // where neighbouring rows may share alike
};

// A mixture, and the model that its free energy belongs to.
struct VariationalFound {
  std::unique_ptr<Components> components;
  std::unique_ptr<PartitionPrior> partition;
  Mixture mixture;
  double bound_of_rows = 0.0;  // F where every row has shares of its own, at the same parameters
  std::shared_ptr<const MixtureGround> ground;
};

class VariationalSearch {
 public:
  // Keep all of these meanwhile.
  VariationalSearch(const MixturePlan& plan, const VariationalOptions& options, LocalExecution& local,
                    Journal& journal);

  // Stopped only if there is no mixture of all rows yet.
  void run();
  [[nodiscard]] StopReason reason() const noexcept { return reason_; }
  [[nodiscard]] const VariationalFound& found() const noexcept { return *best_; }
  [[nodiscard]] const std::vector<FamilyResult>& families() const noexcept { return families_; }
  [[nodiscard]] double prepare_seconds() const noexcept { return prepare_seconds_; }  // spent on trees

 private:
  // A prior with its numbers, and the sticks.
  struct Model {
    const AdjustablePrior& prior;
    std::vector<double> values;
    StickPrior sticks;
  };

  void search_family(const AdjustablePrior& prior);
  void search(Model model, std::uint64_t restart);
  [[nodiscard]] Mixture released(const Model& model, const std::optional<StatsArena>& start, std::uint64_t restart);
  void keep(const Model& model, const Mixture& mixture);
  [[nodiscard]] double bound_of_rows(const Execution& execution, const VariationalFound& found) const;
  // The best of a family against those of others, over all rows.
  void take_family(const Execution& execution);
  // False if that is not worth going on.
  [[nodiscard]] bool refit(Model& model, const Mixture& mixture) const;
  [[nodiscard]] StatsArena first_components(const Components& family) const;

  const MixturePlan& plan_;
  VariationalOptions options_;
  LocalExecution& local_;
  Journal& journal_;
  std::shared_ptr<MixtureGround> ground_;  // of the family that is searched
  std::optional<VariationalFound> best_of_family_;
  std::optional<VariationalFound> best_;
  std::vector<FamilyResult> families_;
  double prepare_seconds_ = 0.0;
  StopReason reason_ = StopReason::converged;
};

}  // namespace coppice::internal
