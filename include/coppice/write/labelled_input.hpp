// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The table that a fit was given, with labels behind its columns. The file is read again, so that all of its columns
// are there, clustered or not, in the text that they have there.

#include <functional>
#include <string>
#include <string_view>

#include "coppice/data/read.hpp"
#include "coppice/write/labels.hpp"

namespace coppice::internal {

// Where rows were read from, and how.
struct TableSource {
  std::string path = {};
  ReadOptions options = {};
};

// Standard input and pipes cannot be read again: there it is what was read. `write` is given the text piece by piece.
// DataError if the file is gone or has other rows by now: then what was written so far is not to be kept.
void write_labelled_input(const TableSource& source, const LabelledRows& rows,
                          const std::function<void(std::string_view piece)>& write);

// What was read with the labels, under the names that the source gives.
void write_labelled_rows(const TableSource& source, const LabelledRows& rows,
                         const std::function<void(std::string_view piece)>& write);

}  // namespace coppice::internal
