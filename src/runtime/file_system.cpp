// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/file_system.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <system_error>

#include "coppice/runtime/error.hpp"

namespace coppice::file_system {

namespace fs = std::filesystem;

namespace {

// A name that nobody guesses, so that two programs hardly ever meet.
fs::path name_beside(const fs::path& target) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::array<std::uint8_t, 8> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) fail("create", target, errno);
  std::string name = target.string() + ".part-";
  for (const std::uint8_t byte : bytes) name += letters[byte % letters.size()];
  return name;
}

// Calls make(name) with new names until one is free.
template <class Make>
fs::path make_beside(const fs::path& target, const Make& make) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    fs::path name = name_beside(target);
    if (make(name)) return name;
    if (errno != EEXIST) break;
  }
  fail("create", target, errno);
}

// Makes an empty file or folder of that name, which only one program can; renaming then replaces what is our own.
bool claim(const fs::path& name, bool is_folder) {
  const int made =
      is_folder ? mkdir(name.c_str(), 0700) : open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (made < 0 && errno == EEXIST) return false;
  if (made < 0) fail("write", name, errno);
  if (!is_folder) close(made);
  return true;
}

}  // namespace

void fail(std::string_view what, const fs::path& path, int code) {
  throw IoError(fmt::format("{}: cannot {}: {}", path.string(), what, std::generic_category().message(code)));
}

std::optional<struct stat> status_of(const fs::path& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return status;
}

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

fs::path make_file_beside(const fs::path& target, mode_t mode, int& descriptor) {
  return make_beside(target, [&](const fs::path& name) {
    descriptor = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    return descriptor >= 0;
  });
}

fs::path make_folder_beside(const fs::path& target, mode_t mode) {
  return make_beside(target, [&](const fs::path& name) { return mkdir(name.c_str(), mode) == 0; });
}

void give_access(int descriptor, const struct stat& earlier) noexcept {
  constexpr auto unchanged = static_cast<uid_t>(-1);
  struct stat now = {};
  if (fstat(descriptor, &now) != 0) return;
  if (now.st_uid != earlier.st_uid || now.st_gid != earlier.st_gid) {
    // To give a file away takes rights that most have not; to give it to a group of one's own does not.
    if (fchown(descriptor, earlier.st_uid, earlier.st_gid) != 0) {
      [[maybe_unused]] const int ignored = fchown(descriptor, unchanged, earlier.st_gid);
    }
    if (fstat(descriptor, &now) != 0) return;
  }
  mode_t mode = earlier.st_mode & (S_ISDIR(now.st_mode) ? 07777U : 0777U);
  // What the earlier group was allowed, another one is only if everybody is.
  if (now.st_gid != earlier.st_gid) mode &= ~070U | ((mode & 07U) << 3U);
  fchmod(descriptor, mode);
}

bool rename_to_new(const fs::path& from, const fs::path& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno == EEXIST) return false;
  // Some file systems cannot rename without replacing.
  if (errno != EINVAL && errno != ENOSYS) fail("write", to, errno);
  return rename_to_new_by_claim(from, to);
}

bool rename_to_new_by_claim(const fs::path& from, const fs::path& to) {
  if (!claim(to, fs::is_directory(fs::symlink_status(from)))) return false;
  if (std::rename(from.c_str(), to.c_str()) == 0) return true;
  const int code = errno;
  std::remove(to.c_str());  // the claim, which is empty
  fail("write", to, code);
}

}  // namespace coppice::file_system
