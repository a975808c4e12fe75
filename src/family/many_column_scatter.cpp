// SPDX-License-Identifier: BSD-3-Clause
// Scatter of merged clusters with many columns. Single rows are kept without any scatter, and a pair with one of them
// needs no new factors (merge_many_columns.hpp).
//
// With rounding, every row adds R to the scatter. Only rows of weight 1 count as single rows then, so that M of two of
// them, and of a cluster and a row, is known beforehand: B0 + 2 R, and B0 + S + R.
#include <algorithm>
#include <array>
#include <cmath>

#include "coppice/kernels/merge_many_columns.hpp"
#include "coppice/kernels/moments.hpp"
#include "family/merged_scatter.hpp"
#include "family/wishart_parts.hpp"

namespace coppice::internal {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using kernels::packed_index;

class ManyColumnScatter final : public MergedScatter {
 public:
  ManyColumnScatter(const ScaledWishart& prior, std::size_t n_clusters)
      : prior_(prior),
        is_rounded_(std::ranges::any_of(prior.rounding, [](double r) { return r > 0.0; })),
        weights_(n_clusters, 0.0),
        means_(n_clusters, prior.n_columns()),
        clusters_(n_clusters) {
    set_metric(n_clusters);
  }

  void set(std::size_t cluster, ConstStatsRef scaled) override {
    const auto [weight, mean, scatter] = gaussian_parts(scaled, d());
    weights_[cluster] = weight;
    for (std::size_t i = 0; i < d(); ++i) means_.entry(i)[cluster] = mean[i];
    clusters_[cluster] = nullptr;
    if (!is_row(scaled)) {
      clusters_[cluster] = with_factors(scaled);
    } else if (!is_diagonal_) {
      const VectorXd z = metric_factor_.matrixL().solve(as_vector(mean) - as_vector(prior_.m0));
      for (std::size_t i = 0; i < d(); ++i) coordinates_.entry(i)[cluster] = z(static_cast<Index>(i));
    }
  }

  void log_dets(std::uint32_t one, std::span<const std::uint32_t> others, double* out) const override {
    std::array<std::uint32_t, most_pairs> chosen;
    std::array<std::size_t, most_pairs> places;
    std::array<double, most_pairs> found;
    // Rows and clusters take different kernels: each kind is gathered, asked for at once, and put back in its places.
    for (const bool are_rows : {true, false}) {
      std::size_t n = 0;
      for (std::size_t i = 0; i < others.size(); ++i) {
        if ((clusters_[others[i]] == nullptr) != are_rows) continue;
        chosen[n] = others[i];
        places[n++] = i;
      }
      if (n == 0) continue;
      const std::span<const std::uint32_t> alike(chosen.data(), n);
      are_rows ? with_rows(one, alike, found.data()) : with_clusters(one, alike, found.data());
      for (std::size_t i = 0; i < n; ++i) out[places[i]] = found[i];
    }
  }

  void statistics(std::size_t cluster, StatsRef scaled) const override {
    const auto [weight, mean, scatter] = gaussian_parts(scaled, d());
    weight = weights_[cluster];
    for (std::size_t i = 0; i < d(); ++i) mean[i] = means_.at(i, cluster);
    if (clusters_[cluster] != nullptr) {
      std::ranges::copy(clusters_[cluster]->scatter, scatter.begin());
      return;
    }
    std::ranges::fill(scatter, 0.0);
    for (std::size_t i = 0; i < d(); ++i) scatter[packed_index(i, i)] = weight * prior_.rounding[i];
  }

 private:
  [[nodiscard]] std::size_t d() const noexcept { return prior_.n_columns(); }

  [[nodiscard]] bool is_row(ConstStatsRef scaled) const {
    const auto [weight, mean, scatter] = gaussian_parts(scaled, d());
    // Rows of other weights bring another multiple of R.
    if (is_rounded_ && weight != 1.0) return false;
    for (std::size_t i = 0; i < d(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (scatter[packed_index(i, j)] != 0.0) return false;
      }
      if (scatter[packed_index(i, i)] != weight * prior_.rounding[i]) return false;
    }
    return true;
  }

  // What two rows have in common: coordinates in which their M is a diagonal, the columns themselves if it is one.
  void set_metric(std::size_t n_clusters) {
    MatrixXd m = unpack_symmetric(prior_.b0, d());
    m.diagonal() += 2.0 * as_vector(prior_.rounding);
    is_diagonal_ = m.isDiagonal(0.0);
    metric_factor_ = factorize(m, "B0");
    metric_ = {prior_.xi0, std::vector<double>(d(), 0.0), std::vector<double>(d(), 1.0), log_det(metric_factor_)};
    if (!is_diagonal_) {
      coordinates_ = kernels::ClusterArrays(n_clusters, d());
      return;
    }
    metric_.m0 = prior_.m0;
    for (std::size_t i = 0; i < d(); ++i) metric_.inverse[i] = 1.0 / m.diagonal()(static_cast<Index>(i));
  }

  // The factors of M with a row added.
  [[nodiscard]] std::unique_ptr<const kernels::MergeCluster> with_factors(ConstStatsRef scaled) const {
    const auto [weight, mean, scatter] = gaussian_parts(scaled, d());
    const auto n = static_cast<Index>(d());
    MatrixXd m = unpack_symmetric(prior_.b0, d()) + unpack_symmetric(scatter, d());
    m.diagonal() += as_vector(prior_.rounding);
    const Eigen::LLT<MatrixXd> factor = factorize(m, "the scatter matrix of a cluster");
    const MatrixXd inverse = factor.matrixL().solve(MatrixXd::Identity(n, n));
    const VectorXd shift = inverse * (as_vector(mean) - as_vector(prior_.m0));

    auto cluster = std::make_unique<kernels::MergeCluster>();
    cluster->weight = weight;
    cluster->mean.assign(mean.begin(), mean.end());
    cluster->scatter.assign(scatter.begin(), scatter.end());
    cluster->log_det = log_det(factor);
    cluster->inverse = kernels::BlockedTriangle(d());
    constexpr std::size_t block = kernels::BlockedTriangle::block;
    cluster->shift.assign((d() + block - 1) / block * block, 0.0);
    for (std::size_t i = 0; i < d(); ++i) {
      cluster->shift[i] = shift(static_cast<Index>(i));
      for (std::size_t j = 0; j <= i; ++j) {
        cluster->inverse.at(i, j) = inverse(static_cast<Index>(i), static_cast<Index>(j));
      }
    }
    return cluster;
  }

  void with_rows(std::uint32_t one, std::span<const std::uint32_t> rows, double* out) const {
    if (clusters_[one] == nullptr) {
      const kernels::ClusterArrays& coordinates = is_diagonal_ ? means_ : coordinates_;
      kernels::merged_row_log_dets(metric_, weights_.data(), coordinates, one, rows, out);
    } else {
      kernels::merged_log_dets_with_rows(prior_.xi0, *clusters_[one], weights_.data(), means_, rows, out);
    }
  }

  void with_clusters(std::uint32_t one, std::span<const std::uint32_t> others, double* out) const {
    if (clusters_[one] != nullptr) {
      std::array<const kernels::MergeCluster*, most_pairs> pointers;
      for (std::size_t i = 0; i < others.size(); ++i) pointers[i] = clusters_[others[i]].get();
      const kernels::MergePrior prior{prior_.xi0, prior_.m0, prior_.b0};
      return kernels::merged_log_dets_of_clusters(prior, *clusters_[one], {pointers.data(), others.size()}, out);
    }
    thread_local std::vector<double> row;
    row.resize(d());
    for (std::size_t i = 0; i < d(); ++i) row[i] = means_.at(i, one);
    for (std::size_t i = 0; i < others.size(); ++i) {
      out[i] = kernels::merged_log_det_of_row(prior_.xi0, weights_[one], row, *clusters_[others[i]]);
    }
  }

  const ScaledWishart& prior_;
  bool is_rounded_;
  std::vector<double> weights_;
  kernels::ClusterArrays means_;
  std::vector<std::unique_ptr<const kernels::MergeCluster>> clusters_;  // nothing: a single row
  bool is_diagonal_ = true;
  Eigen::LLT<MatrixXd> metric_factor_;
  kernels::RowMetric metric_;
  kernels::ClusterArrays coordinates_;  // of single rows, unless means_ has them
};

}  // namespace

std::unique_ptr<MergedScatter> many_column_scatter(const ScaledWishart& prior, std::size_t n_clusters) {
  return std::make_unique<ManyColumnScatter>(prior, n_clusters);
}

}  // namespace coppice::internal
