// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/temporary_path.hpp"

#include <mutex>
#include <set>
#include <utility>

namespace coppice::internal {

namespace fs = std::filesystem;

namespace {

// Every temporary of the process. Files belong to the process too, and whoever ends it knows nobody's owners.
struct Alive {
  std::mutex mutex;
  std::set<fs::path> paths;
};

Alive& alive() {
  static Alive all;
  return all;
}

}  // namespace

TemporaryPath::TemporaryPath(const std::function<fs::path()>& make) {
  const std::lock_guard lock(alive().mutex);
  path_ = make();
  alive().paths.insert(path_);
}

TemporaryPath::TemporaryPath(TemporaryPath&& other) noexcept : path_(std::exchange(other.path_, {})) {}

TemporaryPath& TemporaryPath::operator=(TemporaryPath&& other) noexcept {
  if (this == &other) return *this;
  remove();
  path_ = std::exchange(other.path_, {});
  return *this;
}

TemporaryPath::~TemporaryPath() { remove(); }

void TemporaryPath::remove() noexcept {
  if (path_.empty()) return;
  const std::lock_guard lock(alive().mutex);
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  alive().paths.erase(path_);
  path_.clear();
}

void TemporaryPath::release(const std::function<void()>& move_away) {
  const std::lock_guard lock(alive().mutex);
  move_away();
  alive().paths.erase(path_);
  path_.clear();
}

void remove_temporaries() noexcept {
  // No thread may make or release a temporary any more: the process is about to end.
  alive().mutex.lock();  // and never unlocked
  for (const fs::path& path : alive().paths) {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
}

}  // namespace coppice::internal
