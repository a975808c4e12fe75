// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

#include "coppice/write/labels.hpp"

namespace coppice::cli {

// labels.csv (csv and table) or labels.npy in the folder; returns the file's name.
std::string write_labels(const std::filesystem::path& folder, const std::string& format, const LabelledRows& rows);

// Text to a file, whole or not at all; an empty path means standard output.
void write_text(const std::string& path, std::string_view text);

}  // namespace coppice::cli
