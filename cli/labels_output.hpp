// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "coppice/write/labels.hpp"

namespace coppice::cli {

// labels.npy, or labels.csv for the formats csv and table.
[[nodiscard]] std::string labels_name(const std::string& format);
void write_labels(const std::filesystem::path& folder, const std::string& format, const LabelledRows& rows);

// Labels from a file, one for each of n_rows rows; DataError naming the file otherwise.
[[nodiscard]] std::vector<std::int32_t> read_labels_for(const std::string& path, std::size_t n_rows);

// Text to a file, whole or not at all; an empty path means standard output.
void write_text(const std::string& path, std::string_view text);

}  // namespace coppice::cli
