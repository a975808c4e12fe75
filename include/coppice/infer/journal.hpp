// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a fit writes down on its way, whatever engines and searches it is made of: the trace, the best objective of
// every number of clusters, counters, iterations against their limit, and the clock. Observers are told from here
// alone, so that they see the same of every method.
//
//   Journal journal({.observer = show, .max_iterations = 300});
//   MaximizationExpectation me(execution, problem, journal);
//   me.converge(state);
//   journal.trace();

#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "coppice/family/components.hpp"
#include "coppice/infer/state.hpp"
#include "coppice/partition/partition_prior.hpp"
#include "coppice/runtime/clock.hpp"
#include "coppice/runtime/counters.hpp"
#include "coppice/runtime/stop.hpp"

namespace coppice::internal {

struct JournalOptions {
  Observer observer = {};                // sees whole states
  ProgressObserver progress = {};        // sees how far the fit is
  std::function<void()> on_result = {};  // called for states that are results (Journal::states_are_results)
  std::size_t max_iterations = std::numeric_limits<std::size_t>::max();  // of one search
};

class Journal {
 public:
  Journal() = default;
  explicit Journal(JournalOptions options) : options_(std::move(options)) {}
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // Iterations count anew against their limit.
  void begin_search() noexcept { search_start_ = iterations_; }
  // Stopped if this search has had all its iterations.
  void check_iterations() const;
  void count_iteration() noexcept { ++iterations_; }

  // Whether somebody looks at whole states: engines that need no labels to go on make them only then.
  [[nodiscard]] bool has_observer() const noexcept { return static_cast<bool>(options_.observer); }
  // The model of all states that are reported from here on; observers see it in them. Costs nothing without any.
  void set_model(const Components& family, const PartitionPrior& partition);
  // Where the fit is: what the next entry of the trace begins with.
  [[nodiscard]] Progress now(std::string phase, std::size_t k, double objective) const;
  // An entry of the trace that nobody is shown.
  void note(Progress step) { trace_.push_back(std::move(step)); }
  // Shows a state; Stopped if that was enough. A state shown to an observer must be whole.
  void show(State& state) const;
  // Notes where the state is, its objective as evidence for its number of clusters, and shows it.
  void report(State& state, const char* phase);
  // The same for a state that says itself where it is, and is no evidence.
  void report(State& state);

  // Whether the states of all reports from here on are of all rows, whatever becomes of them, ...
  void states_are_of_all_rows(bool are) noexcept { are_of_all_rows_ = are; }
  [[nodiscard]] bool are_states_of_all_rows() const noexcept { return are_of_all_rows_; }
  // ... and clusterings that a fit may return.
  void states_are_results(bool are) noexcept { are_results_ = are; }
  // There is a clustering of all rows.
  void tell_of_result() const;
  // Asked at every report before anybody sees it; may throw Stopped. Nobody is asked if empty.
  void set_guard(std::function<void(const State&)> guard) { guard_ = std::move(guard); }

  // An objective that was computed without visiting the state.
  void note_evidence(std::size_t k, double objective);
  // Whether objectives from here on are evidence for numbers of clusters: those of a sample, or of rows that weigh less
  // than they should, compare with nothing else.
  void count_as_evidence(bool counts) noexcept { counts_as_evidence_ = counts; }
  // Nor are those of states with a cluster lighter than this, which no fit may return.
  void count_no_lighter(double min_size) noexcept { least_size_ = min_size; }
  [[nodiscard]] bool may_count(const StatsArena& clusters) const;
  void forget_evidence() noexcept { k_evidence_.clear(); }

  [[nodiscard]] Counters& counters() noexcept { return counters_; }
  [[nodiscard]] const Counters& counters() const noexcept { return counters_; }
  [[nodiscard]] std::size_t iterations() const noexcept { return iterations_; }
  [[nodiscard]] double seconds() const { return watch_.seconds(); }
  [[nodiscard]] const std::vector<Progress>& trace() const noexcept { return trace_; }
  // The best of every number of clusters.
  [[nodiscard]] const std::map<std::size_t, double>& k_evidence() const noexcept { return k_evidence_; }

 private:
  JournalOptions options_;
  std::function<void(const State&)> guard_;
  std::shared_ptr<const StateModel> model_;
  Stopwatch watch_;
  std::size_t iterations_ = 0;
  std::size_t search_start_ = 0;  // the iteration at which the present search began
  Counters counters_;
  std::vector<Progress> trace_;
  std::map<std::size_t, double> k_evidence_;
  bool counts_as_evidence_ = true;
  double least_size_ = 0.0;
  bool are_of_all_rows_ = true;
  bool are_results_ = false;
};

}  // namespace coppice::internal
