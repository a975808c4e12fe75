// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/memory_need.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t worth_announcing = std::size_t{1} << 30U;
constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

// The number behind "MemAvailable:" of /proc/meminfo, in bytes.
std::size_t system_memory() {
  std::ifstream info("/proc/meminfo");
  std::string word;
  std::size_t kilobytes = 0;
  while (info >> word) {
    if (word == "MemAvailable:" && info >> kilobytes) return kilobytes * 1024;
  }
  return no_limit;
}

// A file with one number, or with "max".
std::size_t number_in(const std::string& path) {
  std::ifstream file(path);
  std::size_t value = 0;
  return file >> value ? value : no_limit;
}

std::size_t group_memory() {
  const std::size_t limit = number_in("/sys/fs/cgroup/memory.max");
  const std::size_t used = number_in("/sys/fs/cgroup/memory.current");
  if (limit == no_limit || used == no_limit) return no_limit;
  return limit - std::min(limit, used);
}

std::size_t process_memory() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return no_limit;
  return limit.rlim_cur;
}

std::string gigabytes(std::size_t bytes) { return fmt::format("{:.1f} GB", static_cast<double>(bytes) * 1e-9); }

}  // namespace

// Whoever has least decides: the machine, the control group (a container), or the limit of the process.
std::size_t available_memory() { return std::min({system_memory(), group_memory(), process_memory()}); }

void require_memory(std::size_t bytes, const std::string& name, const ReadOptions& options) {
  const std::size_t available = available_memory();
  if (bytes > available) {
    throw LimitError(
        format_text("{}: the table takes about {} of memory, but only {} are free; read fewer rows with {max_rows} or "
                    "fewer columns with {columns}, or save it as a float32 NPY file, which is mapped and not copied",
                    name, gigabytes(bytes), gigabytes(available)));
  }
  if (bytes >= worth_announcing && options.announce_memory) options.announce_memory(bytes);
}

}  // namespace coppice::internal
