// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// IDX, the format of the MNIST digits: two zero bytes, a type, the number of axes, their extents and the values, all
// big endian.

#include <string_view>

#include "coppice/data/dataset.hpp"
#include "coppice/data/mapped_file.hpp"
#include "coppice/data/read.hpp"

namespace coppice::idx {

[[nodiscard]] bool looks_like_idx(std::string_view bytes) noexcept;

// The first axis are the rows, all others together the columns: 60,000 images of 28 x 28 have 784.
[[nodiscard]] Dataset read(const internal::Content& content, const ReadOptions& options);

}  // namespace coppice::idx
