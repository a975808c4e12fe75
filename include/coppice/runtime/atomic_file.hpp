// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Files that appear whole or not at all: they are written under a temporary name beside their place and renamed by
// commit(). Without commit() the temporary is removed and whatever was there before is untouched. A new file has the
// mode that the umask gives it; one that replaces another keeps that one's mode and owner. Devices, pipes and names of
// open files (/dev/stdout, /dev/fd/3) are written to as they are.
//
//   AtomicFile file("labels.csv");
//   file.write("row,label\n");
//   file.commit();

#include <filesystem>
#include <string_view>

#include "coppice/runtime/temporary_path.hpp"

namespace coppice::internal {

class AtomicFile {
 public:
  // `replace` allows the target to exist. Otherwise IoError if it does, here or, if it appears meanwhile, by commit().
  explicit AtomicFile(std::filesystem::path target, bool replace = true);  // IoError if the folder cannot be written
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  // IoError if the constructor would refuse; makes nothing. For asking before long work.
  static void check(const std::filesystem::path& target, bool replace);

  void write(std::string_view bytes);  // IoError, e.g. when the disk is full
  void commit();                       // flushes to the disk, then renames

 private:
  std::filesystem::path target_;
  TemporaryPath temporary_;  // none if the target is written in place
  bool replace_;
  int descriptor_ = -1;
};

// Whether a path is written to as it is: a device, a pipe, or the name of an open file.
[[nodiscard]] bool is_written_in_place(const std::filesystem::path& path);

}  // namespace coppice::internal
