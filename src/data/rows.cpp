// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/rows.hpp"

#include <cmath>

namespace coppice {

namespace {

double round_to_8_bits(double value) {
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(mantissa, 8)), exponent - 8);
}

}  // namespace

Rows::Rows(Dataset data, std::vector<double> origin) : data_(std::move(data)), origin_(std::move(origin)) {}

void Rows::copy_row(std::size_t row, std::span<double> out) const noexcept {
  for (std::size_t c = 0; c < out.size(); ++c) out[c] = data_.value(row, c) - origin_[c];
}

std::vector<double> fixed_origin(const Execution& execution, const Dataset& data) {
  const std::size_t n_columns = data.n_columns();
  const Blocks blocks{.n_items = data.n_rows()};
  const OrderedSum sum{.size = n_columns + 1,
                       .add =
                           [&](std::span<double> total, std::size_t block, std::size_t /*worker*/) {
                             for (std::size_t row = blocks.first(block); row < blocks.last(block); ++row) {
                               const double weight = data.weight(row);
                               total[n_columns] += weight;
                               for (std::size_t c = 0; c < n_columns; ++c) total[c] += weight * data.value(row, c);
                             }
                           },
                       .merge =
                           [](std::span<double> into, std::span<const double> from) {
                             for (std::size_t c = 0; c < into.size(); ++c) into[c] += from[c];
                           }};
  std::vector<double> origin = ordered_sum(execution, blocks, sum);
  const double total_weight = origin.back();
  origin.pop_back();
  for (double& value : origin) value = total_weight > 0.0 ? round_to_8_bits(value / total_weight) : 0.0;
  return origin;
}

kernels::PanelView RowBlock::panel() noexcept {
  if (!is_filled_) (void)scratch_panel();
  is_filled_ = true;
  return {buffer_->panel.data(), n_rows_, n_columns()};
}

double* RowBlock::scratch_panel() noexcept {
  is_filled_ = false;
  const std::size_t* index = chosen_.empty() ? nullptr : chosen_.data();
  double* panel = buffer_->panel.data();
  const std::size_t skipped = first_ * n_columns();
  if (rows_->data().storage() == Storage::float32) {
    kernels::load_panel(rows_->data().floats().data() + skipped, index, n_rows_, rows_->origin(), panel);
  } else {
    kernels::load_panel(rows_->data().doubles().data() + skipped, index, n_rows_, rows_->origin(), panel);
  }
  return panel;
}

}  // namespace coppice
