// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/criteria.hpp"

#include <algorithm>
#include <cmath>

#include "coppice/kernels/log_sum_exp.hpp"
#include "runtime/assert.hpp"

namespace coppice {

namespace {

// Where the sums of an accumulator lie: per cluster sum r, sum r (log r - log p), then all sums r_c r_d.
struct Layout {
  std::size_t k;
  [[nodiscard]] std::size_t size() const noexcept { return 2 * k + k * k; }
  [[nodiscard]] std::size_t mass(std::size_t c) const noexcept { return c; }
  [[nodiscard]] std::size_t divergence(std::size_t c) const noexcept { return k + c; }
  [[nodiscard]] std::size_t product(std::size_t c, std::size_t d) const noexcept { return 2 * k + c * k + d; }
};

class CriteriaPass {
 public:
  CriteriaPass(const Rows& rows, const Components& clusters, std::vector<double> log_shares)
      : rows_(rows), clusters_(clusters), log_shares_(std::move(log_shares)), at_{log_shares_.size()} {}

  [[nodiscard]] std::size_t size() const noexcept { return at_.size(); }

  void block(std::span<double> sums, std::size_t first, std::size_t last) const {
    BlockBuffer buffer(rows_.n_columns());
    std::vector<double> log_density(at_.k * kernels::panel_stride);
    for (std::size_t begin = first; begin < last; begin += kernels::panel_rows) {
      RowBlock panel(rows_, begin, std::min(kernels::panel_rows, last - begin), buffer);
      clusters_.log_plug_in(panel, log_density.data());
      for (std::size_t row = 0; row < panel.n_rows(); ++row) {
        add_row(sums, log_density.data() + row, rows_.weight(begin + row));
      }
    }
  }

 private:
  void add_row(std::span<double> sums, const double* log_density, double weight) const {
    thread_local std::vector<double> log_joint;
    thread_local std::vector<double> responsibility;
    log_joint.resize(at_.k);
    responsibility.resize(at_.k);
    for (std::size_t c = 0; c < at_.k; ++c) log_joint[c] = log_shares_[c] + log_density[c * kernels::panel_stride];
    const double total = kernels::log_sum_exp(log_joint);
    for (std::size_t c = 0; c < at_.k; ++c) {
      const double r = responsibility[c] = std::exp(log_joint[c] - total);
      if (r <= 0.0) continue;
      sums[at_.mass(c)] += weight * r;
      sums[at_.divergence(c)] += weight * r * (log_joint[c] - total - log_density[c * kernels::panel_stride]);
    }
    for (std::size_t c = 0; c < at_.k; ++c) {
      for (std::size_t d = 0; d <= c; ++d) sums[at_.product(c, d)] += weight * responsibility[c] * responsibility[d];
    }
  }

  const Rows& rows_;
  const Components& clusters_;
  std::vector<double> log_shares_;
  Layout at_;
};

}  // namespace

SplitMergeCriteria split_merge_criteria(const Execution& execution, const Problem& problem, const StatsArena& stats) {
  COPPICE_ASSERT(problem.units.are_rows());
  const std::size_t k = stats.size();
  const std::unique_ptr<Components> clusters = problem.components.clone();
  clusters->update(stats);
  std::vector<double> log_shares(k);
  for (std::size_t c = 0; c < k; ++c)
    log_shares[c] = problem.partition.log_share(stats.weight(c), problem.total_weight, k);

  const CriteriaPass pass(problem.units.rows(), *clusters, log_shares);
  const Blocks blocks{.n_items = problem.units.size()};
  const std::vector<double> sums =
      ordered_sum(execution, blocks,
                  {.size = pass.size(),
                   .add = [&](std::span<double> total, std::size_t block,
                              std::size_t /*worker*/) { pass.block(total, blocks.first(block), blocks.last(block)); },
                   .merge =
                       [](std::span<double> into, std::span<const double> from) {
                         for (std::size_t i = 0; i < into.size(); ++i) into[i] += from[i];
                       }});

  const Layout at{k};
  SplitMergeCriteria criteria{std::vector<double>(k), std::vector<double>(k * k)};
  for (std::size_t c = 0; c < k; ++c) {
    // sum f log f = (sum r log r) / R - log R
    const double mass = sums[at.mass(c)];
    criteria.split[c] = sums[at.divergence(c)] / mass - std::log(mass);
    for (std::size_t d = 0; d <= c; ++d) {
      const double norm = std::sqrt(sums[at.product(c, c)] * sums[at.product(d, d)]);
      criteria.merge[c * k + d] = criteria.merge[d * k + c] = sums[at.product(c, d)] / norm;
    }
  }
  return criteria;
}

}  // namespace coppice
