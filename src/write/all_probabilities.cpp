// SPDX-License-Identifier: BSD-3-Clause
// A number for every row and cluster may be far more than the table: they are written as they are computed, piece by
// piece.

#include "coppice/write/all_probabilities.hpp"

#include <fmt/format.h>

#include <iterator>

#include "coppice/data/npy/header.hpp"
#include "write/label_cells.hpp"
#include "write/pieces.hpp"

namespace coppice::internal {

void write_all_probabilities_csv(const Model& model, const LabelledRows& rows, char separator,
                                 const std::function<void(std::string_view piece)>& write, std::size_t threads) {
  const std::vector<std::string> names = model.probability_names();
  const LabelCells cells(rows, separator);
  Pieces pieces(write);
  pieces.text() += "row";
  cells.append_names(pieces.text(), {});
  for (const std::string& name : names) pieces.text() += separator + name;
  pieces.text() += '\n';
  model.all_probabilities(
      rows.data,
      [&](std::size_t first, std::span<const double> probabilities) {
        const std::size_t n_rows = probabilities.size() / names.size();
        for (std::size_t i = 0; i < n_rows; ++i) {
          std::string& text = pieces.text();
          append_row_name(text, rows.data, first + i, separator);
          cells.append(text, first + i);
          for (const double probability : probabilities.subspan(i * names.size(), names.size())) {
            fmt::format_to(std::back_inserter(text), "{}{:.6g}", separator, probability);
          }
          text += '\n';
        }
      },
      threads);
  pieces.finish();
}

void write_all_probabilities_npy(const Model& model, const Dataset& rows,
                                 const std::function<void(std::string_view piece)>& write, std::size_t threads) {
  write(npy::header_bytes("<f8", {rows.n_rows(), model.probability_names().size()}));
  model.all_probabilities(
      rows,
      [&](std::size_t /*first*/, std::span<const double> probabilities) {
        const auto bytes = std::as_bytes(probabilities);
        write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
      },
      threads);
}

}  // namespace coppice::internal
