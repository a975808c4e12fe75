// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// From lines to numbers: a piece of the file is parsed straight into its rows of the table.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "coppice/data/csv/layout.hpp"
#include "data/csv/pieces.hpp"
#include "data/csv/plan.hpp"
#include "data/words.hpp"

namespace coppice::csv {

// The rows of all pieces, side by side.
struct Table {
  Table(const Plan& plan, std::size_t n_rows);

  // About how many bytes such a table takes.
  [[nodiscard]] static std::size_t size(const Plan& plan, std::size_t n_rows) noexcept;

  std::size_t n_rows;
  std::vector<double> values;  // row by row, plan.n_numbers each
  std::vector<double> weights;
  std::vector<std::string> ids;
  std::vector<std::vector<std::int32_t>> codes;  // plan.n_words columns; each piece has its own words
};

class RowParser {
 public:
  RowParser(const Layout& layout, const Plan& plan, const std::string& file)
      : layout_(layout), plan_(plan), file_(file) {}

  // Parses a piece into its rows and notes its words, one entry per column of words. DataError for the first bad cell.
  void parse(const Piece& piece, Table& table, std::span<internal::Words> words) const;

  // Parses pieces whose rows cannot all be complete, one after the other, to find the first that is not.
  [[noreturn]] void refuse(std::span<const Piece> pieces) const;

 private:
  const Layout& layout_;
  const Plan& plan_;
  const std::string& file_;
};

}  // namespace coppice::csv
