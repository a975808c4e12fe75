// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Everything that work in this process needs, alive as long as the object.

#include <utility>

#include "coppice/runtime/ordered_sum.hpp"

namespace coppice {

class LocalExecution {
 public:
  explicit LocalExecution(std::size_t n_threads = 0, StopSignal stop = {}) : pool_(n_threads), stop_(std::move(stop)) {}

  [[nodiscard]] Execution get() { return {pool_, communicator_, stop_}; }
  // The same threads, but deaf to requests to stop: for finishing a result that was cut short.
  [[nodiscard]] Execution unstoppable() { return {pool_, communicator_, never_}; }

 private:
  ThreadPool pool_;
  LocalCommunicator communicator_;
  StopSignal stop_;
  StopSignal never_;
};

}  // namespace coppice
