// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Labels as files.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "coppice/data/dataset.hpp"

namespace coppice::internal {

struct LabelledRows {
  const Dataset& data;
  std::span<const std::int32_t> labels;
  std::span<const double> probabilities = {};  // empty: none are written
};

// `row,label,probability`; row is the row's name, or its number from 0. A tab for the separator makes it TSV. `write`
// is given the text piece by piece, so that a table of many rows is never in memory as text.
void write_labels_csv(const LabelledRows& rows, char separator,
                      const std::function<void(std::string_view piece)>& write);
// int32, one per row.
[[nodiscard]] std::string labels_npy(const LabelledRows& rows);

// A word as a field: in quotes where it would be taken for something else.
[[nodiscard]] std::string text_field(std::string_view word, char separator);

}  // namespace coppice::internal
