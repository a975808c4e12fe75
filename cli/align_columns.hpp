// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

#include "coppice/data/dataset.hpp"
#include "coppice/model/model.hpp"
#include "note.hpp"

namespace coppice::cli {

// A table for a model: where it comes from, and whether its columns are taken as they stand.
struct TableOfModel {
  std::string path;
  bool by_position = false;
  std::function<void(const Text&)> note = print_note;
};

// The columns that the model was fitted to, in its order (match_columns). DataError that names the table's path if they
// are not there. A note where only one of the two has names.
[[nodiscard]] Dataset align_columns(const Dataset& table, const Model& model, const TableOfModel& from);

}  // namespace coppice::cli
