// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Random draws over rows that depend on the rows' contents and not on their order: shuffled rows give the same draw, a
// row of weight w is as likely as w copies of it, and a row of weight 0 might as well be absent.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coppice/data/rows.hpp"
#include "coppice/runtime/random.hpp"

namespace coppice::internal {

// A hash of the row's values as doubles, -0 taken as 0.
[[nodiscard]] std::uint64_t row_hash(const Dataset& data, std::size_t row) noexcept;

// Whether row a comes before row b in the order (hash, then values) that replaces the order of the file.
[[nodiscard]] bool content_less(const Dataset& data, std::size_t a, std::size_t b);

// The same, of dense rows without their values' powers of two, so that columns may come in other units. Different rows
// may hash alike.
[[nodiscard]] std::uint64_t unit_free_hash(const Dataset& data, std::size_t row) noexcept;
[[nodiscard]] bool unit_free_less(const Dataset& data, std::size_t a, std::size_t b);

// The rows (with weight) of the n lowest contents in the order that is free of units, all copies of each, by increasing
// row number: a sample that knows neither the order of the rows nor how often they are repeated.
[[nodiscard]] std::vector<std::size_t> content_sample(const Execution& execution, const Dataset& data, std::size_t n);

// One of `candidates` (row numbers), with probability proportional to its mass (>= 0, one per candidate). Masses are
// summed in 65,536 buckets of the hash; the draw picks a bucket, and only that bucket's rows are put in order. If all
// masses are zero, the first candidate in the order that is free of units.
[[nodiscard]] std::size_t draw_row(const Dataset& data, std::span<const std::size_t> candidates,
                                   std::span<const double> masses, RandomStream& random);

}  // namespace coppice::internal
