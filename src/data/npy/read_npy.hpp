// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coppice/data/dataset.hpp"
#include "coppice/data/mapped_file.hpp"
#include "coppice/data/npy/header.hpp"
#include "coppice/data/read.hpp"

namespace coppice::npy {

// The table in the bytes of an .npy file. Little-endian f4 and f8 in C order are viewed, all else is converted.
[[nodiscard]] Dataset read(const internal::Content& content, const ReadOptions& options);

// The same for an array that is described already: the first axis are the rows, all others make the columns. It is not
// empty, and its data are in the bytes.
[[nodiscard]] Dataset to_table(Header header, const internal::Content& content, const ReadOptions& options);

}  // namespace coppice::npy
