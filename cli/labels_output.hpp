// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "coppice/write/labels.hpp"
#include "output_file.hpp"

namespace coppice::cli {

// In the format that the name of the file says.
void write_labels(const OutputFile& file, const LabelledRows& rows);

// Labels from a file, one for each of n_rows rows; DataError naming the file otherwise.
[[nodiscard]] std::vector<std::int32_t> read_labels_for(const std::string& path, std::size_t n_rows);

// To standard output.
void print_text(std::string_view text);

}  // namespace coppice::cli
