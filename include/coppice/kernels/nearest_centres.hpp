// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The nearest of many centres for blocks of rows: a matrix product in single precision whose result never leaves the
// registers. With v = x'c - ||c||^2 / 2, a centre is nearest where v is largest, and ||x - c||^2 = ||x||^2 - 2 v. The
// runner-up is found as well, so that the caller can tell which rows single precision leaves in doubt.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "coppice/kernels/aligned.hpp"
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
  // Among equal values of v, any of the centres wins. A centre that single precision cannot hold is left out, and v
  // is not a number where that one might be nearer. What is to be read after that can come in meanwhile.
  void nearest(const FloatRows& rows, NearestCentres& out, std::span<const std::byte> read_next = {}) const;
  // All centres of v at least `least` for one row, in increasing order; also those whose v is not a number.
  void centres_from(const float* row, float least, std::vector<std::int32_t>& found) const;

  // As the kernel sees them. Places behind the last centre are infinitely far away.
  struct Tiles {
    const float* values = nullptr;  // [tile][column][16]
    const float* halves = nullptr;  // ||c||^2 / 2, [tile][16]
    std::size_t n_tiles = 0;
    std::size_t n_centres = 0;
    std::size_t n_columns = 0;
  };

 private:
  [[nodiscard]] Tiles tiles() const noexcept {
    return {values_.data(), halves_.data(), halves_.size() / tile, n_centres_, n_columns_};
  }

  void doubt_rows_near_those_left_out(const FloatRows& rows, NearestCentres& out) const;

  std::size_t n_columns_ = 0;
  std::size_t n_centres_ = 0;
  double least_left_out_ = std::numeric_limits<double>::infinity();  // length of a centre that does not fit
  AlignedVector<float> values_;
  std::vector<float> halves_;
};

// A squared distance ||x||^2 - 2 v is wrong by at most float_roundings 2^-24 (||x||^2 + ||c||^2).
[[nodiscard]] double float_roundings(std::size_t n_columns) noexcept;

// The rows whose nearest centre the rounding of single precision, or a tie of up to `band` of the squared distances,
// leaves in doubt.
class DoubtfulRows {
 public:
  DoubtfulRows(std::size_t n_columns, double band);

  // Lists them, and returns how many there are.
  std::size_t list(const FloatRows& rows, const NearestCentres& found, std::uint32_t* doubtful) const noexcept;
  // How far apart two squared distances must be to tell which is smaller, if `best` is the largest v.
  [[nodiscard]] float limit(float squared_length, float best) const noexcept;

 private:
  float unit_;
  float least_;
};

// One row in double precision, by differences: the nearest of some centres, its squared distance and that of the next.
struct TwoNearest {
  std::int32_t nearest = 0;
  double best = 0.0;
  double second = 0.0;
};
[[nodiscard]] TwoNearest two_nearest(std::span<const double> row, std::span<const double> centres,
                                     std::span<const std::int32_t> competing) noexcept;

}  // namespace coppice::kernels
