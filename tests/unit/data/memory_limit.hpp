// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Lets the process believe, as long as the object lives, that it may have no more memory than this.

#include <sys/resource.h>

#include <cstddef>

namespace coppice {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool can_limit_memory = false;  // sanitizers take terabytes of addresses for themselves
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool can_limit_memory = false;
#else
inline constexpr bool can_limit_memory = true;
#endif
#else
inline constexpr bool can_limit_memory = true;
#endif

class MemoryLimit {
 public:
  explicit MemoryLimit(std::size_t bytes) {
    ::getrlimit(RLIMIT_AS, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_AS, &limit);
  }
  ~MemoryLimit() { ::setrlimit(RLIMIT_AS, &before_); }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  rlimit before_{};
};

}  // namespace coppice
