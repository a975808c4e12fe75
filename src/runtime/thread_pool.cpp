// SPDX-License-Identifier: BSD-3-Clause
// Tasks are claimed one by one under a lock, which costs little beside tasks of thousands of rows; helpers sleep
// between runs. The thread that calls run() works, too. A run with one task, or without helpers, is a plain loop.

#include "coppice/runtime/thread_pool.hpp"

#include <algorithm>
#include <system_error>

namespace coppice {

ThreadPool::ThreadPool(std::size_t n_threads) {
  if (n_threads == 0) n_threads = std::max<std::size_t>(1, std::thread::hardware_concurrency());
  helpers_.reserve(n_threads - 1);
  for (std::size_t worker = 1; worker < n_threads; ++worker) {
    try {
      helpers_.emplace_back([this, worker] { help(worker); });
    } catch (const std::system_error&) {
      break;  // the system gives no more threads: those that there are give the same result
    }
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  has_work_.notify_all();
}

void ThreadPool::run(std::size_t n_tasks, const Work& work) {
  if (helpers_.empty() || n_tasks <= 1) {
    for (std::size_t task = 0; task < n_tasks; ++task) work(task, 0);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    n_tasks_ = n_tasks;
    next_task_ = 0;
    failure_ = nullptr;
    n_busy_ = helpers_.size();
    ++generation_;
  }
  has_work_.notify_all();
  work_on_tasks(0);
  std::unique_lock lock(mutex_);
  is_done_.wait(lock, [this] { return n_busy_ == 0; });
  work_ = nullptr;
  if (failure_) std::rethrow_exception(failure_);
}

void ThreadPool::help(std::size_t worker) {
  std::size_t seen = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      has_work_.wait(lock, [&] { return is_ending_ || generation_ != seen; });
      if (is_ending_) return;
      seen = generation_;
    }
    work_on_tasks(worker);
    const std::lock_guard lock(mutex_);
    if (--n_busy_ == 0) is_done_.notify_one();
  }
}

void ThreadPool::work_on_tasks(std::size_t worker) {
  for (;;) {
    std::size_t task = 0;
    {
      const std::lock_guard lock(mutex_);
      if (failure_ || next_task_ >= n_tasks_) return;
      task = next_task_++;
    }
    try {
      (*work_)(task, worker);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      // Of tasks that fail, the lowest counts; after the first failure none is begun.
      if (!failure_ || task < failed_task_) {
        failure_ = std::current_exception();
        failed_task_ = task;
      }
    }
  }
}

}  // namespace coppice
