// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/ticker.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <optional>
#include <thread>

namespace coppice::internal {
namespace {

using std::chrono::milliseconds;

// Whether the claim comes true; a busy machine gets time.
template <class Claim>
bool comes_true(const Claim& claim) {
  for (int tries = 0; tries < 2000 && !claim(); ++tries) std::this_thread::sleep_for(milliseconds(1));
  return claim();
}

TEST(Ticker, CallsAgainAndAgainWhileTheCallerIsBusy) {
  std::atomic<int> calls = 0;
  const Ticker ticker(milliseconds(1), [&] { ++calls; });
  EXPECT_TRUE(comes_true([&] { return calls >= 3; }));
}

TEST(Ticker, IsSilentOnceItHasEnded) {
  int calls = 0;  // no atomic: the end orders what comes after it
  {
    const Ticker ticker(milliseconds(1), [&] { ++calls; });
    std::this_thread::sleep_for(milliseconds(20));
  }
  const int at_end = calls;
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_EQ(calls, at_end);
}

TEST(Ticker, EndsWithoutWaitingForTheInterval) {
  int calls = 0;
  const auto since = std::chrono::steady_clock::now();
  std::optional<Ticker> ticker(std::in_place, std::chrono::hours(1), [&] { ++calls; });
  ticker.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - since, std::chrono::seconds(10));
  EXPECT_EQ(calls, 0);
}

// A signal is for the thread that waits for something: one that reads, say.
TEST(Ticker, LeavesSignalsToOthers) {
  std::atomic<bool> has_called = false;
  std::atomic<bool> is_blocked = false;
  const Ticker ticker(milliseconds(1), [&] {
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    is_blocked = sigismember(&mask, SIGINT) == 1 && sigismember(&mask, SIGTERM) == 1;
    has_called = true;
  });
  EXPECT_TRUE(comes_true([&] { return has_called.load(); }));
  EXPECT_TRUE(is_blocked);
  sigset_t own;
  pthread_sigmask(SIG_SETMASK, nullptr, &own);
  EXPECT_EQ(sigismember(&own, SIGINT), 0);
}

}  // namespace
}  // namespace coppice::internal
