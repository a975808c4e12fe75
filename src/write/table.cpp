// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/write/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>

#include "coppice/data/npy/header.hpp"
#include "coppice/runtime/ascii.hpp"
#include "coppice/runtime/atomic_file.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"
#include "write/csv_cells.hpp"
#include "write/pieces.hpp"

namespace coppice {
using namespace internal;

namespace {

using Write = std::function<void(std::string_view)>;

// Sparse rows written out in full: beyond this, nobody meant it.
constexpr std::size_t most_sparse_cells = 1'000'000'000;

void write_text(const Dataset& table, char separator, const Write& write) {
  if (table.is_sparse() && table.n_rows() > most_sparse_cells / table.n_columns()) {
    throw LimitError(
        fmt::format("a sparse table of {} rows and {} columns is too large to be written out in full; "
                    "write it as .svm",
                    table.n_rows(), table.n_columns()));
  }
  const CsvCells cells(table, separator);
  Pieces pieces(write);
  cells.append_header(pieces.text());
  pieces.text() += '\n';
  for (std::size_t row = 0; row < table.n_rows(); ++row) {
    std::string& text = pieces.text();
    cells.append_row(text, row);
    text += '\n';
  }
  pieces.finish();
}

void write_commas(const Dataset& table, const Write& write) { write_text(table, ',', write); }
void write_tabs(const Dataset& table, const Write& write) { write_text(table, '\t', write); }

void expect_numbers_alone(const Dataset& table, std::string_view format) {
  const std::string_view what = !table.categories().empty() ? "columns of words"
                                : !table.ids().empty()      ? "row names"
                                : !table.weights().empty()  ? "weights"
                                : table.has_missing()       ? "missing entries"
                                                            : "";
  if (what.empty()) return;
  throw OptionError(fmt::format(
      "{} holds nothing but numbers, and the table has {}; write it as .csv, or leave them out", format, what));
}

void write_npy(const Dataset& table, const Write& write) {
  expect_numbers_alone(table, "an NPY file");
  if (table.is_sparse()) {
    throw OptionError(
        fmt::format("the table of {} rows and {} columns is sparse, and an NPY file would hold all its "
                    "zeros; write it as .svm",
                    table.n_rows(), table.n_columns()));
  }
  const bool is_float = table.storage() == Storage::float32;
  write(npy::header_bytes(is_float ? "<f4" : "<f8", {table.n_rows(), table.n_columns()}));
  const auto bytes = is_float ? std::as_bytes(table.floats()) : std::as_bytes(table.doubles());
  write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

template <class Value>
void append_pair(std::string& text, std::size_t column, Value value) {
  if (value != Value{0} || std::signbit(value)) fmt::format_to(std::back_inserter(text), " {}:{}", column + 1, value);
}

// The pairs of one row; zeros are left out.
void append_pairs(std::string& text, const Dataset& table, std::size_t row) {
  const std::size_t n_columns = table.n_columns();
  const bool is_float = table.storage() == Storage::float32;
  if (table.is_sparse()) {
    const SparseRow entries = table.sparse_row(row);
    for (std::size_t entry = 0; entry < entries.size(); ++entry) {
      if (is_float) {
        append_pair(text, entries.columns[entry], entries.floats[entry]);
      } else {
        append_pair(text, entries.columns[entry], entries.doubles[entry]);
      }
    }
    return;
  }
  for (std::size_t column = 0; column < n_columns; ++column) {
    if (is_float) {
      append_pair(text, column, table.floats()[row * n_columns + column]);
    } else {
      append_pair(text, column, table.doubles()[row * n_columns + column]);
    }
  }
}

void write_libsvm(const Dataset& table, const Write& write) {
  expect_numbers_alone(table, "a LIBSVM file");
  Pieces pieces(write);
  for (std::size_t row = 0; row < table.n_rows(); ++row) {
    std::string& text = pieces.text();
    text += '0';
    append_pairs(text, table, row);
    // The largest index tells how many columns there are: the first row has it, if only with a 0.
    const double last = table.value(row, table.n_columns() - 1);
    if (row == 0 && last == 0.0 && !std::signbit(last)) {
      fmt::format_to(std::back_inserter(text), " {}:0", table.n_columns());
    }
    text += '\n';
  }
  pieces.finish();
}

struct Format {
  std::string_view ending;
  void (*write)(const Dataset& table, const Write& write);
};
constexpr std::array formats{Format{".csv", write_commas}, Format{".tsv", write_tabs}, Format{".npy", write_npy},
                             Format{".svm", write_libsvm}, Format{".libsvm", write_libsvm}};

const Format& format_of(const std::filesystem::path& path) {
  const auto found = std::ranges::find(formats, lower_case_ending(path), &Format::ending);
  if (found != formats.end()) return *found;
  if (is_written_in_place(path)) return formats.front();
  std::string endings;
  for (const Format& format : formats) endings += fmt::format("{}{}", endings.empty() ? "" : ", ", format.ending);
  refuse_ending(path, endings);
}

}  // namespace

std::string lower_case_ending(const std::filesystem::path& path) {
  return ascii::lower_case(path.extension().string());
}

void refuse_ending(const std::filesystem::path& path, std::string_view known) {
  const std::string ending = path.extension().string();
  const std::string what = ending.empty() ? "its name has no ending that tells the format"
                                          : fmt::format("its ending '{}' is none that is written", ending);
  throw OptionError(fmt::format("{}: {}; choose from {}", path.string(), what, known));
}

void write_csv(const Dataset& table, const Write& write) { write_commas(table, write); }

void check_table_path(const std::filesystem::path& path) { (void)format_of(path); }

void write_table(const Dataset& table, const std::filesystem::path& path, bool replace) {
  const Format& format = format_of(path);
  AtomicFile file(path, replace);
  try {
    format.write(table, [&](std::string_view piece) { file.write(piece); });
  } catch (const OptionError& error) {
    throw OptionError(format_text("{}: {}", path.string(), error.text()));
  }
  file.commit();
}

}  // namespace coppice
