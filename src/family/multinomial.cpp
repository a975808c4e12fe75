// SPDX-License-Identifier: BSD-3-Clause
// Legend ([L] Eqs. 36-40): psi0_d = pseudo-count of column d, in the paper the same for all; psi_d = psi0_d + sum of
// the column; Psi = sum_d psi_d.
#include "coppice/family/multinomial.hpp"

#include <algorithm>
#include <array>
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

// log n! for whole numbers below 256; the most counts are small.
const std::array<double, 256>& small_log_factorials() {
  // Made once by whoever comes first; the language sees to threads.
  static const std::array<double, 256> table = [] {
    std::array<double, 256> values{};
    for (std::size_t n = 2; n < values.size(); ++n) values[n] = log_gamma(static_cast<double>(n) + 1.0);
    return values;
  }();
  return table;
}

// log(W! / prod_d x_d!)
template <class Entries>
double log_coefficient(const Entries& entries, const std::array<double, 256>& table) {
  const auto log_factorial = [&](double n) {
    const bool is_listed = n >= 0.0 && n < static_cast<double>(table.size()) && n == std::floor(n);
    return is_listed ? table[static_cast<std::size_t>(n)] : log_gamma(n + 1.0);
  };
  double total = 0.0;
  double sum = 0.0;
  entries.for_each([&](std::size_t /*column*/, double x) {
    total += x;
    // 0! = 1! = 1, the most frequent counts.
    if (x != 0.0 && x != 1.0) sum += log_factorial(x);
  });
  return log_factorial(total) - sum;
}

// log(Gamma(psi + x) / Gamma(psi)); few factors are multiplied out.
double log_rising(double psi, double x) {
  if (x == 1.0) return std::log(psi);
  // Two log-gammas of a large psi would nearly cancel; a product of so few factors does not, and stays in range.
  if (x > 8.0 || x != std::floor(x)) return log_gamma(psi + x) - log_gamma(psi);
  double product = 1.0;
  for (double factor = 0.0; factor < x; factor += 1.0) product *= psi + factor;
  return std::log(product);
}

ConstStatsRef sums_of(ConstStatsRef stats) { return stats.subspan(1, stats.size() - 2); }

double sum(std::span<const double> values) {
  double total = 0.0;
  for (const double value : values) total += value;
  return total;
}

const std::vector<double>& checked(const std::vector<double>& psi0) {
  for (const double of_column : psi0) check_pseudo_count("the pseudo-count of a column", of_column);
  return psi0;
}

// a_d = f(Psi) - f(psi_d): f is digamma for expected costs, log for those at the means. Not negative but for rounding,
// where one column has nearly everything.
template <class Function>
LinearCost cost_by(const ColumnPrior<double>& psi0, const Multinomial::Posterior& q, const Function& f) {
  const double of_total = f(q.psi_total);
  std::vector<double> a(q.sums.size());
  for (const auto& group : psi0.groups()) {
    ByCount coefficient(group.columns.size(),
                        [&](double count) { return std::max(0.0, of_total - f(group.value + count)); });
    for (const std::uint32_t d : group.columns) a[d] = coefficient(q.sums[d]);
  }
  // No coefficient is negative, so that a tie needs no bound on counts.
  return LinearCost(std::move(a), 0.0, 0.0);
}

// What the columns add, as functions of their sums that vanish at 0: `of_group(pseudo-count)` makes that of a group.
template <class OfGroup>
double sum_over_columns(const ColumnPrior<double>& psi0, std::span<const double> sums, const OfGroup& of_group) {
  double total = 0.0;
  for (const auto& group : psi0.groups()) {
    ByCount of_column(group.columns.size(), of_group(group.value));
    for (const std::uint32_t d : group.columns) {
      if (sums[d] != 0.0) total += of_column(sums[d]);
    }
  }
  return total;
}

}  // namespace

Multinomial::Multinomial(std::size_t n_columns, double psi0, std::optional<double> total)
    : psi0_(n_columns, psi0), psi0_total_(static_cast<double>(n_columns) * psi0), total_(total) {
  check_pseudo_count(option("psi0"), psi0);
}

Multinomial::Multinomial(const std::vector<double>& psi0, std::optional<double> total)
    : psi0_(checked(psi0)), psi0_total_(sum(psi0)), total_(total) {}

void Multinomial::add(StatsRef into, RowBlock& rows, Weights weights) const {
  const auto& table = small_log_factorials();
  double& log_coefficients = into.back();
  into.front() += add_columns(rows, weights, into.subspan(1, n_columns()), [&](double weight, const auto& entries) {
    log_coefficients += weight * log_coefficient(entries, table);
  });
}

void Multinomial::merge(StatsRef into, ConstStatsRef from) const {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] += from[i];
}

void Multinomial::add_scaled(StatsRef into, ConstStatsRef from, double factor) const {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] += factor * from[i];
}

Multinomial::Posterior Multinomial::posterior(ConstStatsRef stats) const {
  const ConstStatsRef sums = sums_of(stats);
  Posterior q;
  q.sums.assign(sums.begin(), sums.end());
  q.psi_total = psi0_total_ + sum(sums);
  q.weight = stats.front();
  q.cost = cost_by(psi0_, q, [](double x) { return digamma(x); });
  return q;
}

// [L] Eq. 39 for one cluster, coefficients included.
double Multinomial::log_evidence(ConstStatsRef stats) const {
  if (stats.front() <= 0.0) return 0.0;
  const ConstStatsRef sums = sums_of(stats);
  const double of_columns = sum_over_columns(psi0_, sums, [](double psi0) {
    return [=, of_prior = log_gamma(psi0)](double count) { return log_gamma(psi0 + count) - of_prior; };
  });
  return stats.back() + log_gamma(psi0_total_) - log_gamma(psi0_total_ + sum(sums)) + of_columns;
}

void Multinomial::costs(std::span<const Posterior> clusters, RowBlock& rows, double* out) const {
  linear_costs(linear_forms(clusters, [](const Posterior& q) -> const LinearCost& { return q.cost; }), rows, out);
  const auto& table = small_log_factorials();
  for_each_row(rows, [&](std::size_t row, const auto& entries) {
    const double shared = log_coefficient(entries, table);
    for (std::size_t c = 0; c < clusters.size(); ++c) out[c * kernels::panel_stride + row] -= shared;
  });
}

void Multinomial::mean_costs(std::span<const Posterior> clusters, const kernels::PanelView& means, double* out) const {
  kernels::linear_costs(means, linear_forms(clusters, [](const Posterior& q) -> const LinearCost& { return q.cost; }),
                        out);
}

Multinomial::Finder Multinomial::finder(std::span<const Posterior> clusters) const {
  return {linear_forms(clusters, [](const Posterior& q) -> const LinearCost& { return q.cost; }), n_columns()};
}

ExactCost Multinomial::exact_cost(const Posterior& q, std::span<const double> row) const { return q.cost.exact(row); }
ExactCost Multinomial::exact_cost(const Posterior& q, const SparseRow& row) const { return q.cost.exact(row); }

double Multinomial::node_cost(const Posterior& q, ConstStatsRef stats) const {
  // The coefficients are the same for all clusters: finding the nearest leaves them out, complete costs have them.
  return q.cost.of_sums(stats.front(), sums_of(stats)) - stats.back();
}

std::unique_ptr<BoxTest> Multinomial::box_test(std::span<const Posterior> clusters,
                                               std::span<const double> offsets) const {
  return linear_box_test(linear_forms(clusters, [](const Posterior& q) -> const LinearCost& { return q.cost; }),
                         offsets, n_columns(), total_);
}

void Multinomial::log_predictive(std::span<const Posterior> clusters, RowBlock& rows, double* out) const {
  const auto& table = small_log_factorials();
  for_each_row(rows, [&](std::size_t row, const auto& entries) {
    const double shared = log_coefficient(entries, table);
    for (std::size_t c = 0; c < clusters.size(); ++c) {
      const Posterior& q = clusters[c];
      double total = 0.0;
      double of_columns = 0.0;
      entries.for_each([&](std::size_t column, double x) {
        total += x;
        if (x != 0.0) of_columns += log_rising(psi0_[column] + q.sums[column], x);
      });
      out[c * kernels::panel_stride + row] =
          shared + of_columns + log_gamma(q.psi_total) - log_gamma(q.psi_total + total);
    }
  });
}

// A cluster of no rows has as many words in a row as all others on average.
std::unique_ptr<RowSampler> Multinomial::row_sampler(std::span<const Posterior> clusters) const {
  double all_words = 0.0;
  double all_rows = 0.0;
  for (const Posterior& q : clusters) {
    all_words += sum(q.sums);
    all_rows += q.weight;
  }
  std::vector<Urn> urns;
  for (const Posterior& q : clusters) {
    Urn urn{std::vector<double>(n_columns()), q.weight > 0.0 ? sum(q.sums) / q.weight : all_words / all_rows};
    double running = 0.0;
    for (std::size_t d = 0; d < n_columns(); ++d) urn.running[d] = running += psi0_[d] + q.sums[d];
    urns.push_back(std::move(urn));
  }
  return urn_sampler(std::move(urns), total_);
}

// -log of the mean probabilities psi_d / Psi.
Multinomial::Posterior Multinomial::plug_in(Posterior q) const {
  q.cost = cost_by(psi0_, q, [](double x) { return std::log(x); });
  return q;
}

double Multinomial::kl_to_prior(const Posterior& q) const {
  const double of_total = digamma(q.psi_total);
  const double of_columns = sum_over_columns(psi0_, q.sums, [=](double psi0) {
    return [=, of_prior = log_gamma(psi0)](double count) {
      return count * (digamma(psi0 + count) - of_total) - log_gamma(psi0 + count) + of_prior;
    };
  });
  return log_gamma(q.psi_total) - log_gamma(psi0_total_) + of_columns;
}

ColumnMoments Multinomial::column_moments(ConstStatsRef stats) const {
  ColumnMoments moments{std::vector<double>(n_columns(), 0.0), std::vector<double>(n_columns(), 0.0)};
  const ConstStatsRef sums = sums_of(stats);
  const double total = sum(sums);
  if (!(stats.front() > 0.0 && total > 0.0)) return moments;
  for (std::size_t d = 0; d < n_columns(); ++d) {
    moments.mean[d] = sums[d] / stats.front();
    // W p (1 - p), as if all rows had as many words as they have on average.
    moments.variance[d] = moments.mean[d] * (1.0 - sums[d] / total);
  }
  return moments;
}

void Multinomial::check_rows(const Dataset& data) const { check_counts(data); }

// One pseudo-count if all columns have the same, else one for each.
NamedArrays Multinomial::to_arrays() const {
  npy::Array psi0{{}, {psi0_[0]}};
  if (psi0_.groups().size() > 1) {
    psi0 = {{n_columns()}, {}};
    for (std::size_t d = 0; d < n_columns(); ++d) psi0.values.push_back(psi0_[d]);
  }
  NamedArrays arrays{{"n_columns", {{}, {static_cast<double>(n_columns())}}}, {"psi0", std::move(psi0)}};
  if (total_) arrays.emplace("total", npy::Array{{}, {*total_}});
  return arrays;
}

Multinomial Multinomial::from_arrays(const NamedArrays& arrays) {
  std::optional<double> total;
  if (arrays.contains("total")) total = saved_number(arrays, "total", "multinomial");
  const std::size_t n_columns = saved_columns(arrays, "multinomial");
  const std::vector<double> psi0 = saved_numbers(arrays, "psi0", n_columns, "multinomial");
  return psi0.size() == 1 ? Multinomial(n_columns, psi0.front(), total) : Multinomial(psi0, total);
}

}  // namespace coppice::internal
