// SPDX-License-Identifier: BSD-3-Clause
#include "methods/ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "coppice/data/squares.hpp"
#include "coppice/runtime/error.hpp"

namespace coppice::internal {

namespace {

// What a rank says of its rows: the number of columns and their kinds and, unless it has no row with weight, the
// weight, the least weight of a row, and of every column the least and the greatest value.
class Summary {
 public:
  explicit Summary(const Dataset& data) : numbers_{static_cast<double>(data.n_columns())} {
    for (const Column& column : data.columns()) {
      numbers_.push_back(static_cast<double>(data.n_rows() > 0 ? column.kind : ColumnKind::binary));
    }
    const WeightSummary weights = check_weights(data);
    if (!(weights.total > 0.0)) return;
    const std::size_t d = data.n_columns();
    numbers_.insert(numbers_.end(), {weights.total, weights.least});
    numbers_.insert(numbers_.end(), d, std::numeric_limits<double>::infinity());
    numbers_.insert(numbers_.end(), d, -std::numeric_limits<double>::infinity());
    for (std::size_t row = 0; row < data.n_rows(); ++row) {
      if (data.weight(row) > 0.0) add(data, row);
    }
  }
  explicit Summary(std::vector<double> numbers) : numbers_(std::move(numbers)) {}

  [[nodiscard]] const std::vector<double>& numbers() const noexcept { return numbers_; }
  [[nodiscard]] std::size_t n_columns() const { return static_cast<std::size_t>(numbers_.front()); }
  [[nodiscard]] std::span<const double> kinds() const { return part(1); }
  [[nodiscard]] bool has_weight() const { return numbers_.size() > 1 + n_columns(); }
  [[nodiscard]] double weight() const { return numbers_[1 + n_columns()]; }
  [[nodiscard]] double least_weight() const { return numbers_[2 + n_columns()]; }
  [[nodiscard]] std::span<const double> low() const { return part(3 + n_columns()); }
  [[nodiscard]] std::span<const double> high() const { return part(3 + 2 * n_columns()); }

 private:
  [[nodiscard]] std::span<const double> part(std::size_t first) const {
    return std::span(numbers_).subspan(first, n_columns());
  }

  void add(const Dataset& data, std::size_t row) {
    const std::size_t d = data.n_columns();
    for (std::size_t c = 0; c < d; ++c) {
      double& low = numbers_[3 + d + c];
      double& high = numbers_[3 + 2 * d + c];
      low = std::min(low, data.value(row, c));
      high = std::max(high, data.value(row, c));
    }
  }

  std::vector<double> numbers_;
};

void check_mine(const Dataset& mine) {
  if (mine.is_sparse() || !mine.categories().empty() || mine.has_missing()) {
    throw OptionError("on several ranks, tables hold numbers alone, in dense rows without gaps");
  }
  if (mine.n_rows() > 0) check_squares(mine);
}

std::vector<Summary> gather_summaries(const Communicator& ranks, const Dataset& mine) {
  std::vector<Summary> all;
  for (std::vector<double>& numbers : ranks.gather(Summary(mine).numbers())) all.emplace_back(std::move(numbers));
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    if (all[rank].n_columns() == all.front().n_columns()) continue;
    throw DataError(fmt::format("rank {} has {} columns, and rank 0 has {}: all need the same ones", rank,
                                all[rank].n_columns(), all.front().n_columns()));
  }
  return all;
}

}  // namespace

Dataset digest_of_ranks(const Communicator& ranks, const Dataset& mine) {
  check_mine(mine);
  const std::size_t d = mine.n_columns();
  std::vector<double> values;
  std::vector<double> weights;
  std::vector<ColumnKind> kinds(d, ColumnKind::binary);
  for (const Summary& summary : gather_summaries(ranks, mine)) {
    // A real column admits every number, one of counts zeros and ones as well: the first of the kinds is the widest.
    for (std::size_t c = 0; c < d; ++c) kinds[c] = std::min(kinds[c], static_cast<ColumnKind>(summary.kinds()[c]));
    if (!summary.has_weight()) continue;
    values.insert(values.end(), summary.low().begin(), summary.low().end());
    values.insert(values.end(), summary.high().begin(), summary.high().end());
    // Two rows, as heavy together as all of the rank's, and the lighter one as light as the lightest of those.
    weights.insert(weights.end(), {summary.weight() - summary.least_weight(), summary.least_weight()});
  }
  std::vector<std::string> names;
  for (const Column& column : mine.columns()) names.push_back(column.name);
  const std::size_t n_rows = weights.size();
  return Dataset::from_rows(std::move(values), n_rows, d)
      .with_names(std::move(names))
      .with_kinds(kinds)
      .with_weights(std::move(weights));
}

std::vector<ColumnKind> kinds_of(const Dataset& data) {
  std::vector<ColumnKind> kinds;
  for (const Column& column : data.columns()) kinds.push_back(column.kind);
  return kinds;
}

double total_weight(const Communicator& ranks, const Dataset& mine) {
  double total = 0.0;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    if (rank == ranks.rank()) {
      if (mine.weights().empty()) total += static_cast<double>(mine.n_rows());
      for (const double weight : mine.weights()) total += weight;
    }
    // The running sum goes from rank to rank: to the last bit it is what one process would add up.
    total = ranks.gather({&total, 1})[rank].front();
  }
  return total;
}

JournalOptions in_step(const Communicator& ranks, JournalOptions options) {
  if (ranks.is_alone()) return options;
  // Collective: all ranks go on or none does, or those that went on would wait for the others.
  const auto agreed = [&ranks](bool stops) { return ranks.max(stops ? 1.0 : 0.0) > 0.0 ? Next::stop : Next::carry_on; };
  options.progress = [agreed, mine = std::move(options.progress)](const Progress& progress) {
    return agreed(mine && mine(progress) == Next::stop);
  };
  options.observer = [agreed, mine = std::move(options.observer)](const State& state) {
    return agreed(mine && mine(state) == Next::stop);
  };
  return options;
}

}  // namespace coppice::internal
