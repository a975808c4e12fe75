// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Loops over things that are not rows: clusters, pairs, nodes, starts. Tasks write into places of their own.
//
//   for_each_task(execution, {.count = k, .operations_each = cubed}, [&](std::size_t c) { factorize(clusters[c]); });

#include <cstddef>
#include <functional>

#include "coppice/runtime/execution.hpp"
#include "coppice/runtime/little_work.hpp"

namespace coppice {

struct Tasks {
  std::size_t count = 0;
  double operations_each = little_work;  // unless told, each is worth a thread
};

// Calls work once for every task 0..count-1. Tasks are begun in order. As long as all of them together are little work
// they are a plain loop, else shared out among the threads with a look at the stop signal before each: Stopped leaves
// the loop as any exception does (of several processes, none stops here: throw_if_stopped(execution)). Of several
// exceptions, that of the first task reaches the caller; tasks not begun are left out.
void for_each_task(const Execution& execution, const Tasks& tasks, const std::function<void(std::size_t task)>& work);
// For tasks that need a workspace: worker is the number of the thread.
void for_each_task(const Execution& execution, const Tasks& tasks,
                   const std::function<void(std::size_t task, std::size_t worker)>& work);

}  // namespace coppice
