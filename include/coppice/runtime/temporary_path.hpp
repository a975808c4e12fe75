// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A file or folder that is not meant to stay: removed when its owner goes, or by remove_temporaries() in a program that
// has to end before its owners do (Ctrl-C, a time limit).

#include <filesystem>
#include <functional>

namespace coppice::internal {

class TemporaryPath {
 public:
  TemporaryPath() = default;  // none
  // make() creates it and returns its name; an exception from it means that there is nothing to remove.
  explicit TemporaryPath(const std::function<std::filesystem::path()>& make);
  TemporaryPath(const TemporaryPath&) = delete;
  TemporaryPath& operator=(const TemporaryPath&) = delete;
  TemporaryPath(TemporaryPath&& other) noexcept;
  TemporaryPath& operator=(TemporaryPath&& other) noexcept;
  ~TemporaryPath();

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] bool empty() const noexcept { return path_.empty(); }

  // Lets move_away() rename it, or put it where it stays; from then on it is nobody's to remove. If move_away() throws,
  // nothing has changed.
  void release(const std::function<void()>& move_away);

 private:
  void remove() noexcept;

  std::filesystem::path path_;
};

// Removes all that are alive in this process and lets nobody make, release or remove another: for ending the process
// right afterwards.
void remove_temporaries() noexcept;

}  // namespace coppice::internal
