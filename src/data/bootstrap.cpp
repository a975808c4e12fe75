// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "coppice/data/poisson.hpp"
#include "coppice/data/row_draw.hpp"
#include "coppice/runtime/for_each_block.hpp"
#include "coppice/runtime/random.hpp"

namespace coppice::internal {

WeightParts weight_parts(double weight) noexcept {
  const double whole = std::floor(weight);
  return {whole, weight - whole};
}

Bootstrap::Bootstrap(const Execution& execution, const Dataset& data) : data_(data), rows_(data.n_rows()) {
  const Blocks blocks{.n_items = rows_.size()};
  for_each_block(execution, blocks, [&](const BlockRange& block) {
    for (std::size_t row = block.first; row < block.last; ++row) {
      rows_[row] = {row_hash(data_, row), row};
    }
  });
  std::erase_if(rows_, [&](const KeyedRow& keyed) { return data_.weight(keyed.row) <= 0.0; });
  // Copies in the order of the rows: sums over them have one order, whatever the sort does with what is equal.
  std::ranges::sort(rows_, {}, [](const KeyedRow& keyed) { return std::pair(keyed.hash, keyed.row); });
}

std::vector<double> Bootstrap::weights(std::uint64_t seed, std::uint64_t resample) const {
  std::vector<double> weights(data_.n_rows(), 0.0);
  RandomStream seeds{seed, Purpose::resample, resample};
  bool is_empty = !rows_.empty();
  while (is_empty) is_empty = draw(seeds.bits(), weights) <= 0.0;  // of a few rows, none may be drawn at first
  return weights;
}

// One resample; returns its total weight.
double Bootstrap::draw(std::uint64_t seed, std::vector<double>& weights) const {
  double total = 0.0;
  for (auto first = rows_.begin(); first != rows_.end();) {
    // Equal hashes are taken for equal contents.
    const auto last =
        std::find_if(first, rows_.end(), [&](const KeyedRow& other) { return other.hash != first->hash; });
    WeightParts counts;
    for (auto copy = first; copy != last; ++copy) {
      const WeightParts parts = weight_parts(data_.weight(copy->row));
      counts.whole += parts.whole;
      if (parts.rest > 0.0) counts.rest += 1.0;
    }
    RandomStream random{seed, Purpose::resample, first->hash};
    const WeightParts drawn{std::min(draw_poisson(random, counts.whole), counts.whole),
                            std::min(draw_poisson(random, counts.rest), counts.rest)};
    for (auto copy = first; copy != last; ++copy) {
      const WeightParts parts = weight_parts(data_.weight(copy->row));
      double& weight = weights[copy->row];
      weight = 0.0;
      if (parts.whole > 0.0) weight += parts.whole * drawn.whole / counts.whole;
      if (parts.rest > 0.0) weight += parts.rest * drawn.rest / counts.rest;
      total += weight;
    }
    first = last;
  }
  return total;
}

}  // namespace coppice::internal
