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
#include <utility>

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
  std::error_code ignored;
  if (fs::is_symlink(target_, ignored))
    target_ = fs::weakly_canonical(target_, ignored);  // what it points to is replaced
  const fs::file_status status = fs::status(target_, ignored);
  if (fs::is_directory(status)) throw IoError(fmt::format("{}: is a folder, not a file", target_.string()));
  if (fs::exists(status) && !fs::is_regular_file(status)) {  // a device or a pipe is written to, never replaced
    descriptor_ = open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail("write", target_, errno);
    return;
  }
  std::string name = temporary_pattern(target_);
  descriptor_ = mkstemp(name.data());
  if (descriptor_ < 0) fail("create", target_, errno);
  fchmod(descriptor_, 0644);  // mkstemp makes it private
  temporary_ = name;
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) close(descriptor_);
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove(temporary_, ignored);
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
  if (fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS)
    fail("write", target_, errno);  // devices have no disk
  const int descriptor = std::exchange(descriptor_, -1);
  if (close(descriptor) != 0) fail("write", target_, errno);
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail("write", target_, errno);
  temporary_.clear();
}

void AtomicFolder::check(const fs::path& path, bool replace) {
  const fs::path target = tidy(path);
  const fs::path parent = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (!fs::is_directory(parent)) {
    throw IoError(fmt::format("{}: there is no folder {} to write into", target.string(), parent.string()));
  }
  if (access(parent.c_str(), W_OK) != 0) fail("create", target, errno);
  if (!fs::exists(fs::symlink_status(target))) return;
  if (!replace) {
    throw IoError(
        fmt::format("{}: exists already; name another folder with --out, or replace it with --force", target.string()));
  }
  if (!fs::is_directory(target)) throw IoError(fmt::format("{}: is a file, not a folder", target.string()));
}

AtomicFolder::AtomicFolder(const fs::path& target, bool replace) : target_(tidy(target)), replace_(replace) {
  check(target_, replace_);
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
