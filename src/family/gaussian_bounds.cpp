// SPDX-License-Identifier: BSD-3-Clause
// A predictive density falls with its quadratic form, so its largest value over a box is at the least of the form.
// Lower bounds of that take O(D^2), or O(D) without correlations. They only have to be valid: they spare densities that
// could not count.

#include "family/gaussian_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace coppice::internal {

namespace {

double at_most(const LogStudent& density, double least_form) {
  return density.constant - density.exponent * std::log1p(density.factor * least_form);
}
double at_most(const LogNormal& density, double least_form) { return density.constant - least_form; }

// How far m is from the box in one column.
double distance_from(double low, double high, double m) { return std::max({0.0, low - m, m - high}); }

template <class Bound>
class FormBounds final : public PredictionBounds {
 public:
  explicit FormBounds(std::vector<Bound> clusters) : clusters_(std::move(clusters)) {}

  void log_densities(const Box& box, std::span<double> out) const override {
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
      out[c] = at_most(clusters_[c].density, clusters_[c].least_form(box));
    }
  }

 private:
  std::vector<Bound> clusters_;
};

class ColumnsBounds final : public PredictionBounds {
 public:
  explicit ColumnsBounds(std::vector<ColumnsBound> clusters) : clusters_(std::move(clusters)) {}

  void log_densities(const Box& box, std::span<double> out) const override {
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
      const ColumnsBound& of = clusters_[c];
      double sum = 0.0;
      for (std::size_t i = 0; i < of.m.size(); ++i) {
        const double distance = distance_from(box.low[i], box.high[i], of.m[i]);
        sum += std::log(of.squares[i] + of.k * distance * distance);
      }
      out[c] = of.constant - of.exponent * sum;
    }
  }

 private:
  std::vector<ColumnsBound> clusters_;
};

}  // namespace

std::unique_ptr<PredictionBounds> bounds_of(std::vector<StudentBound> clusters) {
  return std::make_unique<FormBounds<StudentBound>>(std::move(clusters));
}
std::unique_ptr<PredictionBounds> bounds_of(std::vector<NormalBound> clusters) {
  return std::make_unique<FormBounds<NormalBound>>(std::move(clusters));
}
std::unique_ptr<PredictionBounds> bounds_of(std::vector<ColumnsBound> clusters) {
  return std::make_unique<ColumnsBounds>(std::move(clusters));
}

double least_form(const PrecisionRoot& w, std::span<const double> m, const Box& box) {
  const kernels::BandedTriangle* triangle = w.if_triangle();
  return triangle == nullptr ? 0.0 : least_form(*triangle, m, box);
}

double least_form(const kernels::BandedTriangle& w, std::span<const double> m, const Box& box) {
  double sum = 0.0;
  for (std::size_t i = 0; i < m.size(); ++i) {
    double middle = 0.0;
    double reach = 0.0;
    for (std::size_t j = 0; j <= i; ++j) {
      middle += w.at(i, j) * ((box.low[j] + box.high[j]) / 2.0 - m[j]);
      reach += std::abs(w.at(i, j)) * (box.high[j] - box.low[j]) / 2.0;
    }
    // The interval form: entry i of W (x - m) over the box.
    const double least = std::max(0.0, std::abs(middle) - reach);
    sum += least * least;
  }
  return sum;
}

double least_form(std::span<const double> scale, std::span<const double> m, const Box& box) {
  double sum = 0.0;
  for (std::size_t i = 0; i < m.size(); ++i) {
    const double least = scale[i] * distance_from(box.low[i], box.high[i], m[i]);
    sum += least * least;
  }
  return sum;
}

}  // namespace coppice::internal
