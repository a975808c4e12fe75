// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How a fit runs: its threads, its other processes, and who may stop it. What runs on the threads goes through one of
// three loops: ordered_sum (sums over rows), for_each_block (rows) and for_each_task (anything else);
// scripts/check-loops rejects other uses of the pool.

#include <cstddef>

#include "coppice/runtime/communicator.hpp"
#include "coppice/runtime/stop.hpp"
#include "coppice/runtime/thread_pool.hpp"

namespace coppice {

struct Execution {
  ThreadPool& pool;
  const Communicator& communicator;
  const StopSignal& stop;

  // Workers of a loop are numbered 0..n_threads() - 1.
  [[nodiscard]] std::size_t n_threads() const noexcept { return pool.n_threads(); }

  // The same threads and processes, for what has to be done whoever asks to stop.
  [[nodiscard]] Execution unstoppable() const {
    static const StopSignal never;
    return {pool, communicator, never};
  }

  // The same threads, for what this process does by itself. If it is one of several, nobody stops it there.
  [[nodiscard]] Execution alone() const {
    static const LocalCommunicator local;
    return {pool, local, communicator.is_alone() ? stop : unstoppable().stop};
  }
};

// For loops of one process. Of several, all hear of a stop together, in their next ordered sum: one that left a loop by
// itself would be missed there.
inline void throw_if_stopped(const Execution& execution) {
  if (execution.communicator.is_alone()) throw_if_stopped(execution.stop);
}

}  // namespace coppice
