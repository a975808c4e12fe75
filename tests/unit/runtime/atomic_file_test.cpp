// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/atomic_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "coppice/runtime/error.hpp"

namespace coppice {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void put(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

// A folder of its own for every test.
class Atomic : public testing::Test {
 protected:
  Atomic() {
    folder_ = fs::path(testing::TempDir()) / ("coppice_atomic_" + std::to_string(::getpid()));
    fs::remove_all(folder_);
    fs::create_directory(folder_);
  }
  ~Atomic() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  [[nodiscard]] fs::path at(const std::string& name) const { return folder_ / name; }
  [[nodiscard]] std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder_)) found.insert(entry.path().filename().string());
    return found;
  }

 private:
  fs::path folder_;
};

using AtomicFileTest = Atomic;
using AtomicFolderTest = Atomic;

TEST_F(AtomicFileTest, AppearsWithCommit) {
  AtomicFile file(at("a.csv"));
  file.write("one,");
  file.write("two\n");
  EXPECT_FALSE(fs::exists(at("a.csv")));
  file.commit();
  EXPECT_EQ(content(at("a.csv")), "one,two\n");
  EXPECT_EQ(names(), std::set<std::string>{"a.csv"});
}

TEST_F(AtomicFileTest, WithoutCommitNothingIsLeft) {
  { AtomicFile(at("a.csv")).write("lost"); }
  EXPECT_TRUE(names().empty());
}

TEST_F(AtomicFileTest, WithoutCommitTheOldStays) {
  put(at("a.csv"), "old");
  { AtomicFile(at("a.csv")).write("new"); }
  EXPECT_EQ(content(at("a.csv")), "old");
  EXPECT_EQ(names(), std::set<std::string>{"a.csv"});
}

TEST_F(AtomicFileTest, CommitReplacesTheOld) {
  put(at("a.csv"), "old and longer");
  AtomicFile file(at("a.csv"));
  file.write("new");
  file.commit();
  EXPECT_EQ(content(at("a.csv")), "new");
  EXPECT_EQ(names(), std::set<std::string>{"a.csv"});
}

TEST_F(AtomicFileTest, AMissingParentIsAnIoError) {
  EXPECT_THROW(AtomicFile(at("no") / "a.csv"), IoError);
  EXPECT_THROW(AtomicFile(at("no") / ""), IoError);
}

TEST_F(AtomicFileTest, AFolderIsNoFile) {
  fs::create_directory(at("taken"));
  EXPECT_THROW(AtomicFile(at("taken")), IoError);
  EXPECT_THROW(AtomicFile(at("taken/")), IoError);
  EXPECT_EQ(names(), std::set<std::string>{"taken"});
}

TEST_F(AtomicFolderTest, AppearsWithCommit) {
  AtomicFolder folder(at("out"), false);
  put(folder.path() / "a", "1");
  EXPECT_FALSE(fs::exists(at("out")));
  folder.commit();
  EXPECT_EQ(content(at("out") / "a"), "1");
  EXPECT_EQ(names(), std::set<std::string>{"out"});
}

TEST_F(AtomicFolderTest, WithoutCommitNothingIsLeftAndTheOldStays) {
  {
    const AtomicFolder folder(at("out"), false);
    put(folder.path() / "a", "1");
  }
  EXPECT_TRUE(names().empty());
  fs::create_directory(at("out"));
  put(at("out") / "a", "old");
  {
    const AtomicFolder folder(at("out"), true);
    put(folder.path() / "a", "new");
  }
  EXPECT_EQ(content(at("out") / "a"), "old");
  EXPECT_EQ(names(), std::set<std::string>{"out"});
}

TEST_F(AtomicFolderTest, AnExistingTargetIsRefusedWithoutReplace) {
  fs::create_directory(at("out"));
  EXPECT_THROW(AtomicFolder(at("out"), false), IoError);
  EXPECT_THROW(AtomicFolder(at("out/"), false), IoError);
  put(at("file"), "x");
  EXPECT_THROW(AtomicFolder(at("file"), false), IoError);
  EXPECT_THROW(AtomicFolder(at("file"), true), IoError) << "a file is not replaced by a folder";
  EXPECT_EQ(names(), (std::set<std::string>{"file", "out"}));
}

TEST_F(AtomicFolderTest, CommitReplacesTheWholeFolder) {
  fs::create_directory(at("out"));
  put(at("out") / "stale", "x");
  AtomicFolder folder(at("out"), true);
  put(folder.path() / "fresh", "1");
  folder.commit();
  EXPECT_TRUE(fs::exists(at("out") / "fresh"));
  EXPECT_FALSE(fs::exists(at("out") / "stale"));
  EXPECT_EQ(names(), std::set<std::string>{"out"});
}

TEST_F(AtomicFolderTest, OtherFoldersAreLeftAloneByReplace) {
  for (const char* name : {"out", "out.old"}) fs::create_directory(at(name));
  put(at("out.old") / "kept by hand", "x");
  AtomicFolder folder(at("out"), true);
  folder.commit();
  EXPECT_EQ(content(at("out.old") / "kept by hand"), "x");
}

TEST_F(AtomicFolderTest, ATrailingSlashMeansTheSameFolder) {
  AtomicFolder folder(at("out/"), false);
  EXPECT_EQ(folder.path().parent_path(), at("out").parent_path());
  folder.commit();
  EXPECT_TRUE(fs::is_directory(at("out")));
  EXPECT_EQ(names(), std::set<std::string>{"out"});
}

TEST_F(AtomicFolderTest, AMissingParentIsAnIoError) {
  EXPECT_THROW(AtomicFolder(at("no") / "out", false), IoError);
  EXPECT_THROW(AtomicFolder(at("no") / "out", true), IoError);
}

}  // namespace
}  // namespace coppice
