// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Reads a table, whatever its format: the content decides, not only the name. "-" is standard input, "file.h5:/path" a
// dataset inside an HDF5 file, "file.npz:/name" an array of several.
// Malformed input is a DataError that says "file:line:column: what is wrong, what was expected"; a table that does not
// fit into memory is a LimitError before it is read.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "coppice/data/dataset.hpp"
#include "coppice/runtime/text.hpp"

namespace coppice {

// Whether the first line of a text table holds the names of the columns.
enum class HeaderRule : std::uint8_t { automatic, present, absent };

struct ReadOptions {
  std::vector<std::string> columns = {};         // names, or numbers from 1; empty: all but the id and weight columns
  std::optional<std::string> id = {};            // column that names the rows
  std::optional<std::string> weights = {};       // column (or file with one number per row) that weighs them
  std::map<std::string, ColumnKind> types = {};  // kinds of columns (by name or number) that are not to be guessed
  std::optional<std::size_t> max_rows = {};      // read only so many rows, the first ones
  std::optional<std::string> query = {};         // of an SQLite database: the SELECT whose result is the table
  HeaderRule header = HeaderRule::automatic;     // of a text table; other formats have none
  bool keep_words = false;                       // yes/no and true/false as written; else they are 1 and 0, binary
  bool keep_missing = false;                     // empty cells, NA and NULL as missing entries instead of an error
  std::size_t threads = 0;                       // 0: all cores
  // Told before a read that needs much memory: about how many bytes the table takes.
  std::function<void(std::size_t bytes)> announce_memory = {};
  // Told what may have been read otherwise than it was meant, in a sentence.
  std::function<void(const Text& text)> note = {};
};

[[nodiscard]] Dataset read(const std::string& path, const ReadOptions& options = {});

// The file behind such a name: "file.h5" of "file.h5:/path".
[[nodiscard]] std::string file_of_input(const std::string& name);

// One label per row: the `label` column of a labels.csv, the only column of any table, or the labels of a LIBSVM file.
// Words become numbers in order of their first appearance; whole numbers stay as they are.
[[nodiscard]] std::vector<std::int32_t> read_labels(const std::string& path);

}  // namespace coppice
