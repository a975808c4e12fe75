// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Folders that appear whole or not at all. One that replaces an earlier folder takes its place in one step and keeps
// its mode and owner. Of the earlier folder only files of the names that the caller calls its own are removed, never a
// folder; whatever else was in there moves into the new one.
//
//   AtomicFolder folder("result", {.replace = true, .own_names = {"labels.csv", "summary.json"}});
//   write(folder.path() / "labels.csv");
//   folder.commit();

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "coppice/runtime/temporary_path.hpp"

namespace coppice::internal {

struct FolderOptions {
  bool replace = false;                  // the target may exist
  std::set<std::string> own_names = {};  // files of an earlier folder that go
};

class AtomicFolder {
 public:
  AtomicFolder(const std::filesystem::path& target, FolderOptions options);
  AtomicFolder(const AtomicFolder&) = delete;
  AtomicFolder& operator=(const AtomicFolder&) = delete;
  ~AtomicFolder() = default;

  // IoError if the constructor would refuse; makes nothing. For asking before long work.
  static void check(const std::filesystem::path& target, const FolderOptions& options);

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return temporary_.path(); }  // write here
  // IoError if the target appeared meanwhile and is not to be replaced. If something of the earlier folder cannot be
  // moved, the new folder stands, and the IoError says where that something is.
  void commit();

 private:
  void exchange() const;
  [[nodiscard]] std::vector<std::string> emptied(const std::filesystem::path& earlier) const;
  [[nodiscard]] bool remove_or_move(const std::filesystem::path& earlier, const std::string& name) const;

  std::filesystem::path target_;
  TemporaryPath temporary_;
  FolderOptions options_;
};

}  // namespace coppice::internal
