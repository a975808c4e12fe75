// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The files of a fit's result folder, by the one place that knows their names. Whoever writes another file adds it
// here: a fit that replaces a folder removes these from it, and nothing else.

#include <array>
#include <string_view>

namespace coppice::result_files {

inline constexpr std::string_view model = "model.coppice";
inline constexpr std::string_view labels_csv = "labels.csv";
inline constexpr std::string_view labels_npy = "labels.npy";
inline constexpr std::string_view linkage = "linkage.npy";
inline constexpr std::string_view objective = "objective.npy";
inline constexpr std::string_view summary = "summary.json";

inline constexpr std::array all{model, labels_csv, labels_npy, linkage, objective, summary};

}  // namespace coppice::result_files
