// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "coppice/data/dendrogram.hpp"

namespace coppice {

// The whole tree of a hierarchical method, of which the clusters are one level.
struct Hierarchy {
  Dendrogram tree;
  std::vector<double> objective = {};  // before the first merge and after every one; empty if the method has none
};

}  // namespace coppice
