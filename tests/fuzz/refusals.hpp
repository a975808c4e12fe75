// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What every fuzz target demands of a reader: whatever the bytes, it returns a table or refuses them with an error of
// the library, and the table keeps its promises.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "coppice/data/dataset.hpp"
#include "coppice/data/mapped_file.hpp"
#include "coppice/data/word_gaps.hpp"
#include "coppice/runtime/error.hpp"

namespace coppice::fuzz {

inline void demand(bool holds, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  if (holds) return;
  std::fprintf(stderr, "%s:%d: does not hold\n", file, line);
  std::abort();
}

inline internal::Content content(const std::uint8_t* data, std::size_t size) {
  return internal::content_of(std::string(reinterpret_cast<const char*>(data), size), "input");
}

enum class Gaps : std::uint8_t { refused, kept };

inline void check_table(const Dataset& table, Gaps gaps) {
  demand(table.columns().size() == table.n_columns());
  demand(table.ids().empty() || table.ids().size() == table.n_rows());
  demand(table.weights().empty() || table.weights().size() == table.n_rows());
  for (std::size_t row = 0; row < table.n_rows(); ++row) {
    if (table.is_sparse()) {
      const SparseRow entries = table.sparse_row(row);
      for (std::size_t entry = 0; entry < entries.size(); ++entry) {
        demand(entries.columns[entry] < table.n_columns() && std::isfinite(entries.value(entry)));
      }
    } else {
      for (std::size_t column = 0; column < table.n_columns(); ++column) {
        demand(std::isfinite(table.value(row, column)) || (gaps == Gaps::kept && table.n_missing(column) > 0));
      }
    }
  }
  for (const CategoryColumn& column : table.categories()) {
    demand(column.codes.size() == table.n_rows());
    demand(gaps == Gaps::kept || internal::n_missing(column) == 0);
    for (const std::int32_t code : column.codes)
      demand(code == internal::no_word || (code >= 0 && static_cast<std::size_t>(code) < column.levels.size()));
  }
}

// `read` returns a table. An error must say something, and must not be one for which the bytes are not to blame.
template <class Read>
void check_reader(const Read& read, Gaps gaps = Gaps::refused) {
  try {
    check_table(read(), gaps);
  } catch (const DataError& error) {
    demand(error.what()[0] != '\0');
  } catch (const LimitError& error) {
    demand(error.what()[0] != '\0');
  } catch (const OptionError& error) {  // a part of the file must be chosen first
    demand(error.what()[0] != '\0');
  }
}

}  // namespace coppice::fuzz
