// SPDX-License-Identifier: BSD-3-Clause
// The evidence of merged clusters of counts and of bits. With g(x) = log Gamma(prior + x) - log Gamma(prior), it is a
// sum of functions of the columns' sums that vanish at 0. A column where only one of the two has anything adds what it
// adds in that one alone, so that a pair costs the columns that the other cluster has. Sums over both clusters are
// added up the same way round whichever is which.
#include <algorithm>
#include <cmath>
#include <cstdint>
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
  std::int32_t whole;  // the sum, if the cluster's sums are all known
  double sum;
};

// A cluster's columns that have anything.
struct FilledColumns {
  FilledColumns() = default;
  FilledColumns(ConstStatsRef sums, std::size_t n_known) {
    const auto limit = static_cast<double>(n_known);
    largest = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (sums[i] == 0.0) continue;
      const bool is_known = sums[i] > 0.0 && sums[i] < limit && sums[i] == std::floor(sums[i]);
      const std::int32_t whole = is_known ? static_cast<std::int32_t>(sums[i]) : 0;
      largest = is_known && largest >= 0 ? std::max(largest, whole) : -1;
      entries.push_back({static_cast<std::uint32_t>(i), whole, sums[i]});
    }
  }

  std::vector<ColumnSum> entries;
  std::int32_t largest = -1;  // of the sums, if all are whole and known; else -1
};

// All columns of a cluster, where they can be looked up.
struct AllColumns {
  void set(const FilledColumns& columns, std::size_t n_columns) {
    sums.assign(n_columns, 0.0);
    wholes.assign(n_columns, 0);
    for (const ColumnSum& entry : columns.entries) {
      sums[entry.column] = entry.sum;
      wholes[entry.column] = entry.whole;
    }
  }
  std::vector<double> sums;
  std::vector<std::int32_t> wholes;
};

// What two clusters add together in the columns of both, beyond what each adds alone: sums of f(a + b) - (f(a) + f(b)),
// and of f(b) on top. Where one of them has nothing the difference is 0 to the last bit.
struct PairSums {
  double alone = 0.0;
  double shared = 0.0;
};
template <class Function>
PairSums sums_by_table(const std::vector<std::int32_t>& one, const FilledColumns& other, const Function& f) {
  PairSums sums;
  for (const ColumnSum& entry : other.entries) {
    const std::int32_t a = one[entry.column];
    const double of_b = f(entry.whole);
    sums.alone += of_b;
    sums.shared += f(a + entry.whole) - (f(a) + of_b);
  }
  return sums;
}
template <class Function>
PairSums sums_by_function(const std::vector<double>& one, const FilledColumns& other, const Function& f) {
  PairSums sums;
  for (const ColumnSum& entry : other.entries) {
    const double a = one[entry.column];
    const double of_b = f(entry.sum);
    sums.alone += of_b;
    if (a != 0.0) sums.shared += f(a + entry.sum) - (f(a) + of_b);
  }
  return sums;
}

// Whether sums of both are remembered.
bool are_known(const FilledColumns& a, const FilledColumns& b, const ByWeight& function) {
  return a.largest >= 0 && b.largest >= 0 &&
         static_cast<std::size_t>(a.largest) + static_cast<std::size_t>(b.largest) < function.known().size();
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
    thread_local AllColumns all;
    all.set(a.columns, n_columns_);
    const double* table = of_sum_.known().data();
    for (std::size_t i = 0; i < others.size(); ++i) {
      const Cluster& b = clusters_[others[i]];
      const PairSums sums = are_known(a.columns, b.columns, of_sum_)
                                ? sums_by_table(all.wholes, b.columns, [table](std::int32_t t) { return table[t]; })
                                : sums_by_function(all.sums, b.columns, of_sum_);
      const double of_columns = (a.of_columns + b.of_columns) + sums.shared;
      out[i] = a.weight + b.weight > 0.0 ? of_columns + of_total_(a.total + b.total) : 0.0;
    }
  }

  void set(std::size_t cluster, ConstStatsRef stats) override {
    const ConstStatsRef sums = stats.subspan(1, n_columns_);
    Cluster& c = clusters_[cluster];
    c.weight = stats.front();
    c.total = total_of(sums);
    c.columns = FilledColumns(sums, of_sum_.known().size());
    c.of_columns = stats.back();
    for (const ColumnSum& entry : c.columns.entries) c.of_columns += of_sum_(entry.sum);
    c.alone = c.weight > 0.0 ? c.of_columns + of_total_(c.total) : 0.0;
  }

 private:
  struct Cluster {
    double weight = 0.0;
    double total = 0.0;
    double of_columns = 0.0;  // with the coefficients
    double alone = 0.0;
    FilledColumns columns;
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
    thread_local AllColumns all;
    all.set(a.columns, n_columns_);
    double known_n = 0.0;  // the columns of a alone among n, for the last n: most others are single rows
    double of_a = 0.0;
    for (std::size_t i = 0; i < others.size(); ++i) {
      const Cluster& b = clusters_[others[i]];
      const double n = a.weight + b.weight;
      const OfColumn f{of_count_, n, of_count_(n)};
      if (n != known_n) of_a = sum_of(f, a.columns);
      known_n = n;
      const PairSums sums = are_known(a.columns, b.columns, of_count_) && is_known(n)
                                ? sums_by_table(all.wholes, b.columns, TableOfColumn(f))
                                : sums_by_function(all.sums, b.columns, f);
      out[i] = n > 0.0 ? (of_a + sums.alone) + sums.shared + of_weight_(n) : 0.0;
    }
  }

  void set(std::size_t cluster, ConstStatsRef stats) override {
    const double n = stats.front();
    Cluster& c = clusters_[cluster];
    c.weight = n;
    c.columns = FilledColumns(stats.subspan(1), of_count_.known().size());
    c.alone = n > 0.0 ? sum_of({of_count_, n, of_count_(n)}, c.columns) + of_weight_(n) : 0.0;
  }

 private:
  struct Cluster {
    double weight = 0.0;
    double alone = 0.0;
    FilledColumns columns;
  };
  // f(n, o)
  struct OfColumn {
    const ByWeight& g;
    double n;
    double of_n;
    double operator()(double ones) const { return (g(ones) + g(std::max(0.0, n - ones))) - of_n; }
  };
  // The same from the table.
  struct TableOfColumn {
    explicit TableOfColumn(const OfColumn& f)
        : table(f.g.known().data()), n(static_cast<std::int32_t>(f.n)), of_n(f.of_n) {}
    double operator()(std::int32_t ones) const { return (table[ones] + table[std::max(0, n - ones)]) - of_n; }
    const double* table;
    std::int32_t n;
    double of_n;
  };
  [[nodiscard]] bool is_known(double n) const {
    return n < static_cast<double>(of_count_.known().size()) && n == std::floor(n);
  }
  static double sum_of(const OfColumn& f, const FilledColumns& columns) {
    double sum = 0.0;
    for (const ColumnSum& entry : columns.entries) sum += f(entry.sum);
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
