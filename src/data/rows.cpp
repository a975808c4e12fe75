// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/rows.hpp"

#include <algorithm>
#include <cmath>

#include "coppice/runtime/assert.hpp"

namespace coppice {

namespace {

// Weighted sums of the columns, and behind them the weight.
template <class Value>
void add_columns(const Dataset& data, const Value* values, std::size_t first, std::size_t last,
                 std::span<double> total) {
  const std::size_t n_columns = data.n_columns();
  for (std::size_t row = first; row < last; ++row) {
    const double weight = data.weight(row);
    const Value* of_row = values + row * n_columns;
    total[n_columns] += weight;
    for (std::size_t c = 0; c < n_columns; ++c) total[c] += weight * static_cast<double>(of_row[c]);
  }
}

}  // namespace

double rounded_to_8_bits(double value) {
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(mantissa, 8)), exponent - 8);
}

Rows::Rows(Dataset data, std::vector<double> origin) : data_(std::move(data)), origin_(std::move(origin)) {
  COPPICE_ASSERT(!are_sparse() || std::ranges::all_of(origin_, [](double value) { return value == 0.0; }));
}

void Rows::prefetch(std::size_t first, std::size_t last) const noexcept {
  constexpr std::size_t cache_line = 64;
  const bool are_floats = data_.storage() == Storage::float32;
  const auto* values = are_floats ? static_cast<const void*>(data_.floats().data()) : data_.doubles().data();
  const std::size_t row_size = n_columns() * (are_floats ? sizeof(float) : sizeof(double));
  const char* end = static_cast<const char*>(values) + last * row_size;
  for (const char* at = end - (last - first) * row_size; at < end; at += cache_line) __builtin_prefetch(at);
  // The last row may end in one line more than the steps, which need not begin with a line, reach.
  __builtin_prefetch(end - 1);
}

void Rows::copy_row(std::size_t row, std::span<double> out) const noexcept {
  if (are_sparse()) {
    const SparseRow entries = data_.sparse_row(row);
    std::ranges::fill(out, 0.0);
    for (std::size_t entry = 0; entry < entries.size(); ++entry) out[entries.columns[entry]] = entries.value(entry);
    return;
  }
  const auto copy = [&](const auto* values) {
    for (std::size_t c = 0; c < out.size(); ++c) out[c] = static_cast<double>(values[c]) - origin_[c];
  };
  const std::size_t first = row * n_columns();
  if (data_.storage() == Storage::float32) return copy(data_.floats().data() + first);
  copy(data_.doubles().data() + first);
}

std::vector<double> fixed_origin(const Execution& execution, const Dataset& data) {
  const std::size_t n_columns = data.n_columns();
  const Blocks blocks{.n_items = data.n_rows()};
  const OrderedSum sum{.size = n_columns + 1,
                       .add =
                           [&](std::span<double> total, std::size_t block, std::size_t /*worker*/) {
                             if (data.storage() == Storage::float32) {
                               add_columns(data, data.floats().data(), blocks.first(block), blocks.last(block), total);
                             } else {
                               add_columns(data, data.doubles().data(), blocks.first(block), blocks.last(block), total);
                             }
                           },
                       .merge =
                           [](std::span<double> into, std::span<const double> from) {
                             for (std::size_t c = 0; c < into.size(); ++c) into[c] += from[c];
                           }};
  std::vector<double> origin = ordered_sum(execution, blocks, sum);
  const double total_weight = origin.back();
  origin.pop_back();
  for (double& value : origin) value = total_weight > 0.0 ? rounded_to_8_bits(value / total_weight) : 0.0;
  return origin;
}

kernels::StoredRows RowBlock::stored() const noexcept {
  COPPICE_ASSERT(!are_sparse());
  const Dataset& data = rows_->data();
  const std::size_t skipped = first_ * n_columns();
  const std::size_t* index = is_run() ? nullptr : chosen_.data();
  const double* origin = rows_->origin().data();
  const bool are_floats = data.storage() == Storage::float32;
  return {.floats = are_floats ? data.floats().data() + skipped : nullptr,
          .doubles = are_floats ? nullptr : data.doubles().data() + skipped,
          .index = index,
          .n_rows = n_rows_,
          .origin = origin,
          .n_following = n_following_};
}

kernels::PanelView RowBlock::panel() {
  if (!is_filled_) (void)scratch_panel();
  is_filled_ = true;
  return {buffer_->panel(), n_rows_, n_columns()};
}

double* RowBlock::scratch_panel() {
  COPPICE_ASSERT(!are_sparse());
  is_filled_ = false;
  const std::size_t* index = chosen_.empty() ? nullptr : chosen_.data();
  double* panel = buffer_->panel();
  const std::size_t skipped = first_ * n_columns();
  if (rows_->data().storage() == Storage::float32) {
    kernels::load_panel(rows_->data().floats().data() + skipped, index, n_rows_, rows_->origin(), panel);
  } else {
    kernels::load_panel(rows_->data().doubles().data() + skipped, index, n_rows_, rows_->origin(), panel);
  }
  return panel;
}

}  // namespace coppice
