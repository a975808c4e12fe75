// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The nearest of many centres for blocks of rows: a matrix product in single precision whose result never leaves the
// registers. With v = x'c - ||c||^2 / 2, a centre is nearest where v is largest, and ||x - c||^2 = ||x||^2 - 2 v. The
// runner-up is found as well, so that the caller can tell which rows single precision leaves in doubt.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/kernels/panel.hpp"

namespace coppice::kernels {

// A block of rows as floats less the origin, one after the other, with their squared lengths.
struct FloatRows {
  std::vector<float> values;
  std::vector<float> squared_lengths;
  std::size_t n_rows = 0;
};
void load_floats(const StoredRows& rows, std::size_t n_columns, FloatRows& out);

// For every row: the nearest centre, and v of that one and of the next.
struct NearestCentres {
  std::vector<std::int32_t> nearest;
  std::vector<float> best;
  std::vector<float> second;
};

// Centres in the order in which the kernel reads them: tiles of 16, in each of them column by column.
class PackedCentres {
 public:
  static constexpr std::size_t tile = 16;
  static constexpr std::size_t chunk_columns = 128;  // that are summed up at a time

  PackedCentres() = default;
  PackedCentres(std::span<const double> centres, std::size_t n_columns);

  [[nodiscard]] std::size_t size() const noexcept { return n_centres_; }
  // Among equal values of v, any of the centres wins.
  void nearest(const FloatRows& rows, NearestCentres& out) const;

  // As the kernel sees them. Places behind the last centre are infinitely far away.
  struct Tiles {
    const float* values = nullptr;  // [tile][column][16]
    const float* halves = nullptr;  // ||c||^2 / 2, [tile][16]
    std::size_t n_tiles = 0;
    std::size_t n_columns = 0;
  };

 private:
  std::size_t n_columns_ = 0;
  std::size_t n_centres_ = 0;
  std::vector<float> values_;
  std::vector<float> halves_;
};

// A squared distance ||x||^2 - 2 v is wrong by at most float_roundings 2^-24 (||x||^2 + ||c||^2).
[[nodiscard]] double float_roundings(std::size_t n_columns) noexcept;

// The rows whose nearest centre the rounding of single precision, or a tie of up to `band` of what is compared, leaves
// in doubt; returns how many there are.
std::size_t doubtful_rows(const FloatRows& rows, const NearestCentres& found, std::size_t n_columns, double band,
                          std::uint32_t* doubtful) noexcept;

}  // namespace coppice::kernels
