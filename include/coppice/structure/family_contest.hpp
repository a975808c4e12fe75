// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Several families search the same rows; the one with the lowest complete objective wins (design of `--family auto`).

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "coppice/structure/auto_search.hpp"
#include "coppice/structure/family_result.hpp"

namespace coppice::internal {

struct RankedFamily {
  const AdjustablePrior* prior;
  Found found;
};

class FamilyContest {
 public:
  FamilyContest(MaximizationExpectation& me, const SearchGround& ground,
                std::span<const std::unique_ptr<AdjustablePrior>> families, AutoSearchOptions options);

  // All families from all of their starts, or from given labels; then those that are close are searched further.
  void run(std::span<const std::int32_t> labels = {});

  // What was found, the winner first; nothing if stopped before anything was found.
  [[nodiscard]] std::vector<RankedFamily> ranking() const;
  [[nodiscard]] std::vector<FamilyResult> results() const;
  // What was found of one family, wherever it stands; null if nothing was.
  [[nodiscard]] const Found* found(std::string_view family) const;

 private:
  void compete(std::span<const std::int32_t> labels);
  void attempt(const std::function<void()>& step);
  [[nodiscard]] bool is_close(const AutoSearch& search, double limit) const;
  [[nodiscard]] bool has_found_many();

  std::span<const std::unique_ptr<AdjustablePrior>> families_;
  double total_weight_;
  bool gives_nothing_up_;
  bool has_fine_start_;  // with many clusters
  AutoSearchOptions options_;
  Leader leader_;
  std::vector<std::unique_ptr<AutoSearch>> searches_;
  std::exception_ptr failure_;  // the last, if there was one
};

}  // namespace coppice::internal
