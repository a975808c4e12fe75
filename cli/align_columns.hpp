// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "coppice/data/dataset.hpp"
#include "coppice/model/model.hpp"

namespace coppice::cli {

// The table's columns in the order of the model's input: by name where the table has all of its names, else as they
// are, if there are as many. DataError that names the table's path otherwise.
[[nodiscard]] Dataset align_columns(const Dataset& table, const Model& model, const std::string& path);

}  // namespace coppice::cli
