// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Threads of this process as ranks: the same exchanges as between machines, for tests.
//
//   on_ranks(3, [&](const Communicator& communicator) { ... });

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "coppice/runtime/communicator.hpp"

namespace coppice {

// Where ranks meet: nobody leaves before all have come.
class MeetingPlace {
 public:
  explicit MeetingPlace(std::size_t n_ranks) : arriving_(n_ranks) {}

  [[nodiscard]] std::size_t n_ranks() const noexcept { return arriving_.size(); }

  Communicator::Gathered exchange(std::size_t rank, std::vector<double> message) {
    std::unique_lock lock(mutex_);
    arriving_[rank] = std::move(message);
    const std::size_t meeting = n_meetings_;
    if (++n_arrived_ == n_ranks()) {
      n_arrived_ = 0;
      ++n_meetings_;
      gathered_ = arriving_;
      all_are_here_.notify_all();
    } else if (!all_are_here_.wait_for(lock, patience, [&] { return n_meetings_ != meeting; })) {
      ADD_FAILURE() << "rank " << rank << " waits for the others in vain";
      std::abort();  // the other threads would never end
    }
    return gathered_;  // nobody can have overwritten it: the next meeting needs this rank
  }

 private:
  static constexpr std::chrono::seconds patience{300};

  std::mutex mutex_;
  std::condition_variable all_are_here_;
  std::size_t n_arrived_ = 0;
  std::size_t n_meetings_ = 0;
  Communicator::Gathered arriving_;
  Communicator::Gathered gathered_;
};

class InProcessRank final : public Communicator {
 public:
  InProcessRank(MeetingPlace& place, std::size_t rank) : place_(place), rank_(rank) {}
  [[nodiscard]] std::size_t rank() const override { return rank_; }
  [[nodiscard]] std::size_t size() const override { return place_.n_ranks(); }

 private:
  [[nodiscard]] Gathered exchange(std::vector<double> message) const override {
    return place_.exchange(rank_, std::move(message));
  }

  MeetingPlace& place_;
  std::size_t rank_;
};

// Calls work on every rank, and waits for all. Exceptions are work's own business.
inline void on_ranks(std::size_t n_ranks, const std::function<void(const Communicator& communicator)>& work) {
  MeetingPlace place(n_ranks);
  std::vector<std::jthread> threads;
  for (std::size_t rank = 0; rank < n_ranks; ++rank) {
    threads.emplace_back([&place, &work, rank] { work(InProcessRank(place, rank)); });
  }
}

}  // namespace coppice
