// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What there is to say of a fit beside what it found: how it went and why it ended. Results of every kind have one.

#include <cstddef>
#include <map>
#include <vector>

#include "coppice/infer/state.hpp"
#include "coppice/runtime/counters.hpp"
#include "coppice/runtime/stop.hpp"
#include "coppice/runtime/text.hpp"

namespace coppice {

struct FitSeconds {
  double prepare = 0.0;
  double fit = 0.0;
};

struct Account {
  bool converged = false;
  StopReason stop_reason = StopReason::converged;
  std::size_t iterations = 0;
  std::size_t threads = 1;
  std::vector<Progress> trace = {};
  // The best objective seen for every K, all of them of the rows of the table: what a search saw of a sample is not
  // here. For the number that was found, the model's objective.
  std::map<std::size_t, double> k_evidence = {};
  Counters counters = {};
  FitSeconds seconds = {};
  std::vector<Text> warnings = {};
};

}  // namespace coppice
