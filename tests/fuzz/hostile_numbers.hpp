// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Bytes as a story: each draw takes the next one, and 0 when there are no more, so that every input is complete and
// short inputs are plain ones. Numbers are drawn from where arithmetic ends: denormal, huge, and what overflows or
// vanishes when squared.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace coppice::fuzz {

class Draws {
 public:
  explicit Draws(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const std::uint8_t first = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return first;
  }
  std::size_t below(std::size_t n) { return byte() % n; }
  // True for few bytes, and never once there are no more.
  bool now_and_then() { return byte() >= 208; }

  double magnitude() {
    constexpr std::array<double, 32> sizes{1.0,    1e-1,   1e-3,  1e-6,   1e-12,  1e-19,  1e-23,  1e-38,
                                           1e-45,  1e-60,  1e-76, 1e-100, 1e-145, 1e-154, 1e-162, 1e-200,
                                           1e-308, 5e-324, 10.0,  1e3,    1e6,    1e12,   1e15,   1e19,
                                           1e30,   3e38,   1e60,  1e76,   1e100,  1e150,  1e154,  1.7e308};
    return sizes[byte() % sizes.size()];
  }
  // From -8 to 8 in steps of a sixteenth: values come back, and lie on a grid.
  double small() { return (static_cast<double>(byte()) - 128.0) / 16.0; }

  // Any finite number; positive ones alone for weights and options.
  double hostile() {
    const double value = magnitude() * small();
    return std::isfinite(value) ? value : std::copysign(1.7e308, value);
  }
  double hostile_weight() { return now_and_then() ? 0.0 : magnitude() * (1.0 + static_cast<double>(below(4))) / 4.0; }

 private:
  std::span<const std::uint8_t> bytes_;
};

}  // namespace coppice::fuzz
