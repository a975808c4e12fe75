// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <utility>

#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"
#include "data/generate/dirichlet.hpp"
#include "data/generate/gaussian_clusters.hpp"

namespace coppice {
using namespace internal;

namespace {

constexpr std::size_t most_words = std::size_t{1} << 24U;  // whole numbers that a float holds

void check(const CountClusters& options) {
  check_generated_shape(options.n_rows, options.n_columns, options.k);
  check_concentration(options.concentration);
  if (options.total == 0 || options.total > most_words) {
    throw OptionError(format_text("{total} is {}; choose 1 to {} words per row", options.total, most_words));
  }
  if (options.is_sparse && options.n_columns > Dataset::most_sparse_columns) {
    throw LimitError(format_text("{dimensions} is {}, but sparse rows have at most {} columns", options.n_columns,
                                 Dataset::most_sparse_columns));
  }
}

// A cluster that words are drawn from.
class Topic {
 public:
  Topic(const CountClusters& options, std::size_t cluster)
      : noise_(generator_stream(options.seed, Role::noise, cluster)) {
    RandomStream random = generator_stream(options.seed, Role::probability, cluster);
    cumulated_ = draw_dirichlet(options.n_columns, options.concentration, random);
    for (std::size_t column = 1; column < cumulated_.size(); ++column) cumulated_[column] += cumulated_[column - 1];
  }

  // The columns of the words of one row, in increasing order.
  void draw(std::vector<std::uint32_t>& words) {
    for (std::uint32_t& word : words) {
      // The shares add up to 1 but for rounding.
      const double target = noise_.uniform() * cumulated_.back();
      const auto found = std::ranges::upper_bound(cumulated_, target);
      word = static_cast<std::uint32_t>(std::min(found, cumulated_.end() - 1) - cumulated_.begin());
    }
    std::ranges::sort(words);
  }

 private:
  RandomStream noise_;
  std::vector<double> cumulated_;
};

// Calls use(row, column, count) for all that is not 0, row by row.
template <class Use, class EndRow>
void draw_counts(const CountClusters& options, std::span<const std::int32_t> labels, const Use& use,
                 const EndRow& end_row) {
  std::vector<Topic> topics;
  for (std::size_t cluster = 0; cluster < options.k; ++cluster) topics.emplace_back(options, cluster);
  std::vector<std::uint32_t> words(options.total);
  for (std::size_t row = 0; row < options.n_rows; ++row) {
    topics[static_cast<std::size_t>(labels[row])].draw(words);
    for (auto first = words.begin(); first != words.end();) {
      const auto last = std::find_if(first, words.end(), [&](std::uint32_t word) { return word != *first; });
      use(row, *first, static_cast<float>(last - first));
      first = last;
    }
    end_row();
  }
}

}  // namespace

Generated generate(const CountClusters& options) {
  check(options);
  std::vector<std::int32_t> labels = shuffled_labels(options.n_rows, options.k, options.seed);
  if (options.is_sparse) {
    SparseEntries<float> entries{{0}, {}, {}, options.n_columns};
    draw_counts(
        options, labels,
        [&](std::size_t /*row*/, std::uint32_t column, float count) {
          entries.columns.push_back(column);
          entries.values.push_back(count);
        },
        [&] { entries.starts.push_back(entries.columns.size()); });
    return {Dataset::from_sparse_rows(std::move(entries)), std::move(labels)};
  }
  std::vector<float> values(options.n_rows * options.n_columns, 0.0F);
  draw_counts(
      options, labels,
      [&](std::size_t row, std::uint32_t column, float count) { values[row * options.n_columns + column] = count; },
      [] {});
  return {Dataset::from_rows(std::move(values), options.n_rows, options.n_columns), std::move(labels)};
}

}  // namespace coppice
