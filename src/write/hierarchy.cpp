// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/write/hierarchy.hpp"

#include "coppice/data/linkage_matrix.hpp"
#include "coppice/data/npy.hpp"

namespace coppice::internal {

std::string linkage_npy(const Dendrogram& tree) {
  return npy::to_bytes(to_linkage_matrix(tree), {tree.merges.size(), 4});
}

std::string objective_npy(std::span<const double> objective) { return npy::to_bytes(objective, {objective.size()}); }

}  // namespace coppice::internal
