// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/for_each_task.hpp"

namespace coppice {

void for_each_task(const Execution& execution, const Tasks& tasks,
                   const std::function<void(std::size_t task, std::size_t worker)>& work) {
  // Waking threads takes longer than little work does. The result is the same.
  if (tasks.operations_each * static_cast<double>(tasks.count) < little_work) {
    for (std::size_t task = 0; task < tasks.count; ++task) work(task, 0);
    return;
  }
  execution.pool.run(tasks.count, [&](std::size_t task, std::size_t worker) {
    throw_if_stopped(execution);
    work(task, worker);
  });
}

void for_each_task(const Execution& execution, const Tasks& tasks, const std::function<void(std::size_t task)>& work) {
  for_each_task(execution, tasks, [&](std::size_t task, std::size_t /*worker*/) { work(task); });
}

}  // namespace coppice
