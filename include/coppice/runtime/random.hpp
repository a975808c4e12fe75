// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Counter-based random streams (Philox 4x32-10, Salmon et al. 2011). A stream is named by (seed, purpose, index) and
// its numbers are frozen: golden files depend on them. Make one per task; never share one, never pass one on.
//
//   RandomStream random{seed, Purpose::split, cluster};
//   double u = random.uniform();

#include <cstddef>
#include <cstdint>

namespace coppice::internal {

// What a stream is for. Numbers are part of the format: append, never renumber.
enum class Purpose : std::uint32_t {
  seeding = 1,
  subsample = 2,
  split = 3,
  generate = 4,
  test = 5,
  restart = 6,
  transform = 7,
  resample = 8,
  sample = 9,
  truncation = 10,
  exploration = 11
};

class RandomStream {
 public:
  RandomStream(std::uint64_t seed, Purpose purpose, std::uint64_t index = 0) noexcept
      : seed_(seed), index_(index), purpose_(purpose) {}

  [[nodiscard]] std::uint64_t bits() noexcept;  // 64 random bits
  [[nodiscard]] double uniform() noexcept;      // in [0, 1), 53 bits
  [[nodiscard]] double uniform(double low, double high) noexcept { return low + (high - low) * uniform(); }
  [[nodiscard]] std::size_t below(std::size_t n) noexcept;  // in 0..n-1, unbiased; n > 0
  [[nodiscard]] double normal() noexcept;                   // mean 0, variance 1

 private:
  std::uint64_t seed_;
  std::uint64_t index_;
  Purpose purpose_;
  std::uint32_t counter_ = 0;  // 128-bit blocks drawn so far
  std::uint64_t buffer_ = 0;   // second half of the last block
  bool has_buffer_ = false;
  double spare_normal_ = 0.0;
  bool has_spare_normal_ = false;
};

}  // namespace coppice::internal
