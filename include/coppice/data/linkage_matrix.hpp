// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A tree of merges as SciPy keeps it: one row (a, b, height, size) per merge, N - 1 rows for N leaves.
//
//   const Dendrogram tree = read_linkage("points.coppice/linkage.npy");
//   const std::vector<std::int32_t> labels = cut(tree, 5);

#include <span>
#include <string>
#include <vector>

#include "coppice/data/dendrogram.hpp"

namespace coppice::internal {

// Row by row.
[[nodiscard]] std::vector<double> to_linkage_matrix(const Dendrogram& tree);

// The tree behind 4 (N - 1) numbers. DataError "name: merge i: what is wrong" unless every node is taken once, none
// before it is made, heights are finite and not negative, and sizes are those of the leaves below.
[[nodiscard]] Dendrogram from_linkage_matrix(std::span<const double> values, const std::string& name);

// The same out of an NPY file of shape (N - 1, 4).
[[nodiscard]] Dendrogram read_linkage(const std::string& path);

}  // namespace coppice::internal
