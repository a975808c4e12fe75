// SPDX-License-Identifier: BSD-3-Clause
#include "family/gaussian_samplers.hpp"

#include <cmath>
#include <utility>

#include "coppice/data/gamma.hpp"

namespace coppice::internal {

namespace {

// log of u ~ Gamma(freedom / 2, freedom / 2), the factor of a row's precision; 0 without an end to its freedom.
double draw_log_factor(RandomStream& random, double freedom) {
  // In logarithms: with few degrees of freedom gammas fall below what a double holds.
  return std::isinf(freedom) ? 0.0 : draw_log_gamma(random, freedom / 2.0) - std::log(freedom / 2.0);
}

class EllipticalSampler final : public RowSampler {
 public:
  explicit EllipticalSampler(std::vector<EllipticalDraw> clusters) : clusters_(std::move(clusters)) {}

  void draw(std::size_t cluster, RandomStream& random, std::span<double> row) const override {
    const EllipticalDraw& of = clusters_[cluster];
    const double scale = of.scale * std::exp(-draw_log_factor(random, of.freedom) / 2.0);
    for (double& value : row) value = random.normal();
    of.colour(row);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = of.m[i] + scale * row[i];
  }

 private:
  std::vector<EllipticalDraw> clusters_;
};

class ColumnsSampler final : public RowSampler {
 public:
  explicit ColumnsSampler(std::vector<ColumnsDraw> clusters) : clusters_(std::move(clusters)) {}

  void draw(std::size_t cluster, RandomStream& random, std::span<double> row) const override {
    const ColumnsDraw& of = clusters_[cluster];
    const double variance = std::exp(-draw_log_factor(random, of.row_freedom)) + 1.0 / of.xi;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const double scale = std::sqrt(of.squares[i] * variance / of.freedom);
      row[i] = of.m[i] + scale * std::exp(-draw_log_factor(random, of.freedom) / 2.0) * random.normal();
    }
  }

 private:
  std::vector<ColumnsDraw> clusters_;
};

}  // namespace

std::unique_ptr<RowSampler> elliptical_sampler(std::vector<EllipticalDraw> clusters) {
  return std::make_unique<EllipticalSampler>(std::move(clusters));
}

std::unique_ptr<RowSampler> columns_sampler(std::vector<ColumnsDraw> clusters) {
  return std::make_unique<ColumnsSampler>(std::move(clusters));
}

}  // namespace coppice::internal
