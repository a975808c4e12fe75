// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A small pool of threads, alive for one fit: nothing is left behind that a fork could break.

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace coppice {

class ThreadPool {
 public:
  // 0 means one thread per core.
  explicit ThreadPool(std::size_t n_threads = 0);
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool();

  [[nodiscard]] std::size_t n_threads() const noexcept { return helpers_.size() + 1; }

  // Calls work(task, worker) once for every task 0..n_tasks-1. Threads claim tasks in increasing order; the calling
  // thread is worker 0. If calls throw, the exception of the smallest task that threw reaches the caller, and tasks
  // not yet begun are left out.
  using Work = std::function<void(std::size_t task, std::size_t worker)>;
  void run(std::size_t n_tasks, const Work& work);

 private:
  void help(std::size_t worker);
  void work_on_tasks(std::size_t worker);

  std::mutex mutex_;
  std::condition_variable has_work_;
  std::condition_variable is_done_;
  const Work* work_ = nullptr;
  std::size_t n_tasks_ = 0;
  std::size_t next_task_ = 0;
  std::size_t n_busy_ = 0;
  std::size_t generation_ = 0;  // one per run, so that a helper never takes the same run twice
  std::size_t failed_task_ = 0;
  std::exception_ptr failure_;
  bool is_ending_ = false;
  std::vector<std::jthread> helpers_;
};

}  // namespace coppice
