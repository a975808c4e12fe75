// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A row's name, its label and its probability as cells of a line.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "coppice/write/labels.hpp"

namespace coppice::internal {

// The name itself, or with underscores behind it if there is a column of that name already.
inline std::string unused_name(const std::vector<std::string>& names, std::string name) {
  while (std::ranges::find(names, name) != names.end()) name += '_';
  return name;
}

// The row's name, or its number from 0.
inline void append_row_name(std::string& text, const Dataset& data, std::size_t row, char separator) {
  if (data.ids().empty()) {
    fmt::format_to(std::back_inserter(text), "{}", row);
  } else {
    text += text_field(data.ids()[row], separator);
  }
}

class LabelCells {
 public:
  // The rows must outlive this.
  LabelCells(const LabelledRows& rows, char separator) : rows_(rows), separator_(separator) {}

  // Each with the separator before it, to go behind something.
  void append_names(std::string& text, const std::vector<std::string>& used) const {
    text += separator_;
    text += unused_name(used, "label");
    if (rows_.probabilities.empty()) return;
    text += separator_;
    text += unused_name(used, "probability");
  }
  void append(std::string& text, std::size_t row) const {
    fmt::format_to(std::back_inserter(text), "{}{}", separator_, rows_.labels[row]);
    if (rows_.probabilities.empty()) return;
    fmt::format_to(std::back_inserter(text), "{}{:.6g}", separator_, rows_.probabilities[row]);
  }

 private:
  const LabelledRows& rows_;
  char separator_;
};

}  // namespace coppice::internal
