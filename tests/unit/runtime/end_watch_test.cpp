// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/end_watch.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>

namespace coppice::internal {
namespace {

// A program of its own for every case: it ends for good.
class EndWatchTest : public testing::Test {
 protected:
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

int end(StopReason reason) {
  std::fprintf(stderr, "ended: %s\n", to_string(reason).data());
  return reason == StopReason::cancelled ? 130 : 5;
}

[[noreturn]] void hang() {
  for (;;) pause();
}

TEST_F(EndWatchTest, EndsAProgramThatHangsAtItsDeadline) {
  EXPECT_EXIT(
      {
        EndWatch watch(end);
        watch.set_time_limit(0.05);
        hang();
      },
      testing::ExitedWithCode(5), "ended: time_limit");
}

TEST_F(EndWatchTest, EndsAProgramThatHangsWhenInterrupted) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_EXIT(
        {
          const EndWatch watch(end);
          kill(getpid(), signal);
          hang();
        },
        testing::ExitedWithCode(130), "ended: cancelled");
  }
}

TEST_F(EndWatchTest, OnlyRaisesTheFlagWhereThereIsAResult) {
  EXPECT_EXIT(
      {
        EndWatch watch(end);
        watch.set_time_limit(0.01);
        watch.keep_result();
        kill(getpid(), SIGINT);
        while (!watch.flag()->load()) usleep(1000);
        usleep(50'000);  // long after the deadline
        _exit(3);
      },
      testing::ExitedWithCode(3), "");
}

TEST_F(EndWatchTest, TheSecondInterruptEndsItAllTheSame) {
  EXPECT_EXIT(
      {
        EndWatch watch(end);
        watch.keep_result();
        kill(getpid(), SIGINT);
        while (!watch.flag()->load()) usleep(1000);
        kill(getpid(), SIGINT);
        hang();
      },
      testing::ExitedWithCode(130), "ended: cancelled");
}

TEST_F(EndWatchTest, WithPatienceTheFlagIsUpBeforeTheEnd) {
  EXPECT_EXIT(
      {
        EndWatch watch(end);
        watch.set_patience(std::chrono::milliseconds(50));
        kill(getpid(), SIGINT);
        while (!watch.flag()->load()) usleep(1000);
        std::fprintf(stderr, "heard, ");
        hang();
      },
      testing::ExitedWithCode(130), "heard, ended: cancelled");
}

TEST_F(EndWatchTest, PatienceIsRewardedWithAResult) {
  EXPECT_EXIT(
      {
        EndWatch watch(end);
        watch.set_patience(std::chrono::seconds(10));
        watch.set_time_limit(0.01);
        usleep(50'000);
        watch.keep_result();
        _exit(3);
      },
      testing::ExitedWithCode(3), "");
}

TEST_F(EndWatchTest, ALimitBeyondAllTimesIsNone) {
  EndWatch watch(end);
  watch.set_time_limit(1e300);
  EXPECT_FALSE(watch.deadline());
  EXPECT_FALSE(watch.flag()->load());
}

TEST_F(EndWatchTest, LeavesSignalsAsTheyWere) {
  sigset_t before;
  sigset_t after;
  pthread_sigmask(SIG_BLOCK, nullptr, &before);
  { const EndWatch watch(end); }
  pthread_sigmask(SIG_BLOCK, nullptr, &after);
  EXPECT_EQ(sigismember(&before, SIGINT), sigismember(&after, SIGINT));
}

}  // namespace
}  // namespace coppice::internal
