// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Vectors that begin at a line of the cache. Where they do not, every second load of 32 bytes touches two lines.

#include <cstddef>
#include <new>
#include <vector>

namespace coppice::kernels {

template <class Value>
struct LineAllocator {
  using value_type = Value;
  static constexpr std::align_val_t cache_line{64};

  LineAllocator() = default;
  template <class Other>
  LineAllocator(const LineAllocator<Other>& /*other*/) noexcept {}

  [[nodiscard]] Value* allocate(std::size_t n) {
    return static_cast<Value*>(::operator new(n * sizeof(Value), cache_line));
  }
  void deallocate(Value* values, std::size_t /*n*/) noexcept { ::operator delete(values, cache_line); }

  friend bool operator==(const LineAllocator&, const LineAllocator&) noexcept { return true; }
};

template <class Value>
using AlignedVector = std::vector<Value, LineAllocator<Value>>;

}  // namespace coppice::kernels
