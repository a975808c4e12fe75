// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Sparse matrices of SciPy: the arrays data, indices, indptr, shape and format of compressed rows (csr) or columns
// (csc).

#include <string>
#include <vector>

#include "coppice/data/dataset.hpp"
#include "coppice/data/read.hpp"
#include "data/npz/members.hpp"

namespace coppice::npz {

// Do arrays of these names make a sparse matrix, of whatever format?
[[nodiscard]] bool is_sparse_matrix(const std::vector<std::string>& names);

// Sparse rows, never dense in between. Entries that come twice are added up, as SciPy does.
[[nodiscard]] Dataset read_sparse(const Members& members, const std::string& file, const ReadOptions& options);

}  // namespace coppice::npz
