// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// NPZ: a zip archive of NPY arrays, as numpy.savez writes it, packed or not; or the parts of a sparse matrix, as
// scipy.sparse.save_npz writes them.

#include <string_view>

#include "coppice/data/format.hpp"

namespace coppice::npz {

// Every zip archive does; read() says what it is if it is something else.
[[nodiscard]] bool looks_like_npz(std::string_view bytes) noexcept;

// The only array, the one that the input's part names, or the sparse matrix.
[[nodiscard]] internal::StoredTable read(const internal::Input& input, const ReadOptions& options);

}  // namespace coppice::npz
