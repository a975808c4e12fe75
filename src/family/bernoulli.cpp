// SPDX-License-Identifier: BSD-3-Clause
// Legend ([L] Eqs. 42-46): omega0 = pseudo-count of zeros and of ones; w1_d = omega0 + ones of column d, w0_d = omega0
// + zeros; w = w0_d + w1_d, the same for all columns.
#include "coppice/family/bernoulli.hpp"

#include <algorithm>
#include <cmath>

#include "coppice/family/discrete_data.hpp"
#include "coppice/kernels/special.hpp"
#include "family/by_count.hpp"
#include "family/discrete_parts.hpp"

namespace coppice {

namespace {

using kernels::digamma;
using kernels::log_gamma;

// The pseudo-counts of a column.
struct Beta {
  double w0 = 0.0;
  double w1 = 0.0;
};

class Betas {
 public:
  Betas(double omega0, double weight) : omega0_(omega0), weight_(weight) {}
  [[nodiscard]] double w() const noexcept { return 2.0 * omega0_ + weight_; }
  [[nodiscard]] Beta of(double ones) const noexcept {
    return {omega0_ + std::max(0.0, weight_ - ones), omega0_ + ones};
  }

 private:
  double omega0_;
  double weight_;
};

// a_d = f(w0_d) - f(w1_d), b = sum_d f(w) - f(w0_d): f is digamma for expected costs, log for those at the means.
template <class Function>
LinearCost cost_by(const Betas& betas, std::span<const double> ones, const Function& f) {
  const double of_w = f(betas.w());
  ByCount slope(ones.size(), [&](double count) { return f(betas.of(count).w0) - f(betas.of(count).w1); });
  ByCount of_zero(ones.size(), [&](double count) { return of_w - f(betas.of(count).w0); });
  std::vector<double> a(ones.size());
  double b = 0.0;
  for (std::size_t d = 0; d < ones.size(); ++d) {
    a[d] = slope(ones[d]);
    b += of_zero(ones[d]);
  }
  return LinearCost(std::move(a), b, 1.0);
}

const LinearCost& cost_of(const Bernoulli::Posterior& q) { return q.cost; }

}  // namespace

Bernoulli::Bernoulli(std::size_t n_columns, double omega0) : n_columns_(n_columns), omega0_(omega0) {
  check_pseudo_count("--omega0", omega0);
}

void Bernoulli::add(StatsRef into, RowBlock& rows, Weights weights) const {
  into.front() += add_columns(rows, weights, into.subspan(1), [](double /*weight*/, const auto& /*entries*/) {});
}

void Bernoulli::merge(StatsRef into, ConstStatsRef from) const {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] += from[i];
}

Bernoulli::Posterior Bernoulli::posterior(ConstStatsRef stats) const {
  const ConstStatsRef ones = stats.subspan(1);
  const Betas betas(omega0_, stats.front());
  return {cost_by(betas, ones, [](double x) { return digamma(x); }),
          cost_by(betas, ones, [](double x) { return std::log(x); }),
          stats.front(),
          {ones.begin(), ones.end()}};
}

// [L] Eq. 45 for one cluster.
double Bernoulli::log_evidence(ConstStatsRef stats) const {
  if (stats.front() <= 0.0) return 0.0;
  const Betas betas(omega0_, stats.front());
  const double shared = log_gamma(2.0 * omega0_) - 2.0 * log_gamma(omega0_) - log_gamma(betas.w());
  ByCount of_column(n_columns_,
                    [&](double ones) { return shared + log_gamma(betas.of(ones).w0) + log_gamma(betas.of(ones).w1); });
  double sum = 0.0;
  for (const double ones : stats.subspan(1)) sum += of_column(ones);
  return sum;
}

void Bernoulli::costs(std::span<const Posterior> clusters, RowBlock& rows, double* out) const {
  linear_costs(linear_forms(clusters, cost_of), rows, out);
}

Bernoulli::Finder Bernoulli::finder(std::span<const Posterior> clusters) const {
  return {linear_forms(clusters, cost_of), n_columns_};
}

ExactCost Bernoulli::exact_cost(const Posterior& q, std::span<const double> row) const { return q.cost.exact(row); }
ExactCost Bernoulli::exact_cost(const Posterior& q, const SparseRow& row) const { return q.cost.exact(row); }

double Bernoulli::node_cost(const Posterior& q, ConstStatsRef stats) const {
  return q.cost.of_sums(stats.front(), stats.subspan(1));
}

std::unique_ptr<BoxTest> Bernoulli::box_test(std::span<const Posterior> clusters,
                                             std::span<const double> offsets) const {
  return linear_box_test(linear_forms(clusters, cost_of), offsets, n_columns_);
}

void Bernoulli::log_predictive(std::span<const Posterior> clusters, RowBlock& rows, double* out) const {
  linear_costs(linear_forms(clusters, [](const Posterior& q) -> const LinearCost& { return q.plug_in; }), rows, out);
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    for (std::size_t row = 0; row < rows.n_rows(); ++row) {
      double& value = out[c * kernels::panel_stride + row];
      value = -value;
    }
  }
}

Bernoulli::Posterior Bernoulli::plug_in(Posterior q) const {
  q.cost = q.plug_in;
  return q;
}

double Bernoulli::kl_to_prior(const Posterior& q) const {
  const Betas betas(omega0_, q.weight);
  const double shared = log_gamma(betas.w()) - log_gamma(2.0 * omega0_) + 2.0 * log_gamma(omega0_);
  const double of_w = digamma(betas.w());
  const auto side = [&](double w) { return (w - omega0_) * (digamma(w) - of_w) - log_gamma(w); };
  ByCount of_column(n_columns_,
                    [&](double ones) { return shared + side(betas.of(ones).w0) + side(betas.of(ones).w1); });
  double kl = 0.0;
  for (const double ones : q.ones) kl += of_column(ones);
  return kl;
}

ColumnMoments Bernoulli::column_moments(ConstStatsRef stats) const {
  ColumnMoments moments{std::vector<double>(n_columns_, 0.0), std::vector<double>(n_columns_, 0.0)};
  for (std::size_t d = 0; d < n_columns_ && stats.front() > 0.0; ++d) {
    moments.mean[d] = stats[1 + d] / stats.front();
    moments.variance[d] = moments.mean[d] * (1.0 - moments.mean[d]);
  }
  return moments;
}

void Bernoulli::check_rows(const Dataset& data) const { check_binary(data); }

NamedArrays Bernoulli::to_arrays() const {
  return {{"n_columns", {{}, {static_cast<double>(n_columns_)}}}, {"omega0", {{}, {omega0_}}}};
}

Bernoulli Bernoulli::from_arrays(const NamedArrays& arrays) {
  return {saved_columns(arrays, "bernoulli"), saved_number(arrays, "omega0", "bernoulli")};
}

}  // namespace coppice
