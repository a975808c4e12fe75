// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Labels as a file has them, with what else tells which row and which class they are.
//
//   LabelColumn truth = read_label_column("species.csv");
//   truth.name_of(truth.labels[0]);   // "Adelie"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace coppice::internal {

struct LabelColumn {
  std::string file = {};                  // for messages
  std::vector<std::int32_t> labels = {};  // one per row
  std::vector<std::string> ids = {};  // of the rows, by the column `row` or `id` beside `label`; empty if there is none
  std::vector<std::string> words = {};  // of label 0, 1, ... if the file has words; empty for numbers

  [[nodiscard]] std::string name_of(std::int32_t label) const;
};

// One label per row: the `label` column of a labels.csv, the only column of any table (besides one of ids), or the
// labels of a LIBSVM file. Words become numbers in order of their first appearance; whole numbers stay as they are.
// `id` is another name that the column of ids may have. Rows whose ids are the numbers 0 to N - 1, each once, come in
// the order of these numbers.
[[nodiscard]] LabelColumn read_label_column(const std::string& path, const std::string& id = "row");

// How two lists of rows were brought together.
enum class Matching : std::uint8_t {
  by_id,        // both have ids
  by_position,  // neither has, or nothing but row numbers
  ids_unused,   // one has ids, the other has none: by position, which may be wrong
};

// Puts rows whose ids are the numbers 0 to N - 1, each once, into the order of these numbers.
void put_in_row_order(LabelColumn& labels);

// Puts labels into the order of the rows that have these ids (empty: none; `file` names them in messages). DataError if
// there are not as many labels as rows, or if both have ids and one is missing from the other or is there twice.
Matching match_rows(LabelColumn& labels, const std::vector<std::string>& ids, std::size_t n_rows,
                    const std::string& file);

}  // namespace coppice::internal
