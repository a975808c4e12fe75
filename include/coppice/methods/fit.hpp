// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a fit is asked and what it gives back.

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <type_traits>
#include <vector>

#include "coppice/assign/assigner.hpp"
#include "coppice/infer/state.hpp"
#include "coppice/methods/account.hpp"
#include "coppice/methods/describe.hpp"
#include "coppice/model/model.hpp"
#include "coppice/runtime/communicator.hpp"
#include "coppice/runtime/stop.hpp"
#include "coppice/runtime/text.hpp"
#include "coppice/structure/family_result.hpp"
#include "coppice/structure/hierarchy.hpp"

namespace coppice {

// How to run, beside the method, which stays plain data.
struct RunOptions {
  std::uint64_t threads = 0;
  std::optional<double> time_limit = {};
  Observer observer = {};          // sees every state of the fit whole, which costs time
  ProgressObserver progress = {};  // sees no more than how far it is
  std::stop_token stop = {};
  const std::atomic<bool>* interrupted = nullptr;  // a flag that a signal handler may set
  // Told once there is a clustering of all rows: from then on a request to end is answered with a result, and before
  // with Stopped, which leaves the fit. May be told again.
  std::function<void()> on_result = {};
  // Several processes that fit together, each its own rows: every one calls fit() with its part and gets the labels of
  // that, and the model of all rows. Methods that cannot do so refuse it.
  const Communicator* ranks = nullptr;
};

template <class Self, class Visit>
requires std::same_as<std::remove_const_t<Self>, RunOptions>
void describe(Self& o, Visit&& visit) {
  visit("threads", o.threads, Range::between(0, 1024),
        "threads to use; 0 means all cores. The result is the same for any number");
  visit("time_limit", o.time_limit, Range::positive(), "seconds after which the best clustering so far is returned");
}

// For methods that run in one process: OptionError if there are several.
void check_options(const RunOptions& run);

// What is left of a time limit is not nothing.
inline constexpr double least_time_limit = 1e-3;

// Who may end a run: from now on, if there is a time limit.
[[nodiscard]] StopSignal stop_signal(const RunOptions& run);

struct Fit : Account {
  Model model;
  std::vector<std::int32_t> labels = {};   // by size: cluster 0 is the largest
  std::vector<double> probabilities = {};  // how sure each label is
  bool is_k_soft = false;  // K was chosen with soft labels, since clusters overlap: the objective may prefer another
  std::map<std::string, double> criteria = {};  // by name, such as "bic": what a number of clusters is judged by
  std::vector<FamilyResult> families = {};      // that competed, in the rows that were searched
  std::optional<double> soft_bound =
      {};  // by which they and their numbers of clusters compared; none: by the objective
  std::optional<std::size_t> k_in_use = {};  // clusters that rows belong to; none: all of the model's
  std::optional<Hierarchy> hierarchy = {};
  AssignReport assign = {};
};

}  // namespace coppice
