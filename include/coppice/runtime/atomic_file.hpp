// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Files and folders that appear whole or not at all: they are written under a temporary name beside their place and
// renamed by commit(). Without commit() the temporary is removed and whatever was there before is untouched. Devices
// and pipes are written to as they are.
//
//   AtomicFile file("labels.csv");
//   file.write("row,label\n");
//   file.commit();

#include <filesystem>
#include <string_view>

namespace coppice {

class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path target);  // IoError if the folder cannot be written
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void write(std::string_view bytes);  // IoError, e.g. when the disk is full
  void commit();                       // flushes to the disk, then renames

 private:
  std::filesystem::path target_;
  std::filesystem::path temporary_;
  int descriptor_ = -1;
};

class AtomicFolder {
 public:
  // `replace` allows the target to exist; commit() then puts the new folder in its place. Otherwise IoError at once.
  AtomicFolder(const std::filesystem::path& target, bool replace);
  AtomicFolder(const AtomicFolder&) = delete;
  AtomicFolder& operator=(const AtomicFolder&) = delete;
  ~AtomicFolder();

  // IoError if the constructor would refuse; makes nothing. For asking before long work.
  static void check(const std::filesystem::path& target, bool replace);

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return temporary_; }  // write here
  void commit();

 private:
  std::filesystem::path target_;
  std::filesystem::path temporary_;
  bool replace_;
  bool is_committed_ = false;
};

}  // namespace coppice
