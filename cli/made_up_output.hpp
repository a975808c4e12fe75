// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Where a table that was made up goes, and the labels of its rows.

#include <string>

#include "coppice/data/generate.hpp"
#include "output_file.hpp"

namespace coppice::cli {

struct MadeUpOutput {
  OutputFile out;
  std::string labels;  // empty: they are not written
};

// Refused before anything is made up.
void check_made_up_output(const MadeUpOutput& to);
void write_made_up(const MadeUpOutput& to, const Generated& made);

// LIBSVM holds what is not 0: no need for a table of zeros.
[[nodiscard]] bool holds_no_zeros(const std::string& path);

}  // namespace coppice::cli
