// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/temporary_path.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>
#include <utility>

namespace coppice::internal {
namespace {

namespace fs = std::filesystem;

class TemporaryPathTest : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] TemporaryPath make(const std::string& name) const {
    return TemporaryPath([&] {
      const fs::path path = folder_ / name;
      std::ofstream(path) << "text";
      return path;
    });
  }

  fs::path folder_ = fs::path(testing::TempDir()) /
                     (std::string("temporary_path_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(TemporaryPathTest, GoesWithItsOwner) {
  {
    const TemporaryPath file = make("a");
    EXPECT_TRUE(fs::exists(file.path()));
  }
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(TemporaryPathTest, AFolderGoesWithAllThatIsInIt) {
  {
    const TemporaryPath inner([&] {
      fs::create_directories(folder_ / "inner" / "deep");
      return folder_ / "inner";
    });
    std::ofstream(folder_ / "inner" / "deep" / "file") << "text";
  }
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(TemporaryPathTest, StaysOnceItIsReleased) {
  {
    TemporaryPath file = make("a");
    file.release([&] { fs::rename(folder_ / "a", folder_ / "b"); });
    EXPECT_TRUE(file.empty());
  }
  EXPECT_TRUE(fs::exists(folder_ / "b"));
}

TEST_F(TemporaryPathTest, IsStillTemporaryIfTheReleaseFails) {
  {
    TemporaryPath file = make("a");
    EXPECT_THROW(file.release([] { throw std::runtime_error("no"); }), std::runtime_error);
    EXPECT_FALSE(file.empty());
  }
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(TemporaryPathTest, MovesToAnotherOwner) {
  TemporaryPath kept;
  {
    TemporaryPath file = make("a");
    kept = std::move(file);
  }
  EXPECT_TRUE(fs::exists(folder_ / "a"));
  kept = TemporaryPath();
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(TemporaryPathTest, AProgramThatEndsCanRemoveAllOfThem) {
  EXPECT_EXIT(
      {
        const TemporaryPath one = make("one");
        const TemporaryPath two = make("two");
        TemporaryPath released = make("three");
        released.release([] {});
        remove_temporaries();
        _exit(7);
      },
      testing::ExitedWithCode(7), "");
  EXPECT_FALSE(fs::exists(folder_ / "one"));
  EXPECT_FALSE(fs::exists(folder_ / "two"));
  EXPECT_TRUE(fs::exists(folder_ / "three"));
}

}  // namespace
}  // namespace coppice::internal
