// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Tables as files, the format by the ending of the name, in capitals or not:
//   .csv .tsv       a header and all that belongs to the rows: names, weights, words, gaps as empty cells
//   .npy            the numbers as they are stored
//   .svm .libsvm    LIBSVM text, with 0 for the labels
// Devices, pipes and names of open files without such an ending get CSV.
//
//   write_table(points, "points.npy");

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "coppice/data/dataset.hpp"

namespace coppice {

// The file appears whole or not at all. OptionError if the ending is unknown, or if the format cannot hold the table
// (sparse rows, words, row names, weights or gaps); IoError if it cannot be written, or exists although it is not to be
// replaced.
void write_table(const Dataset& table, const std::filesystem::path& path, bool replace = true);

// OptionError if the ending is unknown. For asking before long work.
void check_table_path(const std::filesystem::path& path);

// The same text as a .csv file has, piece by piece.
void write_csv(const Dataset& table, const std::function<void(std::string_view piece)>& write);

// ".npy" of "a/B.NPY".
[[nodiscard]] std::string lower_case_ending(const std::filesystem::path& path);
// OptionError that lists the endings there are.
[[noreturn]] void refuse_ending(const std::filesystem::path& path, std::string_view known);

}  // namespace coppice
