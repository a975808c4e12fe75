// SPDX-License-Identifier: BSD-3-Clause
#include "evaluate/expected_mutual_information.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace coppice::evaluate {

namespace {

struct SizeCount {
  std::size_t size = 0;
  std::size_t groups = 0;
};

std::vector<SizeCount> distinct_sizes(std::span<const std::size_t> sizes) {
  std::vector<std::size_t> sorted(sizes.begin(), sizes.end());
  std::ranges::sort(sorted);
  std::vector<SizeCount> distinct;
  for (const std::size_t size : sorted) {
    if (distinct.empty() || distinct.back().size != size) distinct.push_back({size, 0});
    ++distinct.back().groups;
  }
  return distinct;
}

// The overlap n of a group of a rows with one of b rows is hypergeometric when rows are shuffled (Vinh et al. 2010):
//
//   p(n) = a! b! (N-a)! (N-b)! / (N! n! (a-n)! (b-n)! (N-a-b+n)!)
//
// p is never evaluated: lgamma at N = 10^7 leaves eight digits. Instead weights relative to the mode follow
// p(n+1) / p(n) = (a-n)(b-n) / ((n+1)(N-a-b+n+1)) outwards until they vanish, and their sum normalises them.
class Overlap {
 public:
  Overlap(std::size_t a, std::size_t b, std::size_t n_rows)
      : a_(static_cast<double>(a)), b_(static_cast<double>(b)), n_(static_cast<double>(n_rows)) {}

  // E[(n/N) log(N n / (a b))].
  [[nodiscard]] double expected_information() const {
    const double lowest = std::max(0.0, a_ + b_ - n_);
    const double highest = std::min(a_, b_);
    // From the mode outwards all weights are at most 1, and nothing overflows.
    const double mode = std::clamp(std::floor((a_ + 1.0) * (b_ + 1.0) / (n_ + 2.0)), lowest, highest);
    Sums sums{.weight = 1.0, .information = information(mode)};
    double weight = 1.0;
    for (double n = mode; n < highest && weight > negligible; ++n) sums.add(weight *= ratio(n), information(n + 1.0));
    weight = 1.0;
    for (double n = mode; n > lowest && weight > negligible; --n)
      sums.add(weight /= ratio(n - 1.0), information(n - 1.0));
    return sums.information / sums.weight;
  }

 private:
  // Beyond this the weights fall faster than a geometric series, and information is at most log N.
  static constexpr double negligible = 1e-25;

  struct Sums {
    double weight = 0.0;
    double information = 0.0;
    void add(double more, double value) noexcept {
      weight += more;
      information += more * value;
    }
  };

  [[nodiscard]] double ratio(double n) const noexcept {
    return (a_ - n) * (b_ - n) / ((n + 1.0) * (n_ - a_ - b_ + n + 1.0));
  }
  [[nodiscard]] double information(double n) const noexcept {
    return n > 0.0 ? n / n_ * std::log(n_ * n / (a_ * b_)) : 0.0;
  }

  double a_;
  double b_;
  double n_;
};

}  // namespace

double expected_mutual_information(std::span<const std::size_t> sizes, std::span<const std::size_t> truth_sizes,
                                   std::size_t n_rows) {
  const std::vector<SizeCount> classes = distinct_sizes(truth_sizes);
  double sum = 0.0;
  for (const SizeCount& cluster : distinct_sizes(sizes)) {
    for (const SizeCount& truth : classes) {
      const double times = static_cast<double>(cluster.groups) * static_cast<double>(truth.groups);
      sum += times * Overlap(cluster.size, truth.size, n_rows).expected_information();
    }
  }
  return sum;
}

}  // namespace coppice::evaluate
