// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Text tables: CSV, TSV, semicolons, vertical bars or blanks, with or without a header.

#include "coppice/data/csv/layout.hpp"
#include "coppice/data/dataset.hpp"
#include "coppice/data/mapped_file.hpp"
#include "coppice/data/read.hpp"
#include "data/csv/pieces.hpp"

namespace coppice::csv {

// Reads the columns that the options choose; the others are not looked at. Weights of a file are not its business.
// Neither the table nor an error depends on the number of threads or on the length of the pieces.
[[nodiscard]] Dataset read(const internal::Content& content, const Layout& layout, const ReadOptions& options,
                           std::size_t bytes_per_piece = default_bytes_per_piece);

}  // namespace coppice::csv
