// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// LIBSVM and SVMlight text: "label index:value index:value ... # comment" per row. Indices count from 1, unless an
// index 0 occurs in the file; values that are not given are 0.

#include <cstdint>
#include <string_view>
#include <vector>

#include "coppice/data/dataset.hpp"
#include "coppice/data/mapped_file.hpp"
#include "coppice/data/read.hpp"

namespace coppice::libsvm {

// Are most words of the first lines, besides a label in front of each, pairs with a colon?
[[nodiscard]] bool looks_like_libsvm(std::string_view bytes) noexcept;

// A sparse table, as wide as the largest index of the rows read. The labels are no column.
[[nodiscard]] Dataset read(const internal::Content& content, const ReadOptions& options);

// The labels alone. DataError if one is not a whole number of 32 bits.
[[nodiscard]] std::vector<std::int32_t> read_labels(const internal::Content& content);

}  // namespace coppice::libsvm
