// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "coppice/runtime/error.hpp"

namespace coppice {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(std::string_view what, const fs::path& path, int code) {
  throw IoError(fmt::format("{}: cannot {}: {}", path.string(), what, std::generic_category().message(code)));
}

// The target without a trailing slash, so that the temporary stands beside it and not inside.
fs::path tidy(const fs::path& path) {
  const fs::path normal = path.lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();
}

std::string temporary_pattern(const fs::path& target) { return target.string() + ".part-XXXXXX"; }

}  // namespace

AtomicFile::AtomicFile(fs::path target) : target_(std::move(target)) {
  if (fs::is_directory(target_)) throw IoError(fmt::format("{}: is a folder, not a file", target_.string()));
  std::string name = temporary_pattern(target_);
  descriptor_ = mkstemp(name.data());
  if (descriptor_ < 0) fail("create", target_, errno);
  fchmod(descriptor_, 0644);  // mkstemp makes it private
  temporary_ = name;
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  std::error_code ignored;
  fs::remove(temporary_, ignored);
}

void AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      fail("write", target_, errno);
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit() {
  if (fsync(descriptor_) != 0 && errno != EINVAL) fail("write", target_, errno);  // EINVAL: a pipe has no disk
  const int closed = close(descriptor_);
  descriptor_ = -1;
  std::error_code error;
  if (closed == 0) fs::rename(temporary_, target_, error);
  if (closed != 0 || error) {
    std::error_code ignored;
    fs::remove(temporary_, ignored);
    fail("write", target_, closed != 0 ? errno : error.value());
  }
}

AtomicFolder::AtomicFolder(fs::path target, bool replace) : target_(tidy(target)), replace_(replace) {
  if (fs::exists(fs::symlink_status(target_))) {
    if (!replace_) {
      throw IoError(fmt::format("{}: exists already; name another folder with --out, or replace it with --force",
                                target_.string()));
    }
    if (!fs::is_directory(target_)) throw IoError(fmt::format("{}: is a file, not a folder", target_.string()));
  }
  std::string name = temporary_pattern(target_);
  if (mkdtemp(name.data()) == nullptr) fail("create", target_, errno);
  temporary_ = name;
  fs::permissions(temporary_, fs::perms(0755));
}

AtomicFolder::~AtomicFolder() {
  if (is_committed_) return;
  std::error_code ignored;
  fs::remove_all(temporary_, ignored);
}

void AtomicFolder::commit() {
  if (replace_ && fs::exists(target_)) {
    // One step swaps the two: at no moment is there neither, and the earlier result goes only when the new one stands.
    if (renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) != 0) {
      fail("replace", target_, errno);
    }
    std::error_code ignored;
    fs::remove_all(temporary_, ignored);
  } else {
    // A folder that appeared meanwhile stays: only an empty one would be replaced by rename.
    if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail("write", target_, errno);
  }
  is_committed_ = true;
}

}  // namespace coppice
