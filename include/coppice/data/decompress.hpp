// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Compressed input, known by its first bytes: gzip, xz, zstd, bzip2.

#include "coppice/data/input.hpp"
#include "coppice/data/mapped_file.hpp"
#include "coppice/data/read.hpp"

namespace coppice::internal {

// The unpacked bytes under the same name; content that is not compressed as it is. DataError if the compressed bytes
// are damaged or end too early, LimitError if what comes out does not fit into memory.
[[nodiscard]] Content decompressed(Content content, const ReadOptions& options);

// The same for what the user named. Unpacked bytes are not those of the file, so that its path is forgotten.
[[nodiscard]] Input decompressed(Input input, const ReadOptions& options);

}  // namespace coppice::internal
