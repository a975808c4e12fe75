// SPDX-License-Identifier: BSD-3-Clause
// Philox is a function of a key and a counter: a stream is its name (seed, purpose, index) and needs no state to be
// shared or skipped. Distributions are written out here, since those of the standard library differ between
// implementations.

#include "coppice/runtime/random.hpp"

#include <Random123/philox.h>

#include <cmath>
#include <numbers>

namespace coppice::internal {

std::uint64_t RandomStream::bits() noexcept {
  if (has_buffer_) {
    has_buffer_ = false;
    return buffer_;
  }
  // The counter holds (block, purpose, index); the key is the seed.
  const r123::Philox4x32::ctr_type counter = {{counter_, static_cast<std::uint32_t>(purpose_),
                                               static_cast<std::uint32_t>(index_),
                                               static_cast<std::uint32_t>(index_ >> 32U)}};
  const r123::Philox4x32::key_type key = {
      {static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32U)}};
  const auto block = r123::Philox4x32{}(counter, key);
  ++counter_;
  buffer_ = (static_cast<std::uint64_t>(block[3]) << 32U) | block[2];
  has_buffer_ = true;
  return (static_cast<std::uint64_t>(block[1]) << 32U) | block[0];
}

// The upper 53 bits: every multiple of 2^-53 in [0, 1), equally likely.
double RandomStream::uniform() noexcept { return static_cast<double>(bits() >> 11U) * 0x1p-53; }

std::size_t RandomStream::below(std::size_t n) noexcept {
  // Rejection above the largest multiple of n keeps every value equally likely.
  const std::uint64_t limit = UINT64_MAX - UINT64_MAX % n;
  for (;;) {
    const std::uint64_t draw = bits();
    if (draw < limit) return static_cast<std::size_t>(draw % n);
  }
}

double RandomStream::normal() noexcept {
  if (has_spare_normal_) {
    has_spare_normal_ = false;
    return spare_normal_;
  }
  // Box-Muller: two uniforms give two normals; 1 - u lies in (0, 1], so that the logarithm is finite.
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  const double angle = 2.0 * std::numbers::pi * uniform();
  spare_normal_ = radius * std::sin(angle);
  has_spare_normal_ = true;
  return radius * std::cos(angle);
}

}  // namespace coppice::internal
