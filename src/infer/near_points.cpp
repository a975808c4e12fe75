// SPDX-License-Identifier: BSD-3-Clause
// Neighbours among a few thousand points in up to 64 columns, by a sweep along one line: exact, and with the widest
// column as the line far from all pairs, O(k^2) only where the line tells nothing. More columns are folded into 64 sums
// with random signs: distances stay about what they are, and here a near one serves as well as the nearest.

#include "coppice/infer/near_points.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "coppice/runtime/for_each_block.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t most_columns = 64;  // that distances are taken in

// To 24 bits, to the nearest: the last 29 of 53 go.
// Adding half of what is dropped, and one, rounds to nearest; equal distances then compare equal although their sums
// were taken in another order, and the smaller number decides.
double to_24_bits(double value) noexcept {
  constexpr std::uint64_t dropped = (1ULL << 29U) - 1;
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(value) + (dropped >> 1U) + 1) & ~dropped);
}

// The n nearest so far.
class NearestSoFar {
 public:
  explicit NearestSoFar(std::size_t n) : n_(n) {}

  [[nodiscard]] bool is_beyond(double least_distance) const noexcept {
    constexpr double slack = 1.0 + 1e-6;  // distances are rounded
    return found_.size() == n_ && least_distance > slack * found_.back().first;
  }
  void offer(double distance, std::uint32_t point) {
    // By distance, then by number: the order in which points are met does not show.
    const std::pair candidate(distance, point);
    if (found_.size() == n_ && !(candidate < found_.back())) return;
    if (found_.size() == n_) found_.pop_back();
    found_.insert(std::ranges::upper_bound(found_, candidate), candidate);
  }
  [[nodiscard]] std::vector<std::uint32_t> points() const {
    std::vector<std::uint32_t> points(found_.size());
    std::ranges::transform(found_, points.begin(), [](const auto& entry) { return entry.second; });
    return points;
  }

 private:
  std::size_t n_;
  std::vector<std::pair<double, std::uint32_t>> found_;
};

// Points in the order of the column in which they lie the widest apart: from a point outwards, the others can only be
// as near as that column says.
class Line {
 public:
  Line(std::span<const double> points, std::size_t n_columns)
      : points_(points), d_(n_columns), along_(widest_column()), order_(points.size() / n_columns) {
    std::iota(order_.begin(), order_.end(), 0U);
    std::ranges::stable_sort(order_, {}, [&](std::uint32_t point) { return place_of(point); });
  }

  [[nodiscard]] std::size_t size() const noexcept { return order_.size(); }
  [[nodiscard]] std::uint32_t point(std::size_t place) const noexcept { return order_[place]; }

  // Of the point that stands at a place of the line.
  [[nodiscard]] std::vector<std::uint32_t> nearest(std::size_t place, std::size_t n) const {
    NearestSoFar found(n);
    const std::uint32_t point = order_[place];
    std::size_t left = place;
    std::size_t right = place + 1;
    for (;;) {
      const double to_left = left > 0 ? gap(point, order_[left - 1]) : std::numeric_limits<double>::infinity();
      const double to_right = right < size() ? gap(point, order_[right]) : std::numeric_limits<double>::infinity();
      const double least = std::min(to_left, to_right);
      if (std::isinf(least) || found.is_beyond(least)) return found.points();
      const std::uint32_t other = to_left <= to_right ? order_[--left] : order_[right++];
      found.offer(distance(point, other), other);
    }
  }

 private:
  [[nodiscard]] std::size_t widest_column() const {
    std::vector<double> low(d_, std::numeric_limits<double>::infinity());
    std::vector<double> width(d_, 0.0);
    for (std::size_t i = 0; i < points_.size(); ++i) low[i % d_] = std::min(low[i % d_], points_[i]);
    for (std::size_t i = 0; i < points_.size(); ++i) width[i % d_] = std::max(width[i % d_], points_[i] - low[i % d_]);
    return static_cast<std::size_t>(std::ranges::max_element(width) - width.begin());
  }
  [[nodiscard]] double place_of(std::uint32_t point) const noexcept { return points_[point * d_ + along_]; }
  [[nodiscard]] double gap(std::uint32_t a, std::uint32_t b) const noexcept {
    const double t = place_of(a) - place_of(b);
    return t * t;
  }
  [[nodiscard]] double distance(std::uint32_t a, std::uint32_t b) const noexcept {
    double sum = 0.0;
    for (std::size_t i = 0; i < d_; ++i) {
      const double t = points_[a * d_ + i] - points_[b * d_ + i];
      sum += t * t;
    }
    return to_24_bits(sum);
  }

  std::span<const double> points_;
  std::size_t d_;
  std::size_t along_;
  std::vector<std::uint32_t> order_;
};

// Means of clusters of counts are taken as square roots of shares, whose distances do not depend on how much is
// counted.
void take_roots_of_shares(std::span<double> mean) {
  const double total = std::accumulate(mean.begin(), mean.end(), 0.0);
  for (double& value : mean) value = total > 0.0 ? std::sqrt(value / total) : 0.0;
}

// One over the standard deviation of every column, within clusters and between them.
std::vector<double> scales(std::span<const double> means, std::span<const double> within, const StatsArena& clusters) {
  const std::size_t d = within.size();
  std::vector<double> centre(d, 0.0);
  std::vector<double> variance(within.begin(), within.end());
  double total = 0.0;
  for (std::size_t c = 0; c < clusters.size(); ++c) total += clusters.weight(c);
  for (std::size_t i = 0; i < means.size(); ++i) centre[i % d] += clusters.weight(i / d) / total * means[i];
  for (std::size_t i = 0; i < means.size(); ++i) {
    const double t = means[i] - centre[i % d];
    variance[i % d] += clusters.weight(i / d) * t * t;
  }
  for (double& value : variance) value = value > 0.0 ? std::sqrt(total / value) : 0.0;
  return variance;
}

std::vector<double> folded(std::span<const double> points, std::size_t d) {
  std::vector<double> folded(points.size() / d * most_columns, 0.0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    // Fibonacci hashing: column and sign come from different bits of one product.
    const std::uint64_t key = (i % d + 1) * 0x9e3779b97f4a7c15ULL;
    const std::size_t into = (key >> 32U) % most_columns;
    folded[i / d * most_columns + into] += (key >> 63U) != 0 ? points[i] : -points[i];
  }
  return folded;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> nearest_points(const Execution& execution, std::span<const double> points,
                                                       std::size_t n_columns, std::size_t n) {
  const Line line(points, n_columns);
  std::vector<std::vector<std::uint32_t>> nearest(line.size());
  constexpr std::size_t points_per_block = 64;
  for_each_block(execution, Blocks{line.size(), points_per_block}, [&](const BlockRange& block) {
    for (std::size_t place = block.first; place < block.last; ++place) {
      nearest[line.point(place)] = line.nearest(place, n);
    }
  });
  return nearest;
}

std::vector<std::vector<std::uint32_t>> nearest_clusters(const Execution& execution, const Components& components,
                                                         const StatsArena& clusters, std::size_t n) {
  const std::size_t d = components.n_columns();
  std::vector<double> means;
  std::vector<double> within(d, 0.0);  // summed over rows
  means.reserve(clusters.size() * d);
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const ColumnMoments moments = components.column_moments(clusters[c]);
    means.insert(means.end(), moments.mean.begin(), moments.mean.end());
    for (std::size_t i = 0; i < d; ++i) within[i] += clusters.weight(c) * moments.variance[i];
  }
  if (components.compares_shares()) {
    for (std::size_t c = 0; c < clusters.size(); ++c) take_roots_of_shares(std::span(means).subspan(c * d, d));
  } else {
    const std::vector<double> scale = scales(means, within, clusters);
    for (std::size_t i = 0; i < means.size(); ++i) means[i] *= scale[i % d];
  }
  if (d <= most_columns) return nearest_points(execution, means, d, n);
  return nearest_points(execution, folded(means, d), most_columns, n);
}

}  // namespace coppice::internal
