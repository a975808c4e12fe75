// SPDX-License-Identifier: BSD-3-Clause
// Means and variances that a few wild values cannot spoil: one cell of 10^7 would make every column as wide as that,
// and the prior's scale with it. A column's core is the shortest interval that leaves out a given small weight; values
// many lengths of the core away are taken to lie at the end of the rest. Columns without such values keep their plain
// moments to the last bit, which is what the histogram is there to tell fast: O(N) instead of a sort.

#include "coppice/structure/calm_moments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "coppice/assign/naive.hpp"
#include "coppice/family/adapter.hpp"
#include "coppice/family/diagonal.hpp"
#include "coppice/runtime/for_each_task.hpp"

namespace coppice::internal {

namespace {

constexpr double least_total = 20.0;  // with fewer rows, one is not a small share
// Of the weight, wild values have at most this share, or are one row; and so many lengths of the core lie between.
struct Wildness {
  double share;
  double distance;
};
// One in a hundred at three core lengths, or up to one in ten if they are very far away.
constexpr Wildness few{0.01, 3.0};
constexpr Wildness some{0.2, 300.0};

[[nodiscard]] double most_outside(const Wildness& wild, double total) { return std::max(wild.share * total, 1.0); }

// The weights of values in bins over their column's range, to tell fast that nothing in it is wild. Columns next to
// each other are counted together, since a row's lie in one line of the cache.
class Histograms {
 public:
  static constexpr std::size_t most_columns = 8;

  Histograms(const Dataset& data, std::size_t first_column, std::size_t n_columns)
      : data_(data), first_column_(first_column), ranges_(n_columns), bins_(n_columns) {
    if (data.storage() == Storage::float32) {
      count(data.floats());
    } else {
      count(data.doubles());
    }
  }

  // The core must be that much shorter than the range: some bins next to each other then hold all of it.
  [[nodiscard]] bool may_hold(std::size_t column, const Wildness& wild, double total) const {
    const auto width = static_cast<std::size_t>(static_cast<double>(n_bins) / (1.0 + wild.distance)) + 2;
    const double least_inside = (1.0 - 1e-9) * total - most_outside(wild, total);
    const std::vector<double>& bins = bins_[column - first_column_];
    double inside = 0.0;
    for (std::size_t bin = 0; bin < bins.size(); ++bin) {
      inside += bins[bin];
      if (bin >= width) inside -= bins[bin - width];
      if (inside >= least_inside) return true;
    }
    return false;
  }

 private:
  static constexpr std::size_t n_bins = 1024;

  struct Range {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    double bins_per_unit = 0.0;
  };

  template <class Value>
  void count(std::span<const Value> values) {
    for_each_value(values, [&](std::size_t i, double value, double /*weight*/) {
      ranges_[i].low = std::min(ranges_[i].low, value);
      ranges_[i].high = std::max(ranges_[i].high, value);
    });
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      if (!(ranges_[i].high > ranges_[i].low)) continue;
      ranges_[i].bins_per_unit = static_cast<double>(n_bins) / (ranges_[i].high - ranges_[i].low);
      bins_[i].resize(n_bins);
    }
    for_each_value(values, [&](std::size_t i, double value, double weight) {
      if (bins_[i].empty()) return;
      const auto bin = static_cast<std::size_t>((value - ranges_[i].low) * ranges_[i].bins_per_unit);
      bins_[i][std::min(bin, n_bins - 1)] += weight;
    });
  }

  // Of rows with weight, row by row.
  template <class Value, class See>
  void for_each_value(std::span<const Value> values, const See& see) const {
    for (std::size_t row = 0; row < data_.n_rows(); ++row) {
      const double weight = data_.weight(row);
      if (!(weight > 0.0)) continue;
      const Value* of_row = values.data() + row * data_.n_columns() + first_column_;
      for (std::size_t i = 0; i < ranges_.size(); ++i) see(i, static_cast<double>(of_row[i]), weight);
    }
  }

  const Dataset& data_;
  std::size_t first_column_;
  std::vector<Range> ranges_;
  std::vector<std::vector<double>> bins_;
};

struct Weighed {
  double value = 0.0;
  double weight = 0.0;
};

// The different values of a column in increasing order, with the weight of all rows that have them.
std::vector<Weighed> sorted_column(const Dataset& data, std::size_t column) {
  std::vector<Weighed> values;
  values.reserve(data.n_rows());
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    if (data.weight(row) > 0.0) values.push_back({data.value(row, column), data.weight(row)});
  }
  std::ranges::sort(values, {}, &Weighed::value);
  std::size_t n_different = 0;
  for (const Weighed& next : values) {
    if (n_different > 0 && values[n_different - 1].value == next.value) {
      values[n_different - 1].weight += next.weight;
    } else {
      values[n_different++] = next;
    }
  }
  values.resize(n_different);
  return values;
}

struct Interval {
  double low = 0.0;
  double high = 0.0;

  [[nodiscard]] double length() const noexcept { return high - low; }
};

// The shortest one that leaves out no more than that weight; the lowest of several.
Interval core_of(std::span<const Weighed> sorted, double most) {
  std::size_t last = sorted.size() - 1;
  double above = 0.0;
  // Two pointers: what is left out below grows, what is left out above shrinks, and the weight outside stays within the
  // limit.
  while (last > 0 && above + sorted[last].weight <= most) above += sorted[last--].weight;
  Interval core{sorted.front().value, sorted[last].value};
  double below = 0.0;
  for (std::size_t first = 1; first < sorted.size(); ++first) {
    below += sorted[first - 1].weight;
    if (below > most) break;
    while (last + 1 < sorted.size() && below + above > most) above -= sorted[++last].weight;
    const Interval next{sorted[first].value, sorted[last].value};
    if (next.length() < core.length()) core = next;
  }
  return core;
}

struct Moments {
  double mean = 0.0;  // as stored
  double variance = 0.0;
};

// Of values that are taken to lie in the interval, at its nearer end if they do not.
Moments moments_within(std::span<const Weighed> sorted, const Interval& rest, double total) {
  // From the low end and not from zero: columns far from zero keep their digits.
  const auto from_low = [&](const Weighed& w) { return std::clamp(w.value, rest.low, rest.high) - rest.low; };
  double mean = 0.0;
  for (const Weighed& w : sorted) mean += w.weight * from_low(w);
  mean /= total;
  double squares = 0.0;
  for (const Weighed& w : sorted) squares += w.weight * (from_low(w) - mean) * (from_low(w) - mean);
  return {rest.low + mean, squares / total};
}

// Nothing if no value is as wild.
std::optional<Moments> moments_but_for(const Wildness& wild, std::span<const Weighed> sorted, double total) {
  const Interval core = core_of(sorted, most_outside(wild, total));
  const Interval calm{core.low - wild.distance * core.length(), core.high + wild.distance * core.length()};
  if (sorted.front().value >= calm.low && sorted.back().value <= calm.high) return std::nullopt;
  const auto first = std::ranges::lower_bound(sorted, calm.low, {}, &Weighed::value);
  const auto last = std::ranges::upper_bound(sorted, calm.high, {}, &Weighed::value) - 1;
  return moments_within(sorted, {first->value, last->value}, total);
}

std::optional<Moments> moments_but_for_wild(std::span<const Weighed> sorted, double total) {
  // A value that most rows share has a core of no length, and everything else would be wild.
  if (std::ranges::max_element(sorted, {}, &Weighed::weight)->weight > 0.5 * total) return std::nullopt;
  if (std::optional<Moments> moments = moments_but_for(some, sorted, total)) return moments;
  return moments_but_for(few, sorted, total);
}

ColumnMoments plain_moments(const Execution& execution, const Rows& rows) {
  const std::size_t d = rows.n_columns();
  // Any prior will do: only its statistics are used.
  const FamilyAdapter<DiagonalGaussian> diagonal(
      DiagonalGaussian({std::vector<double>(d, 0.0), 1.0, 1.0, std::vector<double>(d, 1.0), {}}));
  const std::vector<std::int32_t> labels(rows.size(), 0);
  const Units units(rows);
  const StatsArena stats = statistics_of_list(execution, Subset(units), diagonal, labels, 1);
  return diagonal.column_moments(stats[0]);
}

// Of the columns with wild values.
std::vector<std::optional<Moments>> moments_but_for_wild(const Execution& execution, const Dataset& data) {
  std::vector<std::optional<Moments>> calm(data.n_columns());
  const double total = total_weight(data);
  if (data.is_sparse() || total < least_total) return calm;
  const std::size_t d = data.n_columns();
  constexpr std::size_t group = Histograms::most_columns;
  for_each_task(execution, {.count = (d + group - 1) / group}, [&](std::size_t task) {
    const std::size_t first = task * group;
    const std::size_t last = std::min(d, first + group);
    const Histograms histograms(data, first, last - first);
    for (std::size_t c = first; c < last; ++c) {
      if (!histograms.may_hold(c, few, total) && !histograms.may_hold(c, some, total)) continue;
      calm[c] = moments_but_for_wild(sorted_column(data, c), total);
    }
  });
  return calm;
}

}  // namespace

ColumnMoments calm_moments(const Execution& execution, const Rows& rows) {
  ColumnMoments moments = plain_moments(execution, rows);
  const std::vector<std::optional<Moments>> calm = moments_but_for_wild(execution, rows.data());
  for (std::size_t c = 0; c < calm.size(); ++c) {
    if (!calm[c]) continue;
    moments.mean[c] = calm[c]->mean - rows.origin()[c];
    moments.variance[c] = calm[c]->variance;
  }
  return moments;
}

Rows rows_at_calm_origin(const Execution& execution, const Dataset& data) {
  std::vector<double> origin = fixed_origin(execution, data);
  // To the end, even if stopped: rows are needed all the same.
  const std::vector<std::optional<Moments>> calm = moments_but_for_wild(execution.unstoppable(), data);
  for (std::size_t c = 0; c < calm.size(); ++c) {
    if (calm[c]) origin[c] = rounded_to_8_bits(calm[c]->mean);
  }
  return {data, std::move(origin)};
}

}  // namespace coppice::internal
