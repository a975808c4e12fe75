// SPDX-License-Identifier: BSD-3-Clause
// Legend ([L] Eqs. 42-46): w1_d = pseudo-count of ones + ones of column d, w0_d = pseudo-count of zeros + zeros;
// w_d = w0_d + w1_d. The paper's pseudo-counts are all the same, omega0.
#include "coppice/family/bernoulli.hpp"

#include <algorithm>
#include <cmath>

#include "coppice/family/discrete_data.hpp"
#include "coppice/kernels/special.hpp"
#include "family/by_count.hpp"
#include "family/discrete_parts.hpp"
#include "family/discrete_samplers.hpp"

namespace coppice::internal {

namespace {

using kernels::digamma;
using kernels::log_gamma;

// The pseudo-counts of a column in a cluster, by its ones.
class Betas {
 public:
  Betas(const BetaCounts& prior, double weight) : prior_(prior), weight_(weight) {}
  [[nodiscard]] double w() const noexcept { return prior_.zeros + prior_.ones + weight_; }
  // Sums of fractional weights may exceed the weight by rounding.
  [[nodiscard]] double w0(double ones) const noexcept { return prior_.zeros + std::max(0.0, weight_ - ones); }
  [[nodiscard]] double w1(double ones) const noexcept { return prior_.ones + ones; }

 private:
  BetaCounts prior_;
  double weight_;
};

// a_d = f(w0_d) - f(w1_d), b = sum_d f(w_d) - f(w0_d): f is digamma for expected costs, log for those at the means.
template <class Function>
LinearCost cost_by(const ColumnPrior<BetaCounts>& prior, ConstStatsRef stats, const Function& f) {
  const ConstStatsRef ones = stats.subspan(1);
  std::vector<double> a(ones.size());
  double b = 0.0;
  for (const auto& group : prior.groups()) {
    const Betas betas(group.value, stats.front());
    const double of_w = f(betas.w());
    ByCount slope(group.columns.size(), [&](double count) { return f(betas.w0(count)) - f(betas.w1(count)); });
    ByCount of_zero(group.columns.size(), [&](double count) { return of_w - f(betas.w0(count)); });
    for (const std::uint32_t d : group.columns) {
      a[d] = slope(ones[d]);
      b += of_zero(ones[d]);
    }
  }
  return LinearCost(std::move(a), b, 1.0);
}

// What the columns add, as functions of their ones: `of_group(pseudo-counts)` makes that of a group.
template <class OfGroup>
double sum_over_columns(const ColumnPrior<BetaCounts>& prior, std::span<const double> ones, const OfGroup& of_group) {
  double sum = 0.0;
  for (const auto& group : prior.groups()) {
    ByCount of_column(group.columns.size(), of_group(group.value));
    for (const std::uint32_t d : group.columns) sum += of_column(ones[d]);
  }
  return sum;
}

double log_beta(const BetaCounts& counts) {
  return log_gamma(counts.zeros) + log_gamma(counts.ones) - log_gamma(counts.zeros + counts.ones);
}

const std::vector<BetaCounts>& checked(const std::vector<BetaCounts>& prior) {
  for (const BetaCounts& of_column : prior) {
    check_pseudo_count("the pseudo-count of a column's zeros", of_column.zeros);
    check_pseudo_count("the pseudo-count of a column's ones", of_column.ones);
  }
  return prior;
}

const LinearCost& cost_of(const Bernoulli::Posterior& q) { return q.cost; }

}  // namespace

Bernoulli::Bernoulli(std::size_t n_columns, double omega0) : prior_(n_columns, {omega0, omega0}) {
  check_pseudo_count(option("omega0"), omega0);
}

Bernoulli::Bernoulli(const std::vector<BetaCounts>& prior) : prior_(checked(prior)) {}

void Bernoulli::add(StatsRef into, RowBlock& rows, Weights weights) const {
  // No scatter: costs and evidence are functions of the weight and the sums of the columns alone.
  into.front() += add_columns(rows, weights, into.subspan(1), [](double /*weight*/, const auto& /*entries*/) {});
}

void Bernoulli::merge(StatsRef into, ConstStatsRef from) const {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] += from[i];
}

void Bernoulli::add_scaled(StatsRef into, ConstStatsRef from, double factor) const {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] += factor * from[i];
}

Bernoulli::Posterior Bernoulli::posterior(ConstStatsRef stats) const {
  const ConstStatsRef ones = stats.subspan(1);
  // Expected costs decide on labels; those at the mean parameters are what the predictive density needs.
  return {cost_by(prior_, stats, [](double x) { return digamma(x); }),
          cost_by(prior_, stats, [](double x) { return std::log(x); }),
          stats.front(),
          {ones.begin(), ones.end()}};
}

// [L] Eq. 45 for one cluster.
double Bernoulli::log_evidence(ConstStatsRef stats) const {
  if (stats.front() <= 0.0) return 0.0;
  return sum_over_columns(prior_, stats.subspan(1), [&](const BetaCounts& prior) {
    const Betas betas(prior, stats.front());
    const double shared = -log_beta(prior) - log_gamma(betas.w());
    return [=](double ones) { return shared + log_gamma(betas.w0(ones)) + log_gamma(betas.w1(ones)); };
  });
}

void Bernoulli::costs(std::span<const Posterior> clusters, RowBlock& rows, double* out) const {
  linear_costs(linear_forms(clusters, cost_of), rows, out);
}

void Bernoulli::mean_costs(std::span<const Posterior> clusters, const kernels::PanelView& means, double* out) const {
  kernels::linear_costs(means, linear_forms(clusters, cost_of), out);
}

Bernoulli::Finder Bernoulli::finder(std::span<const Posterior> clusters) const {
  return {linear_forms(clusters, cost_of), n_columns()};
}

ExactCost Bernoulli::exact_cost(const Posterior& q, std::span<const double> row) const { return q.cost.exact(row); }
ExactCost Bernoulli::exact_cost(const Posterior& q, const SparseRow& row) const { return q.cost.exact(row); }

double Bernoulli::node_cost(const Posterior& q, ConstStatsRef stats) const {
  return q.cost.of_sums(stats.front(), stats.subspan(1));
}

std::unique_ptr<BoxTest> Bernoulli::box_test(std::span<const Posterior> clusters,
                                             std::span<const double> offsets) const {
  return linear_box_test(linear_forms(clusters, cost_of), offsets, n_columns());
}

void Bernoulli::log_predictive(std::span<const Posterior> clusters, RowBlock& rows, double* out) const {
  // The predictive probability of a bit is the mean of its Beta, so that the density is that at the mean parameters.
  linear_costs(linear_forms(clusters, [](const Posterior& q) -> const LinearCost& { return q.plug_in; }), rows, out);
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    for (std::size_t row = 0; row < rows.n_rows(); ++row) {
      double& value = out[c * kernels::panel_stride + row];
      value = -value;
    }
  }
}

std::unique_ptr<RowSampler> Bernoulli::row_sampler(std::span<const Posterior> clusters) const {
  std::vector<std::vector<double>> probabilities;
  for (const Posterior& q : clusters) {
    std::vector<double> of_ones(n_columns());
    for (std::size_t d = 0; d < n_columns(); ++d) {
      const Betas betas(prior_[d], q.weight);
      of_ones[d] = betas.w1(q.ones[d]) / betas.w();
    }
    probabilities.push_back(std::move(of_ones));
  }
  return bit_sampler(std::move(probabilities));
}

Bernoulli::Posterior Bernoulli::plug_in(Posterior q) const {
  q.cost = q.plug_in;
  return q;
}

double Bernoulli::kl_to_prior(const Posterior& q) const {
  return sum_over_columns(prior_, q.ones, [&](const BetaCounts& prior) {
    const Betas betas(prior, q.weight);
    const double shared = log_gamma(betas.w()) + log_beta(prior);
    const double of_w = digamma(betas.w());
    const auto side = [of_w](double w, double w_prior) { return (w - w_prior) * (digamma(w) - of_w) - log_gamma(w); };
    return [=](double ones) { return shared + side(betas.w0(ones), prior.zeros) + side(betas.w1(ones), prior.ones); };
  });
}

ColumnMoments Bernoulli::column_moments(ConstStatsRef stats) const {
  ColumnMoments moments{std::vector<double>(n_columns(), 0.0), std::vector<double>(n_columns(), 0.0)};
  for (std::size_t d = 0; d < n_columns() && stats.front() > 0.0; ++d) {
    moments.mean[d] = stats[1 + d] / stats.front();
    moments.variance[d] = moments.mean[d] * (1.0 - moments.mean[d]);
  }
  return moments;
}

void Bernoulli::check_rows(const Dataset& data) const { check_binary(data); }

// One number if all pseudo-counts are the same; else those of the zeros by column, then those of the ones.
NamedArrays Bernoulli::to_arrays() const {
  const BetaCounts& first = prior_[0];
  npy::Array omega0{{}, {first.zeros}};
  if (prior_.groups().size() > 1 || first.zeros != first.ones) {
    omega0 = {{2, n_columns()}, std::vector<double>(2 * n_columns())};
    for (std::size_t d = 0; d < n_columns(); ++d) {
      omega0.values[d] = prior_[d].zeros;
      omega0.values[n_columns() + d] = prior_[d].ones;
    }
  }
  return {{"n_columns", {{}, {static_cast<double>(n_columns())}}}, {"omega0", std::move(omega0)}};
}

Bernoulli Bernoulli::from_arrays(const NamedArrays& arrays) {
  const std::size_t n_columns = saved_columns(arrays, "bernoulli");
  const std::vector<double> omega0 = saved_numbers(arrays, "omega0", 2 * n_columns, "bernoulli");
  if (omega0.size() == 1) return {n_columns, omega0.front()};
  std::vector<BetaCounts> prior(n_columns);
  for (std::size_t d = 0; d < n_columns; ++d) prior[d] = {omega0[d], omega0[n_columns + d]};
  return Bernoulli(prior);
}

}  // namespace coppice::internal
