// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Memory that is read after a computation, and comes in evenly spread over it: asked for at once, it would have to be
// waited for.

#include <algorithm>
#include <cstddef>
#include <span>

namespace coppice::kernels {

class ReadAhead {
 public:
  static constexpr std::size_t line = 64;  // bytes of the cache that come in together

  // The computation consists of so many groups.
  ReadAhead(std::span<const std::byte> memory, std::size_t n_groups) noexcept
      : at_(memory.data()),
        n_lines_((memory.size() + line - 1) / line),
        n_per_group_((n_lines_ + n_groups - 1) / n_groups) {}

  // What a group brings in: at most so many lines.
  struct Lines {
    const std::byte* first;
    std::size_t n;
  };
  Lines next(std::size_t most) noexcept {
    const Lines lines{at_, std::min({n_per_group_, n_lines_, most})};
    at_ += lines.n * line;
    n_lines_ -= lines.n;
    return lines;
  }

 private:
  const std::byte* at_;
  std::size_t n_lines_;
  std::size_t n_per_group_;
};

}  // namespace coppice::kernels
