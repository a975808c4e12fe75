// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Reads a table, whatever its format: the content decides, not only the name. "-" is standard input.
// Malformed input is a DataError that says "file:line:column: what is wrong, what was expected".

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "coppice/data/dataset.hpp"

namespace coppice {

struct ReadOptions {
  std::vector<std::string> columns;    // names, or numbers from 1; empty: all but the id and weight columns
  std::optional<std::string> id;       // column that names the rows
  std::optional<std::string> weights;  // column (or file with one number per row) that weighs them
};

[[nodiscard]] Dataset read(const std::string& path, const ReadOptions& options = {});

// One label per row: the `label` column of a labels.csv, the only column of a file, or an integer NPY array.
// Words become numbers in order of their first appearance; whole numbers stay as they are.
[[nodiscard]] std::vector<std::int32_t> read_labels(const std::string& path);

}  // namespace coppice
