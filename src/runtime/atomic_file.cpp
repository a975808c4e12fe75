// SPDX-License-Identifier: BSD-3-Clause
// Results are written to a new file beside the target and renamed: whoever looks at the target sees the earlier file or
// the whole new one. What cannot be renamed over (pipes, devices, open files named by their number) is written in
// place.

#include "coppice/runtime/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <optional>
#include <utility>

#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"
#include "runtime/file_system.hpp"

namespace coppice::internal {

namespace fs = std::filesystem;

namespace {

// The number of the open file that a path names. Where it leads is not to be followed: standard output may be a file,
// whose name is no business of ours.
std::optional<int> named_descriptor(const fs::path& path) {
  const std::string name = path.lexically_normal().string();
  if (name == "/dev/stdout") return STDOUT_FILENO;
  if (name == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!name.starts_with(folder)) continue;
    int number = -1;
    const char* const end = name.data() + name.size();
    const auto [last, error] = std::from_chars(name.data() + folder.size(), end, number);
    if (error == std::errc{} && last == end && number >= 0) return number;
  }
  return std::nullopt;
}

[[noreturn]] void refuse_existing(const fs::path& path) {
  throw IoError(format_text("{}: exists already; name another file, or replace it with {force}", path.string()));
}

// What a link leads to is what is written.
fs::path resolved(const fs::path& path) {
  std::error_code ignored;
  return fs::is_symlink(path, ignored) ? fs::weakly_canonical(path, ignored) : path;
}

int open_in_place(const fs::path& path) {
  const std::optional<int> named = named_descriptor(path);
  const int descriptor = named ? fcntl(*named, F_DUPFD_CLOEXEC, 3) : open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) file_system::fail("write", path, errno);
  return descriptor;
}

}  // namespace

bool is_written_in_place(const fs::path& path) {
  if (named_descriptor(path)) return true;
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

void AtomicFile::check(const fs::path& path, bool replace) {
  if (is_written_in_place(path)) return;
  const fs::path target = resolved(path);
  std::error_code ignored;
  const fs::file_status status = fs::status(target, ignored);
  if (fs::is_directory(status)) throw IoError(fmt::format("{}: is a folder, not a file", path.string()));
  if (fs::exists(status) && !replace) refuse_existing(path);
  const fs::path folder = file_system::folder_of(target);
  if (!fs::is_directory(folder, ignored)) {
    throw IoError(fmt::format("{}: there is no folder {} to write into", path.string(), folder.string()));
  }
  if (access(folder.c_str(), W_OK) != 0) file_system::fail("create", path, errno);
}

AtomicFile::AtomicFile(fs::path target, bool replace) : target_(std::move(target)), replace_(replace) {
  check(target_, replace_);
  if (is_written_in_place(target_)) {
    descriptor_ = open_in_place(target_);
    return;
  }
  target_ = resolved(target_);
  const auto earlier = file_system::status_of(target_);
  // Private until it has the rights of the one that it replaces.
  temporary_ =
      TemporaryPath([&] { return file_system::make_file_beside(target_, earlier ? 0600 : 0666, descriptor_); });
  if (earlier) file_system::give_access(descriptor_, *earlier);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

void AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      file_system::fail("write", target_, errno);
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit() {
  // Before the rename: a crash must not leave the name on a file whose contents are not there yet.
  if (fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS)
    file_system::fail("write", target_, errno);  // devices have no disk
  // Closing may tell of an error for the last time, and must not be done twice.
  const int descriptor = std::exchange(descriptor_, -1);
  if (close(descriptor) != 0) file_system::fail("write", target_, errno);
  if (temporary_.empty()) return;
  temporary_.release([&] {
    if (!replace_) {
      if (!file_system::rename_to_new(temporary_.path(), target_)) refuse_existing(target_);  // it appeared meanwhile
    } else if (std::rename(temporary_.path().c_str(), target_.c_str()) != 0) {
      file_system::fail("write", target_, errno);
    }
  });
}

}  // namespace coppice::internal
