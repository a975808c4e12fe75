// SPDX-License-Identifier: BSD-3-Clause
// Power iteration on the covariance of a sample of members, O(entries) per step and no matrix of columns by columns
// ([L] appendix D.3). It has to end in the same plane for shuffled rows, for weights and for copies: so the sample goes
// by content hash, sums run in that order, the start is a combination of the members' own deviations, and the sign is
// fixed. 24 steps: a cut need not go across the very widest direction.

#include "structure/principal_axis.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "coppice/data/row_draw.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t most_members = 2048;
constexpr std::size_t n_iterations = 24;

// A member, and a number that is all its own.
struct Member {
  std::uint64_t hash = 0;
  std::size_t unit = 0;
  double weight = 0.0;
  bool is_row = false;  // `unit` is its number in the table, or its place in a tree
};

// Members with weight in the order of their hashes, all copies of the `most_members` lowest.
std::vector<Member> sample_of(const Units& units, const Portion& members) {
  std::vector<Member> sample;
  const PortionParts parts(units, members);
  for (std::size_t i = 0; i < parts.rows.units.size(); ++i) {
    const std::size_t row = parts.rows.units[i];
    const double weight = parts.rows.masses[i];
    if (weight > 0.0) sample.push_back({unit_free_hash(rows_behind(units).data(), row), row, weight, true});
  }
  // Summaries have no content; their number takes its place.
  for (std::size_t i = 0; i < parts.summaries.units.size(); ++i) {
    const std::size_t unit = parts.summaries.units[i];
    const double weight = parts.summaries.masses[i];
    if (weight > 0.0) sample.push_back({(unit + 1) * 0x9e3779b97f4a7c15ULL, unit, weight, false});
  }
  // By hash alone: rows of equal hash are taken for copies, whose order does not matter.
  std::ranges::stable_sort(sample, {}, &Member::hash);
  std::size_t n_different = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    if (i > 0 && sample[i].hash == sample[i - 1].hash) continue;
    if (++n_different > most_members) {
      sample.resize(i);
      break;
    }
  }
  return sample;
}

// The sample as weighted points, of which only what is not 0 is kept.
class Points {
 public:
  Points(const Units& units, const Components& components, std::span<const Member> sample,
         std::span<const double> lengths)
      : n_columns_(components.n_columns()), takes_shares_(components.compares_shares()) {
    std::vector<double> dense(n_columns_);
    for (const Member& member : sample) {
      if (member.is_row && rows_behind(units).are_sparse()) {
        const SparseRow row = rows_behind(units).data().sparse_row(member.unit);
        for (std::size_t entry = 0; entry < row.size(); ++entry) append(row.columns[entry], row.value(entry));
      } else {
        if (member.is_row) {
          rows_behind(units).copy_row(member.unit, dense);
        } else {
          dense = components.column_moments(units.summary(member.unit)).mean;
        }
        for (std::size_t c = 0; c < lengths.size(); ++c) dense[c] /= lengths[c];
        for (std::size_t c = 0; c < n_columns_; ++c) append(c, dense[c]);
      }
      finish(member.weight, member.hash);
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return weights_.size(); }
  [[nodiscard]] std::size_t n_columns() const noexcept { return n_columns_; }
  [[nodiscard]] double weight(std::size_t point) const noexcept { return weights_[point]; }
  // A number in [-1/2, 1/2) that goes by content.
  [[nodiscard]] double mark(std::size_t point) const noexcept { return marks_[point]; }

  [[nodiscard]] double dot(std::size_t point, std::span<const double> v) const noexcept {
    double sum = 0.0;
    for (std::size_t e = ends_[point]; e < ends_[point + 1]; ++e) sum += values_[e] * v[columns_[e]];
    return sum;
  }
  void add_to(std::span<double> v, std::size_t point, double factor) const noexcept {
    for (std::size_t e = ends_[point]; e < ends_[point + 1]; ++e) v[columns_[e]] += factor * values_[e];
  }

 private:
  void append(std::size_t column, double value) {
    if (value == 0.0) return;
    columns_.push_back(static_cast<std::uint32_t>(column));
    values_.push_back(value);
  }
  void finish(double weight, std::uint64_t hash) {
    if (takes_shares_) {
      double total = 0.0;
      for (std::size_t e = ends_.back(); e < values_.size(); ++e) total += values_[e];
      if (total == 0.0) return;  // nothing to share: it lies on every plane
      for (std::size_t e = ends_.back(); e < values_.size(); ++e) values_[e] /= total;
    }
    ends_.push_back(values_.size());
    weights_.push_back(weight);
    marks_.push_back(static_cast<double>(hash) * 0x1p-64 - 0.5);
  }

  std::size_t n_columns_;
  bool takes_shares_;
  std::vector<std::size_t> ends_{0};
  std::vector<std::uint32_t> columns_;
  std::vector<double> values_;
  std::vector<double> weights_;
  std::vector<double> marks_;
};

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// sum_i factor(i) (x_i - mean)
template <class Factor>
std::vector<double> combined(const Points& points, std::span<const double> mean, const Factor& factor) {
  std::vector<double> sum(points.n_columns(), 0.0);
  double total = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double of_point = factor(i);
    points.add_to(sum, i, of_point);
    total += of_point;
  }
  for (std::size_t c = 0; c < sum.size(); ++c) sum[c] -= total * mean[c];
  return sum;
}

// Scales to length 1; false, and all zeros, if there is nothing but the rounding of `size`.
bool normalize(std::vector<double>& v, double size) {
  const double length = std::sqrt(dot(v, v));
  const bool has_length = length > 1e-12 * size;
  for (double& value : v) value = has_length ? value / length : 0.0;
  return has_length;
}

// The first of the entries of (nearly) largest modulus is positive: rounding must not choose between entries that are
// equal but for their signs.
void fix_sign(std::vector<double>& v) {
  double largest = 0.0;
  for (const double value : v) largest = std::max(largest, std::abs(value));
  const auto first = std::ranges::find_if(v, [&](double value) { return std::abs(value) >= largest * (1.0 - 1e-9); });
  if (first != v.end() && *first < 0.0) {
    for (double& value : v) value = -value;
  }
}

}  // namespace

MemberAxis principal_axis(const Units& units, const Components& components, std::span<const std::size_t> members,
                          std::span<const double> lengths) {
  std::vector<double> weights;
  weights.reserve(members.size());
  for (const std::size_t unit : members) weights.push_back(units.weight(unit));
  return principal_axis(units, components, Portion{members, weights}, lengths);
}

MemberAxis principal_axis(const Units& units, const Components& components, const Portion& members,
                          std::span<const double> lengths) {
  const Points points(units, components, sample_of(units, members), lengths);
  MemberAxis result{std::vector<double>(points.n_columns(), 0.0), {std::vector<double>(points.n_columns(), 0.0), 0.0}};
  double weight = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    points.add_to(result.mean, i, points.weight(i));
    weight += points.weight(i);
  }
  if (!(weight > 0.0)) return result;
  for (double& value : result.mean) value /= weight;

  // A mixture of all deviations with factors that go by content: it has some of every direction in which rows vary.
  std::vector<double>& v = result.axis.direction;
  const double length_of_mean = std::sqrt(dot(result.mean, result.mean));
  v = combined(points, result.mean, [&](std::size_t i) { return points.weight(i) * points.mark(i) / weight; });
  if (!normalize(v, length_of_mean)) return result;
  for (std::size_t iteration = 0; iteration < n_iterations; ++iteration) {
    const double of_mean = dot(result.mean, v);
    std::vector<double> next = combined(
        points, result.mean, [&](std::size_t i) { return points.weight(i) * (points.dot(i, v) - of_mean) / weight; });
    result.axis.variance = std::sqrt(dot(next, next));
    v = std::move(next);
    if (!normalize(v, 0.0)) return result;
  }
  fix_sign(v);
  return result;
}

}  // namespace coppice::internal
