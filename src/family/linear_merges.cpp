// SPDX-License-Identifier: BSD-3-Clause
// The evidence of merged clusters of counts and of bits. With g(x) = log Gamma(prior + x) - log Gamma(prior), it is a
// sum of functions of the columns' sums that vanish at 0. A column where only one of the two has anything adds what it
// adds in that one alone, so that a pair costs the columns that the other cluster has. Sums over both clusters are
// added up the same way round whichever is which.
#include <algorithm>
#include <vector>

#include "coppice/family/bernoulli.hpp"
#include "coppice/family/multinomial.hpp"
#include "coppice/kernels/special.hpp"
#include "family/by_weight.hpp"

namespace coppice {

namespace {

using kernels::log_gamma;

struct ColumnSum {
  std::uint32_t column;
  double sum;
};

// A cluster's columns that have anything.
std::vector<ColumnSum> columns_with_sums(ConstStatsRef sums) {
  std::vector<ColumnSum> columns;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (sums[i] != 0.0) columns.push_back({static_cast<std::uint32_t>(i), sums[i]});
  }
  return columns;
}

// All columns of a cluster, where they can be looked up; valid until the next call on this thread.
std::span<const double> all_columns(const std::vector<ColumnSum>& columns, std::size_t n_columns) {
  thread_local std::vector<double> sums;
  sums.assign(n_columns, 0.0);
  for (const ColumnSum& entry : columns) sums[entry.column] = entry.sum;
  return sums;
}

double largest_sum(const StatsArena& stats, std::size_t n_columns) {
  std::vector<double> totals(n_columns, 0.0);
  for (std::size_t c = 0; c < stats.size(); ++c) {
    for (std::size_t i = 0; i < n_columns; ++i) totals[i] += stats[c][1 + i];
  }
  return *std::ranges::max_element(totals);
}

double total_of(ConstStatsRef sums) {
  double total = 0.0;
  for (const double sum : sums) total += sum;
  return total;
}

double total_of_all(const StatsArena& stats, std::size_t n_columns) {
  double total = 0.0;
  for (std::size_t c = 0; c < stats.size(); ++c) total += total_of(stats[c].subspan(1, n_columns));
  return total;
}

// [L] Eq. 39: sum_d g(t_d) + log Gamma(D psi0) - log Gamma(D psi0 + T) + coefficients, t = sums, T = their total
class MultinomialMerges final : public MergedEvidence {
 public:
  MultinomialMerges(const Multinomial& family, const StatsArena& stats)
      : n_columns_(family.n_columns()),
        of_sum_(largest_sum(stats, n_columns_), [psi0 = family.psi0(), of_prior = log_gamma(family.psi0())](
                                                    double t) { return log_gamma(psi0 + t) - of_prior; }),
        of_total_(total_of_all(stats, n_columns_),
                  [prior = static_cast<double>(n_columns_) * family.psi0()](double total) {
                    return log_gamma(prior) - log_gamma(prior + total);
                  }),
        clusters_(stats.size()) {
    for (std::size_t c = 0; c < stats.size(); ++c) set(c, stats[c]);
  }

  [[nodiscard]] double alone(std::size_t cluster) const override { return clusters_[cluster].alone; }

  void with(std::size_t one, std::span<const std::uint32_t> others, double* out) const override {
    const Cluster& a = clusters_[one];
    const std::span<const double> sums = all_columns(a.columns, n_columns_);
    for (std::size_t i = 0; i < others.size(); ++i) {
      const Cluster& b = clusters_[others[i]];
      double shared = 0.0;  // columns that both have
      for (const ColumnSum& entry : b.columns) {
        const double t = sums[entry.column];
        if (t != 0.0) shared += of_sum_(t + entry.sum) - (of_sum_(t) + of_sum_(entry.sum));
      }
      out[i] = a.weight + b.weight > 0.0 ? (a.of_columns + b.of_columns) + shared + of_total_(a.total + b.total) : 0.0;
    }
  }

  void set(std::size_t cluster, ConstStatsRef stats) override {
    const ConstStatsRef sums = stats.subspan(1, n_columns_);
    Cluster& c = clusters_[cluster];
    c.weight = stats.front();
    c.total = total_of(sums);
    c.columns = columns_with_sums(sums);
    c.of_columns = stats.back();
    for (const ColumnSum& entry : c.columns) c.of_columns += of_sum_(entry.sum);
    c.alone = c.weight > 0.0 ? c.of_columns + of_total_(c.total) : 0.0;
  }

 private:
  struct Cluster {
    double weight = 0.0;
    double total = 0.0;
    double of_columns = 0.0;  // with the coefficients
    double alone = 0.0;
    std::vector<ColumnSum> columns;
  };

  std::size_t n_columns_;
  ByWeight of_sum_;
  ByWeight of_total_;
  std::vector<Cluster> clusters_;
};

// [L] Eq. 45, where a column with o ones among n adds f(n, o) = g(o) + g(n - o) - g(n), and all columns together
// D (log Gamma(2 omega0) - log Gamma(omega0) + log Gamma(omega0 + n) - log Gamma(2 omega0 + n))
class BernoulliMerges final : public MergedEvidence {
 public:
  BernoulliMerges(const Bernoulli& family, const StatsArena& stats)
      : n_columns_(family.n_columns()),
        of_count_(stats, [omega0 = family.omega0(), of_prior = log_gamma(family.omega0())](
                             double count) { return log_gamma(omega0 + count) - of_prior; }),
        of_weight_(stats,
                   [omega0 = family.omega0(), d = static_cast<double>(n_columns_)](double n) {
                     return d * ((log_gamma(2.0 * omega0) - log_gamma(omega0)) +
                                 (log_gamma(omega0 + n) - log_gamma(2.0 * omega0 + n)));
                   }),
        clusters_(stats.size()) {
    for (std::size_t c = 0; c < stats.size(); ++c) set(c, stats[c]);
  }

  [[nodiscard]] double alone(std::size_t cluster) const override { return clusters_[cluster].alone; }

  void with(std::size_t one, std::span<const std::uint32_t> others, double* out) const override {
    const Cluster& a = clusters_[one];
    const std::span<const double> ones = all_columns(a.columns, n_columns_);
    double known_n = 0.0;  // the columns of a alone among n, for the last n: most others are single rows
    double known = 0.0;
    for (std::size_t i = 0; i < others.size(); ++i) {
      const Cluster& b = clusters_[others[i]];
      const double n = a.weight + b.weight;
      const OfColumn f{of_count_, n, of_count_(n)};
      if (n != known_n) known = sum_of(f, a.columns);
      known_n = n;
      double of_b = 0.0;
      double shared = 0.0;
      for (const ColumnSum& entry : b.columns) {
        const double of_entry = f(entry.sum);
        const double o = ones[entry.column];
        of_b += of_entry;
        if (o != 0.0) shared += f(o + entry.sum) - (f(o) + of_entry);
      }
      out[i] = n > 0.0 ? (known + of_b) + shared + of_weight_(n) : 0.0;
    }
  }

  void set(std::size_t cluster, ConstStatsRef stats) override {
    const double n = stats.front();
    Cluster& c = clusters_[cluster];
    c.weight = n;
    c.columns = columns_with_sums(stats.subspan(1));
    c.alone = n > 0.0 ? sum_of({of_count_, n, of_count_(n)}, c.columns) + of_weight_(n) : 0.0;
  }

 private:
  struct Cluster {
    double weight = 0.0;
    double alone = 0.0;
    std::vector<ColumnSum> columns;
  };
  // f(n, o)
  struct OfColumn {
    const ByWeight& g;
    double n;
    double of_n;
    double operator()(double ones) const { return (g(ones) + g(std::max(0.0, n - ones))) - of_n; }
  };
  static double sum_of(const OfColumn& f, const std::vector<ColumnSum>& columns) {
    double sum = 0.0;
    for (const ColumnSum& entry : columns) sum += f(entry.sum);
    return sum;
  }

  std::size_t n_columns_;
  ByWeight of_count_;
  ByWeight of_weight_;
  std::vector<Cluster> clusters_;
};

}  // namespace

std::unique_ptr<MergedEvidence> Multinomial::merged_evidence(StatsArena stats) const {
  return std::make_unique<MultinomialMerges>(*this, stats);
}

std::unique_ptr<MergedEvidence> Bernoulli::merged_evidence(StatsArena stats) const {
  return std::make_unique<BernoulliMerges>(*this, stats);
}

}  // namespace coppice
