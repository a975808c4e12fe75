// SPDX-License-Identifier: BSD-3-Clause
#include "data/libsvm/read_libsvm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "coppice/data/memory_need.hpp"
#include "coppice/runtime/error.hpp"
#include "data/libsvm/scanner.hpp"
#include "data/naming.hpp"

namespace coppice::libsvm {
using namespace internal;

namespace {

// Room for as many pairs and rows as the text can hold at most: no vector grows on the way.
void make_room(SparseEntries<double>& entries, const Content& content, const ReadOptions& options) {
  const auto n_pairs = static_cast<std::size_t>(std::ranges::count(content.bytes, ':'));
  const auto n_rows = static_cast<std::size_t>(std::ranges::count(content.bytes, '\n')) + 1;
  require_memory(n_pairs * (sizeof(std::uint32_t) + sizeof(double)) + n_rows * sizeof(std::uint64_t), content.name,
                 options);
  entries.columns.reserve(n_pairs);
  entries.values.reserve(n_pairs);
  entries.starts.reserve(n_rows + 1);
}

// Zeros that are written out count for the width of the table, but need no place in it.
bool is_worth_keeping(double value) noexcept { return value != 0.0 || std::signbit(value); }

}  // namespace

Dataset read(const Content& content, const ReadOptions& options) {
  SparseEntries<double> entries;
  // A few rows of a large file need no room for all of it.
  if (!options.max_rows) make_room(entries, content, options);
  entries.starts.push_back(0);
  const std::size_t most_rows = options.max_rows.value_or(std::numeric_limits<std::size_t>::max());
  std::size_t width = 0;  // largest index + 1
  bool counts_from_zero = false;
  Scanner scanner(content);
  while (entries.starts.size() <= most_rows && scanner.next_row()) {
    (void)scanner.label();
    for (Entry entry; scanner.next_entry(entry);) {
      width = std::max<std::size_t>(width, entry.index + std::size_t{1});
      counts_from_zero = counts_from_zero || entry.index == 0;
      if (!is_worth_keeping(entry.value)) continue;
      entries.columns.push_back(entry.index);
      entries.values.push_back(entry.value);
    }
    entries.starts.push_back(entries.columns.size());
  }
  if (width == 0) {
    throw DataError(
        fmt::format("{}: the first {} rows have no pair index:value, so there are no columns; read more "
                    "rows",
                    content.name, entries.starts.size() - 1));
  }
  // Whether indices count from 0 or from 1 is known behind the last row only.
  entries.n_columns = counts_from_zero ? width : width - 1;
  if (!counts_from_zero) {
    for (std::uint32_t& column : entries.columns) --column;
  }
  return naming(content.name, [&] { return Dataset::from_sparse_rows(std::move(entries)); });
}

std::vector<std::int32_t> read_labels(const Content& content) {
  using Limits = std::numeric_limits<std::int32_t>;
  std::vector<std::int32_t> labels;
  Scanner scanner(content);
  while (scanner.next_row()) {
    const double label = scanner.label();
    if (label != std::floor(label) || label < Limits::min() || label > Limits::max()) {
      scanner.refuse_label(
          fmt::format("the label is {}, expected a whole number from {} to {}", label, Limits::min(), Limits::max()));
    }
    labels.push_back(static_cast<std::int32_t>(label));
    for (Entry entry; scanner.next_entry(entry);) continue;
  }
  return labels;
}

}  // namespace coppice::libsvm
