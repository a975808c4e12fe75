// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The folder that a fit writes.

#include <filesystem>
#include <string>

#include "coppice/methods/fit.hpp"
#include "coppice/write/labelled_input.hpp"
#include "coppice/write/summary.hpp"

namespace coppice::cli {

struct ResultFolder {
  std::filesystem::path path;
  bool force = false;            // it may replace an earlier result
  std::string labels_format;     // csv, npy or table
  internal::TableSource source;  // of the rows
};

// IoError if the folder cannot be written, or is not to be replaced: because nobody said so, because it is no earlier
// result, or because the input is in it. Asked before any work is done.
void check_result_folder(const ResultFolder& folder);

// Everything into a folder that appears at once; returns the summary. May add to the fit's warnings.
std::string write_result(const ResultFolder& folder, const Dataset& data, Fit& fit, internal::SummaryContext& context);

// What stands in the folder, for the last line of the output.
[[nodiscard]] std::string files_of_result(const ResultFolder& folder, const Fit& fit);

}  // namespace coppice::cli
