// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Random weightings of a table, each standing for another sample from where the rows came from (the bootstrap):
//
//   const Bootstrap bootstrap(execution, data);
//   Dataset again = data.with_weights(bootstrap.weights(seed, 0));
//
// Every row is drawn a number of times that has a Poisson distribution of mean 1, independently of the other rows. The
// ordinary bootstrap draws exactly as many rows as there are, which ties every draw to those before it and so to the
// order of the rows; Poisson numbers are its limit for many rows, and being whole they keep the meaning of a weight:
// that many copies. But a row counts no more than in the table: a method with densities takes a row that was drawn five
// times for a tight cluster of five, which no sample from the same place would show. So about 63% of the rows are
// there, each as it was. A draw is named by the row's content: shuffled rows are drawn alike.
//
// A row of weight w is floor(w) rows of weight 1 and one with the rest of the weight. All copies of a content are drawn
// together, a Poisson number with their count as its mean, and share what was drawn: c rows of weight 1 and one row of
// weight c give the same resamples.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "coppice/data/dataset.hpp"
#include "coppice/runtime/ordered_sum.hpp"

namespace coppice::internal {

// What a row's weight stands for.
struct WeightParts {
  double whole = 0.0;  // rows of weight 1
  double rest = 0.0;   // the weight, below 1, of one more
};

[[nodiscard]] WeightParts weight_parts(double weight) noexcept;

class Bootstrap {
 public:
  // Looks up which rows are copies of each other. The table must outlive this.
  Bootstrap(const Execution& execution, const Dataset& data);

  // The weights of one resample; not all of them 0 unless all are in the table.
  [[nodiscard]] std::vector<double> weights(std::uint64_t seed, std::uint64_t resample) const;

 private:
  struct KeyedRow {
    std::uint64_t hash = 0;
    std::size_t row = 0;
  };

  [[nodiscard]] double draw(std::uint64_t seed, std::vector<double>& weights) const;

  const Dataset& data_;
  std::vector<KeyedRow> rows_;  // those with weight, copies of a content side by side
};

}  // namespace coppice::internal
