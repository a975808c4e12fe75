// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/atomic_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <set>
#include <string>

#include "coppice/runtime/error.hpp"
#include "own_folder.hpp"
#include "runtime/file_system.hpp"

namespace coppice::internal {
namespace {

namespace fs = std::filesystem;

using AtomicFileTest = test::OwnFolder;
using RenameTest = test::OwnFolder;

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

// Sets the umask for a while.
class Mask {
 public:
  explicit Mask(mode_t mask) : before_(umask(mask)) {}
  ~Mask() { umask(before_); }
  Mask(const Mask&) = delete;
  Mask& operator=(const Mask&) = delete;

 private:
  mode_t before_;
};

TEST_F(AtomicFileTest, ANewFileHonoursTheUmask) {
  for (const mode_t mask : {0077U, 0022U, 0002U}) {
    const Mask during(mask);
    AtomicFile file(at("a.csv"));
    file.commit();
    EXPECT_EQ(mode(at("a.csv")), 0666U & ~mask);
    fs::remove(at("a.csv"));
  }
}

TEST_F(AtomicFileTest, AReplacedFileKeepsItsMode) {
  for (const mode_t kept : {0600U, 0640U, 0400U, 0666U}) {
    put(at("a.csv"), "old");
    ASSERT_EQ(chmod(at("a.csv").c_str(), kept), 0);
    AtomicFile file(at("a.csv"));
    file.write("new");
    file.commit();
    EXPECT_EQ(mode(at("a.csv")), kept);
    EXPECT_EQ(content(at("a.csv")), "new");
    fs::remove(at("a.csv"));
  }
}

TEST_F(AtomicFileTest, WhatALinkLeadsToKeepsItsMode) {
  put(at("real.csv"), "old");
  ASSERT_EQ(chmod(at("real.csv").c_str(), 0600), 0);
  fs::create_symlink("real.csv", at("link.csv"));
  AtomicFile file(at("link.csv"));
  file.write("new");
  file.commit();
  EXPECT_TRUE(fs::is_symlink(at("link.csv")));
  EXPECT_EQ(content(at("real.csv")), "new");
  EXPECT_EQ(mode(at("real.csv")), 0600U);
}

TEST_F(AtomicFileTest, WithoutReplaceWhatIsThereIsRefusedAtOnce) {
  put(at("a.csv"), "old");
  EXPECT_THROW(AtomicFile(at("a.csv"), false), IoError);
  EXPECT_THROW(AtomicFile::check(at("a.csv"), false), IoError);
  EXPECT_NO_THROW(AtomicFile::check(at("a.csv"), true));
  EXPECT_EQ(content(at("a.csv")), "old");
}

TEST_F(AtomicFileTest, WithoutReplaceWhatAppearedMeanwhileIsRefusedByCommit) {
  {
    AtomicFile file(at("a.csv"), false);
    file.write("mine");
    put(at("a.csv"), "theirs");
    EXPECT_THROW(file.commit(), IoError);
  }
  EXPECT_EQ(content(at("a.csv")), "theirs");
  EXPECT_EQ(names(), std::set<std::string>{"a.csv"});
}

TEST_F(AtomicFileTest, WithoutReplaceALinkOrFolderThatAppearedIsRefused) {
  AtomicFile first(at("a.csv"), false);
  fs::create_symlink("nowhere", at("a.csv"));
  EXPECT_THROW(first.commit(), IoError);
  AtomicFile second(at("b.csv"), false);
  fs::create_directory(at("b.csv"));
  EXPECT_THROW(second.commit(), IoError);
  EXPECT_TRUE(fs::is_symlink(at("a.csv")));
  EXPECT_TRUE(fs::is_directory(at("b.csv")));
}

TEST_F(AtomicFileTest, AnOpenFileIsWrittenInPlace) {
  const int descriptor = open(at("log").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_GE(descriptor, 0);
  ASSERT_EQ(write(descriptor, "before,", 7), 7);
  for (const std::string folder : {"/dev/fd/", "/proc/self/fd/"}) {
    AtomicFile file(folder + std::to_string(descriptor), false);
    file.write("more,");
    file.commit();
  }
  close(descriptor);
  EXPECT_EQ(content(at("log")), "before,more,more,");
  EXPECT_EQ(names(), std::set<std::string>{"log"});
  EXPECT_TRUE(is_written_in_place("/dev/stdout"));
  EXPECT_TRUE(is_written_in_place("/dev/null"));
  EXPECT_FALSE(is_written_in_place(at("log")));
  EXPECT_FALSE(is_written_in_place(at("nothing")));
}

// Where the kernel's own step is missing (some network file systems), the same holds.
TEST_F(RenameTest, ByClaimNothingIsReplaced) {
  put(at("new"), "mine");
  put(at("there"), "theirs");
  EXPECT_FALSE(file_system::rename_to_new_by_claim(at("new"), at("there")));
  EXPECT_EQ(content(at("there")), "theirs");
  EXPECT_TRUE(file_system::rename_to_new_by_claim(at("new"), at("free")));
  EXPECT_EQ(content(at("free")), "mine");
  fs::create_directory(at("folder"));
  put(at("folder") / "a", "1");
  fs::create_directory(at("empty"));
  EXPECT_FALSE(file_system::rename_to_new_by_claim(at("folder"), at("empty"))) << "an empty folder is somebody's too";
  EXPECT_TRUE(file_system::rename_to_new_by_claim(at("folder"), at("free folder")));
  EXPECT_EQ(content(at("free folder") / "a"), "1");
  EXPECT_EQ(names(), (std::set<std::string>{"empty", "free", "free folder", "there"}));
}

TEST_F(RenameTest, AFailedClaimLeavesNothing) {
  EXPECT_THROW((void)file_system::rename_to_new_by_claim(at("missing"), at("free")), IoError);
  EXPECT_THROW((void)file_system::rename_to_new(at("missing"), at("free")), IoError);
  EXPECT_TRUE(names().empty());
}

}  // namespace
}  // namespace coppice::internal
