// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A table's rows as cells of text: row names, numbers, words, weights. Numbers are as short as they can be while they
// stay the same when read.

#include <string>
#include <string_view>
#include <vector>

#include "coppice/data/dataset.hpp"

namespace coppice::internal {

class CsvCells {
 public:
  // The table must outlive this.
  CsvCells(const Dataset& table, char separator, std::string id_name = "row");

  // Without a line end, so that more can follow.
  void append_header(std::string& text) const;
  void append_row(std::string& text, std::size_t row) const;
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }

 private:
  void append_numbers(std::string& text, std::size_t row) const;
  void append_sparse(std::string& text, std::size_t row) const;

  const Dataset& table_;
  char separator_;
  std::vector<std::string> names_;  // of all cells of a line
};

}  // namespace coppice::internal
