// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What atomic files and folders ask of the operating system.

#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace coppice::file_system {

// IoError "path: cannot <what>: <reason>".
[[noreturn]] void fail(std::string_view what, const std::filesystem::path& path, int code);

// Of what the path leads to.
[[nodiscard]] std::optional<struct stat> status_of(const std::filesystem::path& path);

// The folder that a path is in, "." if the path names none.
[[nodiscard]] std::filesystem::path folder_of(const std::filesystem::path& path);

// Makes a file or folder beside the target, under a name that nobody else has; a file is opened for writing. `mode` is
// what the umask is taken from. IoError.
[[nodiscard]] std::filesystem::path make_file_beside(const std::filesystem::path& target, mode_t mode, int& descriptor);
[[nodiscard]] std::filesystem::path make_folder_beside(const std::filesystem::path& target, mode_t mode);

// Gives an open file or folder the mode and, where that is allowed, the owner and group that an earlier one had.
void give_access(int descriptor, const struct stat& earlier) noexcept;

// Renames if nothing has the new name, in one step; false if something has. IoError for anything else.
[[nodiscard]] bool rename_to_new(const std::filesystem::path& from, const std::filesystem::path& to);
// The same where the file system has no such step.
[[nodiscard]] bool rename_to_new_by_claim(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace coppice::file_system
