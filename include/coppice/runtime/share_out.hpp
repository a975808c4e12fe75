// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Tasks such as the factorization of one matrix for each of K clusters: a plain loop as long as all of them together
// are little work, else shared out among the threads, with a look at the stop signal before each.

#include <cstddef>
#include <functional>

#include "coppice/runtime/ordered_sum.hpp"

namespace coppice {

// Work that takes about a millisecond: it is not worth waking threads for, nor asking the clock.
inline constexpr double little_work = 1e6;  // operations

template <class Work>
void share_out(const Execution& execution, std::size_t n_tasks, double operations_each, const Work& work) {
  if (operations_each * static_cast<double>(n_tasks) < little_work) {
    for (std::size_t task = 0; task < n_tasks; ++task) work(task);
    return;
  }
  execution.pool.run(n_tasks, [&](std::size_t task, std::size_t /*worker*/) {
    throw_if_stopped(execution.stop);
    work(task);
  });
}

// For loops that stay on one thread: asks the clock only if what comes next is more than little work.
inline void throw_if_stopped_before(const StopSignal& stop, double operations) {
  if (operations >= little_work) throw_if_stopped(stop);
}

}  // namespace coppice
