// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "coppice/data/read.hpp"

namespace coppice::cli {

// read(), for a table whose columns are clustered all alike: beside what reading notes, a note names columns that only
// number the rows, unless the user has chosen the columns.
[[nodiscard]] Dataset read_to_cluster(const std::string& path, const ReadOptions& options);

}  // namespace coppice::cli
