// SPDX-License-Identifier: BSD-3-Clause
// Bisecting 2-means: O(N D) per level, and log2(N / 8) levels, where k-means with so many centres would take O(N K D)
// for each of its iterations. A cut starts across the widest direction, found by a few steps of power iteration from
// the widest column, and is improved by 2-means steps. Everything is summed in content order, so that cells of shuffled
// rows are the same; the rows of a run keep that order when they are parted.

#include "structure/cells.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "coppice/data/row_draw.hpp"
#include "coppice/family/centroid.hpp"
#include "coppice/runtime/for_each_block.hpp"
#include "coppice/runtime/for_each_task.hpp"
#include "structure/cell_points.hpp"

namespace coppice::internal {

namespace {

// Cuts need not be the best ones, since cells are merged again: a few turns and improvements are enough.
constexpr std::size_t most_levels = 48;    // rows far from all others may be cut off one by one
constexpr std::size_t n_turns = 2;         // towards the widest direction
constexpr std::size_t n_improvements = 2;  // of the halves

// Rows of a cell: begin..end-1 in the order of the cells.
struct Run {
  std::size_t begin = 0;
  std::size_t end = 0;
  [[nodiscard]] std::size_t size() const noexcept { return end - begin; }
};

// One cut of some rows. Rows are always gone through in the same order, so that sums are the same to the last bit.
class Cut {
 public:
  Cut(const CellPoints& points, std::span<const std::uint32_t> rows, double most_weight)
      : points_(points), rows_(rows), most_weight_(most_weight), sides_(rows.size(), 0), mean_(points.n_columns()) {}

  // False if the rows are few or all alike.
  bool make() {
    for (const std::uint32_t row : rows_) weight_ += points_.weight(row);
    if (!(weight_ > most_weight_)) return false;
    normal_ = widest_column();
    if (normal_.empty()) return false;
    for (std::size_t turn = 0; turn < n_turns; ++turn) turn_to_widest();
    bool is_cut = take_sides(points_dot_mean());
    for (std::size_t i = 0; is_cut && i < n_improvements; ++i) improve();
    return is_cut;
  }
  [[nodiscard]] const std::vector<std::uint8_t>& sides() const noexcept { return sides_; }

 private:
  [[nodiscard]] double points_dot_mean() const {
    return std::inner_product(mean_.begin(), mean_.end(), normal_.begin(), 0.0);
  }

  // The direction of the column that varies most; empty if none does.
  std::vector<double> widest_column() {
    std::vector<double> variance(mean_.size(), 0.0);
    for (const std::uint32_t row : rows_) {
      points_.add(row, points_.weight(row), mean_);
      points_.add_squares(row, points_.weight(row), variance);
    }
    constexpr double rounding = 1e-12;  // of the squares: columns of equal values
    std::size_t widest = 0;
    for (std::size_t i = 0; i < mean_.size(); ++i) {
      mean_[i] /= weight_;
      const double square = variance[i] / weight_;
      variance[i] = square - mean_[i] * mean_[i];
      if (variance[i] <= rounding * square) variance[i] = 0.0;
      if (variance[i] > variance[widest]) widest = i;
    }
    if (!(variance[widest] > 0.0)) return {};
    std::vector<double> direction(mean_.size(), 0.0);
    direction[widest] = 1.0;
    return direction;
  }

  // The covariance of the rows times the direction.
  void turn_to_widest() {
    const double at_mean = points_dot_mean();
    std::vector<double> next(mean_.size(), 0.0);
    double sum = 0.0;
    for (const std::uint32_t row : rows_) {
      const double t = points_.weight(row) * (points_.dot(row, normal_) - at_mean);
      points_.add(row, t, next);
      sum += t;
    }
    double largest = 0.0;
    for (std::size_t i = 0; i < next.size(); ++i) {
      next[i] -= sum * mean_[i];
      largest = std::max(largest, std::abs(next[i]));
    }
    if (!(largest > 0.0)) return;
    // The length does not matter for a plane; powers of the covariance would leave the range.
    for (double& value : next) value /= largest;
    normal_ = std::move(next);
  }

  // False, and everything as it was, if all rows are on one side.
  bool take_sides(double threshold) {
    std::vector<std::uint8_t> sides(rows_.size());
    double second = 0.0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      sides[i] = points_.dot(rows_[i], normal_) > threshold ? 1 : 0;
      if (sides[i] != 0) second += points_.weight(rows_[i]);
    }
    if (!(second > 0.0 && second < weight_)) return false;
    sides_ = std::move(sides);
    second_weight_ = second;
    return true;
  }

  // Every row to the nearer of the halves' means.
  void improve() {
    std::vector<double> second(mean_.size(), 0.0);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (sides_[i] != 0) points_.add(rows_[i], points_.weight(rows_[i]), second);
    }
    double threshold = 0.0;
    const double first_weight = weight_ - second_weight_;
    for (std::size_t i = 0; i < mean_.size(); ++i) {
      const double a = (weight_ * mean_[i] - second[i]) / first_weight;
      const double b = second[i] / second_weight_;
      normal_[i] = b - a;
      // Halfway between the means: normal' (a + b) / 2.
      threshold += 0.5 * (b - a) * (b + a);
    }
    (void)take_sides(threshold);
  }

  const CellPoints& points_;
  std::span<const std::uint32_t> rows_;
  double most_weight_;
  double weight_ = 0.0;
  double second_weight_ = 0.0;
  std::vector<std::uint8_t> sides_;
  std::vector<double> mean_;
  std::vector<double> normal_;
};

// Rows by their content, whatever their order in the table.
std::vector<std::uint32_t> content_order(const Execution& execution, const Dataset& data) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> keys(data.n_rows());
  for_each_block(execution, Blocks{keys.size()}, [&](const BlockRange& block) {
    for (std::size_t row = block.first; row < block.last; ++row) {
      keys[row] = {row_hash(data, row), static_cast<std::uint32_t>(row)};
    }
  });
  std::ranges::sort(keys, [&](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : content_less(data, a.second, b.second);
  });
  std::vector<std::uint32_t> order(keys.size());
  std::ranges::transform(keys, order.begin(), [](const auto& key) { return key.second; });
  return order;
}

// The runs that are cut are replaced by their halves, whose rows stay in content order; whether any was.
bool cut_all(const Execution& execution, const CellPoints& points, double most_weight,
             std::vector<std::uint32_t>& order, std::vector<Run>& open, std::vector<Run>& done) {
  std::vector<std::size_t> middle(open.size());
  for_each_task(execution, {.count = open.size()}, [&](std::size_t i) {
    const std::span<std::uint32_t> rows = std::span(order).subspan(open[i].begin, open[i].size());
    Cut cut(points, rows, most_weight);
    middle[i] = open[i].begin;
    if (!cut.make()) return;
    std::vector<std::uint32_t> halves[2];
    for (std::size_t at = 0; at < rows.size(); ++at) halves[cut.sides()[at]].push_back(rows[at]);
    middle[i] += halves[0].size();
    std::ranges::copy(halves[0], rows.begin());
    std::ranges::copy(halves[1], rows.begin() + static_cast<std::ptrdiff_t>(halves[0].size()));
  });
  std::vector<Run> next;
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (middle[i] == open[i].begin) {
      done.push_back(open[i]);
    } else {
      next.push_back({open[i].begin, middle[i]});
      next.push_back({middle[i], open[i].end});
    }
  }
  open = std::move(next);
  return !open.empty();
}

// Weight and mean; squares inside cells are the same whatever is made of the cells.
void take_centre(const CellPoints& points, std::span<const std::uint32_t> rows, StatsRef stats) {
  const StatsRef mean = stats.subspan(1, points.n_columns());
  for (const std::uint32_t row : rows) {
    stats.front() += points.weight(row);
    points.add(row, points.weight(row), mean);
  }
  if (!(stats.front() > 0.0)) return;
  for (double& value : mean) value /= stats.front();
}

}  // namespace

Cells cut_into_cells(const Execution& execution, const Rows& rows, const CellOptions& options) {
  const CellPoints points(rows, options);
  std::vector<std::uint32_t> order = content_order(execution, rows.data());
  std::vector<Run> open = {{0, rows.size()}};
  std::vector<Run> done;
  for (std::size_t level = 0; level < most_levels; ++level) {
    throw_if_stopped(execution.stop);
    if (!cut_all(execution, points, options.most_weight, order, open, done)) break;
  }
  done.insert(done.end(), open.begin(), open.end());
  std::ranges::sort(done, {}, &Run::begin);
  Cells cells{std::vector<std::int32_t>(rows.size()), StatsArena(done.size(), Centroid::stats_size(rows.n_columns()))};
  for (std::size_t cell = 0; cell < done.size(); ++cell) {
    const std::span<const std::uint32_t> members = std::span(order).subspan(done[cell].begin, done[cell].size());
    // Cells are numbered by their place, which content alone decides.
    for (const std::uint32_t row : members) cells.of_row[row] = static_cast<std::int32_t>(cell);
    take_centre(points, members, cells.centres[cell]);
  }
  return cells;
}

}  // namespace coppice::internal
