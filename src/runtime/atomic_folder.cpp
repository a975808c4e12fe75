// SPDX-License-Identifier: BSD-3-Clause
// A folder of results is made beside its target and exchanged with it in one step. What stood in the earlier one and is
// not ours is carried over, never removed. What can be asked beforehand is asked before anything is touched.

#include "coppice/runtime/atomic_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cerrno>
#include <utility>
#include <vector>

#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"
#include "runtime/file_system.hpp"

namespace coppice::internal {

namespace fs = std::filesystem;

namespace {

// The target as what it is: through links, and without a trailing slash, so that the temporary stands beside it and not
// inside.
fs::path resolved(const fs::path& path) {
  std::error_code error;
  if (fs::path real = fs::canonical(path, error); !error) return real;
  const fs::path normal = path.lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();
}

[[noreturn]] void refuse_existing(const fs::path& target) {
  throw IoError(
      format_text("{}: exists already; name another folder with {out}, or replace it with {force}", target.string()));
}

// Everything in an earlier folder can be removed or moved: asked before it is touched.
void check_earlier(const fs::path& target, const std::set<std::string>& own_names) {
  std::error_code ignored;
  if (fs::equivalent(target, fs::current_path(ignored), ignored)) {
    throw IoError(
        fmt::format("{}: is the current folder, which would be gone; run this from another one", target.string()));
  }
  if (access(target.c_str(), R_OK | W_OK | X_OK) != 0) file_system::fail("replace", target, errno);
  for (const auto& entry : fs::directory_iterator(target)) {
    if (!fs::is_directory(entry.symlink_status())) continue;
    if (own_names.contains(entry.path().filename().string())) {
      throw IoError(fmt::format("{}: is a folder where a file of the result belongs; rename it or move it away",
                                entry.path().string()));
    }
    // A folder that moves is written to: its parent is noted in it.
    if (access(entry.path().c_str(), W_OK) != 0) file_system::fail("move", entry.path(), errno);
  }
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) names.push_back(entry.path().filename().string());
  return names;
}

void keep_access_of(const fs::path& earlier, const fs::path& later) {
  const auto status = file_system::status_of(earlier);
  const int descriptor = status ? open(later.c_str(), O_RDONLY | O_CLOEXEC) : -1;
  if (descriptor < 0) return;
  file_system::give_access(descriptor, *status);
  close(descriptor);
}

}  // namespace

void AtomicFolder::check(const fs::path& path, const FolderOptions& options) {
  const fs::path target = resolved(path);
  const fs::path parent = file_system::folder_of(target);
  if (!fs::is_directory(parent)) {
    throw IoError(fmt::format("{}: there is no folder {} to write into", target.string(), parent.string()));
  }
  if (access(parent.c_str(), W_OK) != 0) file_system::fail("create", target, errno);
  if (!fs::exists(fs::symlink_status(target))) return;
  if (!options.replace) refuse_existing(path);
  if (!fs::is_directory(target)) throw IoError(fmt::format("{}: is a file, not a folder", path.string()));
  check_earlier(target, options.own_names);
}

AtomicFolder::AtomicFolder(const fs::path& target, FolderOptions options)
    : target_(resolved(target)), options_(std::move(options)) {
  check(target, options_);
  // Private until it has the rights of the one that it replaces.
  const mode_t mode = fs::exists(target_) ? 0700 : 0777;
  temporary_ = TemporaryPath([&] { return file_system::make_folder_beside(target_, mode); });
}

void AtomicFolder::commit() {
  const fs::path earlier = path();  // after an exchange
  std::vector<std::string> left;
  temporary_.release([&] {
    if (file_system::rename_to_new(path(), target_)) return;
    if (!options_.replace) refuse_existing(target_);  // it appeared meanwhile
    exchange();
    left = emptied(earlier);
  });
  if (left.empty()) return;
  throw IoError(
      fmt::format("{}: the new result stands, but not all of the earlier folder could be moved into it ({}); it is "
                  "kept in {}",
                  target_.string(), fmt::join(left, ", "), earlier.string()));
}

// One step swaps the two: at no moment is there neither, and the earlier result goes only when the new one stands.
void AtomicFolder::exchange() const {
  // Once more: a fit may take hours, and folders change meanwhile.
  check(target_, options_);
  // Whoever could read the earlier result can read the new one.
  for (const std::string& name : options_.own_names) keep_access_of(target_ / name, path() / name);
  keep_access_of(target_, path());
  if (renameat2(AT_FDCWD, path().c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) != 0) {
    file_system::fail("replace", target_, errno);
  }
}

// What is not ours goes where it was: into the folder of the name that the earlier one had.
std::vector<std::string> AtomicFolder::emptied(const fs::path& earlier) const {
  std::vector<std::string> left;
  for (const std::string& name : names_in(earlier)) {
    if (!remove_or_move(earlier, name)) left.push_back(name);
  }
  if (rmdir(earlier.c_str()) != 0 && left.empty()) left = names_in(earlier);
  return left;
}

bool AtomicFolder::remove_or_move(const fs::path& earlier, const std::string& name) const {
  std::error_code error;
  if (options_.own_names.contains(name) && !fs::is_directory(fs::symlink_status(earlier / name, error))) {
    return fs::remove(earlier / name, error);
  }
  try {
    return file_system::rename_to_new(earlier / name, target_ / name);
  } catch (const IoError&) {
    return false;
  }
}

}  // namespace coppice::internal
