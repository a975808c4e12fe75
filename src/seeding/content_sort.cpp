// SPDX-License-Identifier: BSD-3-Clause
#include "seeding/content_sort.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "coppice/data/row_draw.hpp"

namespace coppice::internal {

namespace {

struct KeyedRow {
  std::uint64_t hash = 0;
  std::size_t row = 0;
  auto operator<=>(const KeyedRow&) const = default;
};

bool is_same_content(const Dataset& data, std::size_t a, std::size_t b) {
  for (std::size_t c = 0; c < data.n_columns(); ++c) {
    if (data.value(a, c) != data.value(b, c)) return false;
  }
  return true;
}

// Rows of one hash are nearly always copies of one row.
void sort_equal_hashes(const Dataset& data, std::span<KeyedRow> rows) {
  const auto differs = [&](const KeyedRow& other) { return !is_same_content(data, rows.front().row, other.row); };
  if (std::ranges::none_of(rows.subspan(1), differs)) return;
  std::ranges::stable_sort(rows,
                           [&](const KeyedRow& a, const KeyedRow& b) { return content_less(data, a.row, b.row); });
}

}  // namespace

void sort_by_content(const Dataset& data, std::span<std::size_t> rows) {
  if (rows.size() < 2) return;
  std::vector<KeyedRow> keyed;
  keyed.reserve(rows.size());
  for (const std::size_t row : rows) keyed.push_back({row_hash(data, row), row});
  std::ranges::sort(keyed);
  for (std::size_t first = 0, last = 0; first < keyed.size(); first = last) {
    while (last < keyed.size() && keyed[last].hash == keyed[first].hash) ++last;
    sort_equal_hashes(data, std::span(keyed).subspan(first, last - first));
  }
  std::ranges::transform(keyed, rows.begin(), &KeyedRow::row);
}

}  // namespace coppice::internal
