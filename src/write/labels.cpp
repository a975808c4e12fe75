// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/write/labels.hpp"

#include "coppice/data/npy.hpp"
#include "write/label_cells.hpp"
#include "write/pieces.hpp"

namespace coppice::internal {

void write_labels_csv(const LabelledRows& rows, char separator,
                      const std::function<void(std::string_view piece)>& write) {
  const LabelCells cells(rows, separator);
  Pieces pieces(write);
  pieces.text() += "row";
  cells.append_names(pieces.text(), {});
  pieces.text() += '\n';
  for (std::size_t row = 0; row < rows.labels.size(); ++row) {
    std::string& text = pieces.text();
    append_row_name(text, rows.data, row, separator);
    cells.append(text, row);
    text += '\n';
  }
  pieces.finish();
}

std::string labels_npy(const LabelledRows& rows) { return npy::to_bytes(rows.labels, {rows.labels.size()}); }

}  // namespace coppice::internal
