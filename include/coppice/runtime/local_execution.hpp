// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Everything that work in this process needs, alive as long as the object.

#include <chrono>
#include <utility>

#include "coppice/runtime/ordered_sum.hpp"

namespace coppice {

class LocalExecution {
 public:
  explicit LocalExecution(std::size_t n_threads = 0, StopSignal stop = {})
      : pool_(n_threads), ranks_(alone_), stop_(std::move(stop)), finish_(stop_.later(time_to_finish)) {}
  // One of several processes. Keep the communicator.
  LocalExecution(std::size_t n_threads, StopSignal stop, const Communicator& ranks)
      : pool_(n_threads), ranks_(ranks), stop_(std::move(stop)), finish_(stop_.later(time_to_finish)) {}

  [[nodiscard]] Execution get() { return {pool_, ranks_, stop_}; }
  // The same threads, for finishing a result that may have been cut short: requests to stop are heeded later.
  [[nodiscard]] Execution finishing() { return {pool_, ranks_, finish_}; }

 private:
  // Writing the result has to fit into the second as well.
  static constexpr std::chrono::milliseconds time_to_finish{400};

  ThreadPool pool_;
  LocalCommunicator alone_;
  const Communicator& ranks_;
  StopSignal stop_;
  StopSignal finish_;
};

}  // namespace coppice
