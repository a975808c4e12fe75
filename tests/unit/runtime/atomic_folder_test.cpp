// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/atomic_folder.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <set>
#include <string>

#include "coppice/runtime/error.hpp"
#include "own_folder.hpp"

namespace coppice::internal {
namespace {

namespace fs = std::filesystem;

using AtomicFolderTest = test::OwnFolder;

TEST_F(AtomicFolderTest, AppearsWithCommit) {
  AtomicFolder folder(at("out"), {});
  put(folder.path() / "a", "1");
  EXPECT_FALSE(fs::exists(at("out")));
  folder.commit();
  EXPECT_EQ(content(at("out") / "a"), "1");
  EXPECT_EQ(names(), std::set<std::string>{"out"});
}

TEST_F(AtomicFolderTest, WithoutCommitNothingIsLeftAndTheOldStays) {
  {
    const AtomicFolder folder(at("out"), {});
    put(folder.path() / "a", "1");
  }
  EXPECT_TRUE(names().empty());
  fs::create_directory(at("out"));
  put(at("out") / "a", "old");
  {
    const AtomicFolder folder(at("out"), {.replace = true});
    put(folder.path() / "a", "new");
  }
  EXPECT_EQ(content(at("out") / "a"), "old");
  EXPECT_EQ(names(), std::set<std::string>{"out"});
}

TEST_F(AtomicFolderTest, AnExistingTargetIsRefusedWithoutReplace) {
  fs::create_directory(at("out"));
  EXPECT_THROW(AtomicFolder(at("out"), {}), IoError);
  EXPECT_THROW(AtomicFolder(at("out/"), {}), IoError);
  put(at("file"), "x");
  EXPECT_THROW(AtomicFolder(at("file"), {}), IoError);
  EXPECT_THROW(AtomicFolder(at("file"), {.replace = true}), IoError) << "a file is not replaced by a folder";
  EXPECT_EQ(names(), (std::set<std::string>{"file", "out"}));
}

TEST_F(AtomicFolderTest, OfAnEarlierFolderOwnFilesGoAndTheRestStays) {
  fs::create_directories(at("out") / "deep" / "er");
  put(at("out") / "stale", "x");
  put(at("out") / "again", "old");
  put(at("out") / "note", "mine");
  put(at("out") / "deep" / "er" / "note", "mine too");
  fs::create_symlink("note", at("out") / "link");
  put(at("elsewhere"), "theirs");
  fs::create_symlink(at("elsewhere"), at("out") / "linked");
  AtomicFolder folder(at("out"), {.replace = true, .own_names = {"stale", "again", "fresh", "linked"}});
  put(folder.path() / "fresh", "1");
  put(folder.path() / "again", "new");
  folder.commit();
  EXPECT_EQ(names(at("out")), (std::set<std::string>{"again", "deep", "fresh", "link", "note"}));
  EXPECT_EQ(content(at("out") / "again"), "new");
  EXPECT_EQ(content(at("out") / "note"), "mine");
  EXPECT_EQ(content(at("out") / "deep" / "er" / "note"), "mine too");
  EXPECT_EQ(content(at("elsewhere")), "theirs");
  EXPECT_EQ(names(), (std::set<std::string>{"elsewhere", "out"}));
}

TEST_F(AtomicFolderTest, AFolderOfAnOwnNameIsRefused) {
  fs::create_directories(at("out") / "labels");
  EXPECT_THROW(AtomicFolder(at("out"), {.replace = true, .own_names = {"labels"}}), IoError);
  fs::remove(at("out") / "labels");
  AtomicFolder folder(at("out"), {.replace = true, .own_names = {"labels"}});
  put(folder.path() / "labels", "1");
  fs::create_directory(at("out") / "labels");  // it appears later
  EXPECT_THROW(folder.commit(), IoError);
  EXPECT_TRUE(fs::is_directory(at("out") / "labels"));
}

TEST_F(AtomicFolderTest, ModesAreKept) {
  fs::create_directory(at("out"));
  put(at("out") / "secret", "x");
  ASSERT_EQ(chmod((at("out") / "secret").c_str(), 0600), 0);
  ASSERT_EQ(chmod(at("out").c_str(), 01750), 0);
  AtomicFolder folder(at("out"), {.replace = true, .own_names = {"secret", "open"}});
  EXPECT_EQ(mode(folder.path()), 0700U) << "nobody looks in before it has its rights";
  put(folder.path() / "secret", "new");
  folder.commit();
  EXPECT_EQ(mode(at("out") / "secret"), 0600U);
  EXPECT_EQ(mode(at("out")), 01750U);
}

TEST_F(AtomicFolderTest, AFolderThatAppearedMeanwhileIsRefused) {
  for (const char* content : {"", "a"}) {
    {
      AtomicFolder folder(at("out"), {});
      put(folder.path() / "mine", "1");
      fs::create_directory(at("out"));
      if (*content != '\0') put(at("out") / content, "theirs");
      EXPECT_THROW(folder.commit(), IoError);
    }
    EXPECT_FALSE(fs::exists(at("out") / "mine"));
    EXPECT_EQ(names(), std::set<std::string>{"out"});
    fs::remove_all(at("out"));
  }
}

TEST_F(AtomicFolderTest, AFolderThatAppearedMeanwhileIsReplacedIfAsked) {
  AtomicFolder folder(at("out"), {.replace = true, .own_names = {"result"}});
  put(folder.path() / "result", "mine");
  fs::create_directory(at("out"));
  put(at("out") / "result", "theirs");
  put(at("out") / "note", "theirs");
  folder.commit();
  EXPECT_EQ(content(at("out") / "result"), "mine");
  EXPECT_EQ(content(at("out") / "note"), "theirs");
  EXPECT_EQ(names(), std::set<std::string>{"out"});
}

TEST_F(AtomicFolderTest, ThroughALinkTheFolderItselfIsReplaced) {
  fs::create_directories(at("deep") / "real");
  fs::create_symlink(at("deep") / "real", at("link"));
  AtomicFolder folder(at("link"), {.replace = true, .own_names = {"a"}});
  put(folder.path() / "a", "1");
  folder.commit();
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_EQ(content(at("deep") / "real" / "a"), "1");
  EXPECT_EQ(names(at("deep")), std::set<std::string>{"real"});
}

// The new folder has a name by then that the earlier one has too, though it is not ours.
TEST_F(AtomicFolderTest, WhatCannotBePutBackIsKeptAndNamed) {
  fs::create_directory(at("out"));
  put(at("out") / "note", "mine");
  AtomicFolder folder(at("out"), {.replace = true, .own_names = {"a"}});
  const fs::path kept = folder.path();
  put(kept / "note", "in the way");
  try {
    folder.commit();
    FAIL() << "expected an IoError";
  } catch (const IoError& error) {
    EXPECT_NE(std::string(error.what()).find("note"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find(kept.string()), std::string::npos);
  }
  EXPECT_EQ(content(at("out") / "note"), "in the way");
  EXPECT_EQ(content(kept / "note"), "mine");
}

TEST_F(AtomicFolderTest, OtherFoldersAreLeftAloneByReplace) {
  for (const char* name : {"out", "out.old"}) fs::create_directory(at(name));
  put(at("out.old") / "kept by hand", "x");
  AtomicFolder folder(at("out"), {.replace = true});
  folder.commit();
  EXPECT_EQ(content(at("out.old") / "kept by hand"), "x");
}

TEST_F(AtomicFolderTest, ATrailingSlashMeansTheSameFolder) {
  AtomicFolder folder(at("out/"), {});
  EXPECT_EQ(folder.path().parent_path(), at("out").parent_path());
  folder.commit();
  EXPECT_TRUE(fs::is_directory(at("out")));
  EXPECT_EQ(names(), std::set<std::string>{"out"});
}

TEST_F(AtomicFolderTest, AMissingParentIsAnIoError) {
  EXPECT_THROW(AtomicFolder(at("no") / "out", {}), IoError);
  EXPECT_THROW(AtomicFolder(at("no") / "out", {.replace = true}), IoError);
}

}  // namespace
}  // namespace coppice::internal
