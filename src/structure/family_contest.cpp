// SPDX-License-Identifier: BSD-3-Clause
// Families search one after the other and not at once: all share one engine with its memory of the units, and whoever
// comes later can give up what the leader makes hopeless. The order is that of the plan.

#include "coppice/structure/family_contest.hpp"

#include <algorithm>
#include <string>

#include "coppice/runtime/error.hpp"

namespace coppice::internal {

namespace {

constexpr double close = 0.1;        // nats per row behind the leader
constexpr double very_close = 0.02;  // where clusters are many, and every family takes long

}  // namespace

FamilyContest::FamilyContest(MaximizationExpectation& me, const SearchGround& ground,
                             std::span<const std::unique_ptr<AdjustablePrior>> families, AutoSearchOptions options)
    : families_(families),
      total_weight_(ground.total_weight),
      gives_nothing_up_(ground.gives_nothing_up()),
      has_fine_start_(ground.fine && ground.fine->k > many_clusters),
      options_(options) {
  options_.has_rivals = families.size() > 1;
  for (const auto& prior : families) {
    searches_.push_back(std::make_unique<AutoSearch>(me, ground, *prior, options_, leader_));
  }
}

bool FamilyContest::is_close(const AutoSearch& search, double limit) const {
  return search.best() && search.best()->state.objective <= leader_.objective + limit * total_weight_;
}

// Many clusters are found from far above. Where they stay many, families that are still close are searched further,
// and nothing else is tried.
bool FamilyContest::has_found_many() {
  if (!has_fine_start_) return false;
  for (const auto& search : searches_) attempt([&] { search->try_fine_start(); });
  if (leader_.k <= many_clusters) return false;
  for (const auto& search : searches_) {
    if (is_close(*search, very_close)) attempt([&] { search->climb_on(); });
  }
  return true;
}

// Where wild values make the matrices of a family's clusters impossible to factor, the others go on without it: it
// keeps what it has found.
void FamilyContest::attempt(const std::function<void()>& step) {
  try {
    step();
  } catch (const NumericError&) {
    if (!options_.has_rivals) throw;
    failure_ = std::current_exception();
  }
}

void FamilyContest::run(std::span<const std::int32_t> labels) {
  compete(labels);
  const bool has_found = std::ranges::any_of(searches_, [](const auto& search) { return search->best().has_value(); });
  if (!has_found && failure_) std::rethrow_exception(failure_);
}

void FamilyContest::compete(std::span<const std::int32_t> labels) {
  if (labels.empty() && has_found_many()) return;
  for (const auto& search : searches_) {
    attempt([&] {
      if (labels.empty()) {
        search->run();
      } else {
        search->run_from(labels);
      }
    });
  }
  if (!labels.empty()) return;
  for (const auto& search : searches_) {
    if (gives_nothing_up_ || is_close(*search, close)) attempt([&] { search->polish(); });
  }
}

std::vector<RankedFamily> FamilyContest::ranking() const {
  std::vector<RankedFamily> ranking;
  for (std::size_t i = 0; i < searches_.size(); ++i) {
    if (!searches_[i]->best()) continue;
    const Found& found = *searches_[i]->best();
    ranking.push_back({families_[i].get(), found.copy()});
  }
  std::ranges::stable_sort(ranking, {},
                           [&](const RankedFamily& rank) { return standing(rank.found.state, options_.limits.k); });
  return ranking;
}

const Found* FamilyContest::found(std::string_view family) const {
  for (std::size_t i = 0; i < searches_.size(); ++i) {
    if (families_[i]->family() == family && searches_[i]->best()) return &*searches_[i]->best();
  }
  return nullptr;
}

std::vector<FamilyResult> FamilyContest::results() const {
  std::vector<FamilyResult> results;
  for (std::size_t i = 0; i < searches_.size(); ++i) {
    if (!searches_[i]->best()) continue;
    const State& state = searches_[i]->best()->state;
    results.push_back({std::string(families_[i]->family()), state.k(), state.objective});
  }
  return results;
}

}  // namespace coppice::internal
