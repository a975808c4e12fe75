// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/write/labels.hpp"

#include <fmt/format.h>

#include <iterator>

#include "coppice/data/npy.hpp"
#include "write/label_cells.hpp"
#include "write/pieces.hpp"

namespace coppice::internal {

namespace {

void append_name(std::string& text, const Dataset& data, std::size_t row, char separator) {
  if (data.ids().empty()) {
    fmt::format_to(std::back_inserter(text), "{}", row);
  } else {
    text += text_field(data.ids()[row], separator);
  }
}

}  // namespace

void write_labels_csv(const LabelledRows& rows, char separator,
                      const std::function<void(std::string_view piece)>& write) {
  const LabelCells cells(rows, separator);
  Pieces pieces(write);
  pieces.text() += "row";
  cells.append_names(pieces.text(), {});
  pieces.text() += '\n';
  for (std::size_t row = 0; row < rows.labels.size(); ++row) {
    std::string& text = pieces.text();
    append_name(text, rows.data, row, separator);
    cells.append(text, row);
    text += '\n';
  }
  pieces.finish();
}

std::string labels_npy(const LabelledRows& rows) { return npy::to_bytes(rows.labels, {rows.labels.size()}); }

}  // namespace coppice::internal
