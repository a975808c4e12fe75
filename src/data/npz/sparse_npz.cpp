// SPDX-License-Identifier: BSD-3-Clause
#include "data/npz/sparse_npz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "coppice/data/memory_need.hpp"
#include "coppice/data/npy/header.hpp"
#include "coppice/runtime/error.hpp"
#include "data/naming.hpp"
#include "data/npy/convert.hpp"
#include "data/npy/dictionary.hpp"

namespace coppice::npz {
using namespace internal;

namespace {

[[noreturn]] void damaged(const std::string& file, const std::string& what) {
  throw DataError(fmt::format("{}: damaged sparse matrix: {}; write it again with scipy.sparse.save_npz", file, what));
}

std::vector<std::int64_t> read_integers(const Members& members, const std::string& name, const ReadOptions& options) {
  const Content array = members.array(name);
  const npy::Header header = npy::parse_header(array.bytes, array.name);
  require_memory(header.count * sizeof(std::int64_t), array.name, options);
  std::vector<std::int64_t> values = npy::convert_integers(header, array.bytes.substr(header.data_offset));
  if (values.size() != header.count || header.shape.size() != 1) {
    damaged(array.name, fmt::format("an array of shape {} that does not hold a list of whole numbers",
                                    npy::shape_text(header.shape)));
  }
  return values;
}

// How the matrix is laid out. Lanes are what is compressed: its rows (csr) or its columns (csc).
struct Layout {
  std::size_t n_rows = 0;
  std::size_t n_columns = 0;
  bool lanes_are_rows = true;
  std::vector<std::int64_t> starts;  // of the lanes, and the end of the last
  std::vector<std::int64_t> places;  // of the entries within their lane

  [[nodiscard]] std::size_t n_lanes() const { return lanes_are_rows ? n_rows : n_columns; }
  [[nodiscard]] std::size_t n_places() const { return lanes_are_rows ? n_columns : n_rows; }
  [[nodiscard]] std::size_t n_entries() const { return static_cast<std::size_t>(starts.back()); }
  [[nodiscard]] std::size_t start(std::size_t lane) const { return static_cast<std::size_t>(starts[lane]); }
  [[nodiscard]] std::size_t place(std::size_t entry) const { return static_cast<std::size_t>(places[entry]); }
};

bool is_csr(const Members& members, const std::string& file) {
  const Content array = members.array("format");
  const std::string format = npy::parse_word(array.bytes, array.name);
  if (format != "csr" && format != "csc") {
    throw DataError(
        fmt::format("{}: is a sparse matrix of format '{}', expected csr or csc; convert it with .tocsr() "
                    "before saving it",
                    file, npy::printable(format)));
  }
  return format == "csr";
}

void check_places(const Layout& layout, const std::string& file) {
  const auto limit = static_cast<std::int64_t>(layout.n_places());
  for (std::size_t entry = 0; entry < layout.n_entries(); ++entry) {
    if (layout.places[entry] >= 0 && layout.places[entry] < limit) continue;
    damaged(file, fmt::format("indices[{}] is {}, but there are {} {}", entry, layout.places[entry], limit,
                              layout.lanes_are_rows ? "columns" : "rows"));
  }
}

void check(const Layout& layout, const std::string& file) {
  const std::vector<std::int64_t>& starts = layout.starts;
  if (starts.size() - 1 != layout.n_lanes() || starts.empty()) {
    damaged(file, fmt::format("indptr has {} numbers, expected {} for {} {}", starts.size(), layout.n_lanes() + 1,
                              layout.n_lanes(), layout.lanes_are_rows ? "rows" : "columns"));
  }
  if (starts.front() != 0 || !std::ranges::is_sorted(starts)) damaged(file, "indptr does not increase from 0 on");
  if (layout.n_entries() > layout.places.size()) {
    damaged(file, fmt::format("indptr ends at {}, but there are {} indices", starts.back(), layout.places.size()));
  }
  check_places(layout, file);
}

// Where the columns are what is stored, a few bytes may claim any number of rows.
void check_row_count(const Layout& layout, const std::string& file) {
  constexpr std::size_t rows_of_nothing = std::size_t{1} << 20U;
  constexpr std::size_t rows_per_entry = 1024;
  if (layout.lanes_are_rows || layout.n_rows <= rows_of_nothing) return;
  if (layout.n_rows / rows_per_entry <= layout.n_entries()) return;
  throw LimitError(fmt::format("{}: claims {} rows, but has only {} entries; convert it with .tocsr() before saving it",
                               file, layout.n_rows, layout.n_entries()));
}

Layout read_layout(const Members& members, const std::string& file, const ReadOptions& options) {
  Layout layout;
  layout.lanes_are_rows = is_csr(members, file);
  const std::vector<std::int64_t> shape = read_integers(members, "shape", options);
  if (shape.size() != 2 || shape[0] < 1 || shape[1] < 1) {
    damaged(file,
            fmt::format("its shape is ({}), expected rows and columns, at least one of each", fmt::join(shape, ", ")));
  }
  layout.n_rows = static_cast<std::size_t>(shape[0]);
  layout.n_columns = static_cast<std::size_t>(shape[1]);
  if (layout.n_columns > Dataset::most_sparse_columns) {
    throw LimitError(fmt::format("{}: has {} columns, more than a sparse table may have ({})", file, layout.n_columns,
                                 Dataset::most_sparse_columns));
  }
  layout.starts = read_integers(members, "indptr", options);
  layout.places = read_integers(members, "indices", options);
  check(layout, file);
  check_row_count(layout, file);
  return layout;
}

// Where each row's entries go: their numbers so far, summed up. The last is the end.
std::vector<std::uint64_t> row_starts(const Layout& layout) {
  std::vector<std::uint64_t> starts(layout.n_rows + 1, 0);
  if (layout.lanes_are_rows) {
    std::ranges::copy(layout.starts, starts.begin());
    return starts;
  }
  for (std::size_t entry = 0; entry < layout.n_entries(); ++entry) ++starts[layout.place(entry) + 1];
  for (std::size_t row = 0; row < layout.n_rows; ++row) starts[row + 1] += starts[row];
  return starts;
}

template <class Value>
SparseEntries<Value> to_rows(const Layout& layout, const std::vector<Value>& values) {
  SparseEntries<Value> result{row_starts(layout), std::vector<std::uint32_t>(layout.n_entries()),
                              std::vector<Value>(layout.n_entries()), layout.n_columns};
  std::vector<std::uint64_t> next = layout.lanes_are_rows ? std::vector<std::uint64_t>{} : result.starts;
  for (std::size_t lane = 0; lane < layout.n_lanes(); ++lane) {
    for (std::size_t entry = layout.start(lane); entry < layout.start(lane + 1); ++entry) {
      const std::size_t to = layout.lanes_are_rows ? entry : next[layout.place(entry)]++;
      result.columns[to] = static_cast<std::uint32_t>(layout.lanes_are_rows ? layout.place(entry) : lane);
      result.values[to] = values[entry];
    }
  }
  return result;
}

// SciPy lets the entries of a row stand in any order, and several of them in one place: their sum counts.
template <class Value>
void put_in_order(SparseEntries<Value>& entries) {
  std::vector<std::pair<std::uint32_t, Value>> row_entries;
  std::size_t kept = 0;
  std::uint64_t first = 0;
  for (std::size_t row = 0; row + 1 < entries.starts.size(); ++row) {
    const std::uint64_t last = entries.starts[row + 1];
    row_entries.clear();
    for (std::uint64_t at = first; at < last; ++at) row_entries.emplace_back(entries.columns[at], entries.values[at]);
    if (!std::ranges::is_sorted(row_entries, {}, &std::pair<std::uint32_t, Value>::first)) {
      // Stable: entries in one place are added up in the file's order.
      std::ranges::stable_sort(row_entries, {}, &std::pair<std::uint32_t, Value>::first);
    }
    const std::size_t row_begin = kept;
    for (const auto& [column, value] : row_entries) {
      if (kept > row_begin && entries.columns[kept - 1] == column) {
        entries.values[kept - 1] += value;
        continue;
      }
      entries.columns[kept] = column;
      entries.values[kept++] = value;
    }
    entries.starts[row + 1] = kept;
    first = last;
  }
  entries.columns.resize(kept);
  entries.values.resize(kept);
}

template <class Value>
Dataset build(Layout layout, const Content& array, const npy::Header& header, const std::string& file,
              const ReadOptions& options) {
  // The shape may claim any number of rows where the columns are what is stored; no product overflows here.
  const std::size_t row_bytes = std::min(layout.n_rows, std::size_t{1} << 56U) * 2 * sizeof(std::uint64_t);
  require_memory(row_bytes + layout.n_entries() * (2 * sizeof(Value) + sizeof(std::uint32_t)), file, options);
  SparseEntries<Value> entries = to_rows(layout, npy::convert<Value>(header, array.bytes.substr(header.data_offset)));
  layout = {};  // before the table takes its own share
  put_in_order(entries);
  return naming(file, [&] { return Dataset::from_sparse_rows(std::move(entries)); });
}

}  // namespace

bool is_sparse_matrix(const std::vector<std::string>& names) {
  const auto has = [&](const char* name) { return std::ranges::find(names, name) != names.end(); };
  return has("format") && has("shape") && has("data");
}

Dataset read_sparse(const Members& members, const std::string& file, const ReadOptions& options) {
  Layout layout = read_layout(members, file, options);
  const Content array = members.array("data");
  const npy::Header header = npy::parse_header(array.bytes, array.name);
  if (header.shape.size() != 1 || header.count < layout.n_entries()) {
    damaged(file,
            fmt::format("data has shape {}, but indptr ends at {}", npy::shape_text(header.shape), layout.n_entries()));
  }
  return npy::fits_float(header.element) ? build<float>(std::move(layout), array, header, file, options)
                                         : build<double>(std::move(layout), array, header, file, options);
}

}  // namespace coppice::npz
