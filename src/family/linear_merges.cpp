// SPDX-License-Identifier: BSD-3-Clause
// The evidence of merged clusters of counts and of bits. With g(x) = log Gamma(prior + x) - log Gamma(prior), where
// groups of columns have their own prior, it is a sum of functions of the columns' sums that vanish at 0. A column
// where only one of the two has anything adds what it adds in that one alone, so that a pair costs the columns that the
// other cluster has. Sums over both clusters are added up the same way round whichever is which.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "coppice/family/bernoulli.hpp"
#include "coppice/family/multinomial.hpp"
#include "coppice/kernels/special.hpp"
#include "family/by_weight.hpp"
#include "family/log_rising.hpp"

namespace coppice::internal {

namespace {

using kernels::log_gamma;

// A pair is looked at with the columns of the other cluster in hand: single rows of many columns have few.
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
// and of f(b) on top, with f of the column. Where one of them has nothing the difference is 0 to the last bit.
struct PairSums {
  double alone = 0.0;
  double shared = 0.0;
};
template <class Function>
PairSums sums_by_table(const std::vector<std::int32_t>& one, const FilledColumns& other, const Function& f) {
  PairSums sums;
  for (const ColumnSum& entry : other.entries) {
    const std::int32_t a = one[entry.column];
    const double of_b = f(entry.column, entry.whole);
    sums.alone += of_b;
    sums.shared += f(entry.column, a + entry.whole) - (f(entry.column, a) + of_b);
  }
  return sums;
}
template <class Function>
PairSums sums_by_function(const std::vector<double>& one, const FilledColumns& other, const Function& f) {
  PairSums sums;
  for (const ColumnSum& entry : other.entries) {
    const double a = one[entry.column];
    const double of_b = f(entry.column, entry.sum);
    sums.alone += of_b;
    if (a != 0.0) sums.shared += f(entry.column, a + entry.sum) - (f(entry.column, a) + of_b);
  }
  return sums;
}

// Whether sums of both are remembered.
bool are_known(const FilledColumns& a, const FilledColumns& b, const LogRising& function) {
  return a.largest >= 0 && b.largest >= 0 &&
         static_cast<std::size_t>(a.largest) + static_cast<std::size_t>(b.largest) < function.n_known();
}

// Of every group of columns.
template <class Value, class Part>
std::vector<double> parts(const ColumnPrior<Value>& prior, const Part& part) {
  std::vector<double> values;
  for (const auto& group : prior.groups()) values.push_back(part(group.value));
  return values;
}

double largest_sum(const StatsArena& stats, std::size_t n_columns) {
  std::vector<double> totals(n_columns, 0.0);
  for (std::size_t c = 0; c < stats.size(); ++c) {
    for (std::size_t i = 0; i < n_columns; ++i) totals[i] += stats[c][1 + i];
  }
  return *std::ranges::max_element(totals);
}

double weight_of_all(const StatsArena& stats) {
  double total = 0.0;
  for (std::size_t c = 0; c < stats.size(); ++c) total += stats.weight(c);
  return total;
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

// [L] Eq. 39: sum_d g_d(t_d) + log Gamma(sum_d psi0_d) - log Gamma(sum_d psi0_d + T) + coefficients, t = sums, T =
// their total
class MultinomialMerges final : public MergedEvidence {
 public:
  MultinomialMerges(const Multinomial& family, const StatsArena& stats)
      : psi0_(family.psi0()),
        of_sum_(parts(psi0_, [](double psi0) { return psi0; }), psi0_.group_of(),
                largest_sum(stats, psi0_.n_columns())),
        of_total_(total_of_all(stats, psi0_.n_columns()),
                  [prior = family.psi0_total()](double total) { return log_gamma(prior) - log_gamma(prior + total); }),
        clusters_(stats.size()) {
    for (std::size_t c = 0; c < stats.size(); ++c) set(c, stats[c]);
  }

  [[nodiscard]] double alone(std::size_t cluster) const override { return clusters_[cluster].alone; }

  void with(std::size_t one, std::span<const std::uint32_t> others, double* out) const override {
    const Cluster& a = clusters_[one];
    thread_local AllColumns all;
    all.set(a.columns, psi0_.n_columns());
    const auto from_table = [this](std::uint32_t column, std::int32_t t) { return of_sum_.known(column, t); };
    for (std::size_t i = 0; i < others.size(); ++i) {
      const Cluster& b = clusters_[others[i]];
      const PairSums sums = are_known(a.columns, b.columns, of_sum_) ? sums_by_table(all.wholes, b.columns, from_table)
                                                                     : sums_by_function(all.sums, b.columns, of_sum_);
      const double of_columns = (a.of_columns + b.of_columns) + sums.shared;
      out[i] = a.weight + b.weight > 0.0 ? of_columns + of_total_(a.total + b.total) : 0.0;
    }
  }

  void set(std::size_t cluster, ConstStatsRef stats) override {
    const ConstStatsRef sums = stats.subspan(1, psi0_.n_columns());
    Cluster& c = clusters_[cluster];
    c.weight = stats.front();
    c.total = total_of(sums);
    c.columns = FilledColumns(sums, of_sum_.n_known());
    c.of_columns = stats.back();
    for (const ColumnSum& entry : c.columns.entries) c.of_columns += of_sum_(entry.column, entry.sum);
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

  ColumnPrior<double> psi0_;
  LogRising of_sum_;
  ByWeight of_total_;
  std::vector<Cluster> clusters_;
};

// [L] Eq. 45, where a column with o ones among n adds f(n, o) = g1(o) + g0(n - o) - g0(n) to what it adds without ones,
// g0(n) - g(n): g1, g0 and g have the pseudo-counts of its ones, of its zeros and of both.
class BernoulliMerges final : public MergedEvidence {
 public:
  BernoulliMerges(const Bernoulli& family, const StatsArena& stats)
      : prior_(family.prior()),
        of_ones_(parts(prior_, [](const BetaCounts& of) { return of.ones; }), prior_.group_of(), weight_of_all(stats)),
        of_zeros_(parts(prior_, [](const BetaCounts& of) { return of.zeros; }), prior_.group_of(),
                  weight_of_all(stats)),
        of_weight_(stats, [this](double n) { return without_ones(n); }),
        clusters_(stats.size()) {
    for (std::size_t c = 0; c < stats.size(); ++c) set(c, stats[c]);
  }

  [[nodiscard]] double alone(std::size_t cluster) const override { return clusters_[cluster].alone; }

  void with(std::size_t one, std::span<const std::uint32_t> others, double* out) const override {
    const Cluster& a = clusters_[one];
    thread_local AllColumns all;
    all.set(a.columns, prior_.n_columns());
    double known_n = 0.0;  // the columns of a alone among n, for the last n: most others are single rows
    double of_a = 0.0;
    for (std::size_t i = 0; i < others.size(); ++i) {
      const Cluster& b = clusters_[others[i]];
      const double n = a.weight + b.weight;
      const OfColumn f{of_ones_, of_zeros_, n};
      if (n != known_n) of_a = sum_of(f, a.columns);
      known_n = n;
      const PairSums sums = are_known(a.columns, b.columns, of_ones_) && of_zeros_.is_known(n)
                                ? sums_by_table(all.wholes, b.columns, TableOfColumn(f))
                                : sums_by_function(all.sums, b.columns, f);
      out[i] = n > 0.0 ? (of_a + sums.alone) + sums.shared + of_weight_(n) : 0.0;
    }
  }

  void set(std::size_t cluster, ConstStatsRef stats) override {
    const double n = stats.front();
    Cluster& c = clusters_[cluster];
    c.weight = n;
    c.columns = FilledColumns(stats.subspan(1), of_ones_.n_known());
    c.alone = n > 0.0 ? sum_of({of_ones_, of_zeros_, n}, c.columns) + of_weight_(n) : 0.0;
  }

 private:
  struct Cluster {
    double weight = 0.0;
    double alone = 0.0;
    FilledColumns columns;
  };
  // f(n, o)
  struct OfColumn {
    const LogRising& of_ones;
    const LogRising& of_zeros;
    double n;
    double operator()(std::uint32_t column, double ones) const {
      return (of_ones(column, ones) + of_zeros(column, std::max(0.0, n - ones))) - of_zeros(column, n);
    }
  };
  // The same from the tables.
  struct TableOfColumn {
    explicit TableOfColumn(const OfColumn& f)
        : of_ones(f.of_ones), of_zeros(f.of_zeros), n(static_cast<std::int32_t>(f.n)) {}
    double operator()(std::uint32_t column, std::int32_t ones) const {
      return (of_ones.known(column, ones) + of_zeros.known(column, std::max(0, n - ones))) - of_zeros.known(column, n);
    }
    const LogRising& of_ones;
    const LogRising& of_zeros;
    std::int32_t n;
  };
  static double sum_of(const OfColumn& f, const FilledColumns& columns) {
    double sum = 0.0;
    for (const ColumnSum& entry : columns.entries) sum += f(entry.column, entry.sum);
    return sum;
  }
  // sum_d g0(n) - g(n)
  [[nodiscard]] double without_ones(double n) const {
    double sum = 0.0;
    for (const auto& group : prior_.groups()) {
      const double w = group.value.zeros + group.value.ones;
      sum += static_cast<double>(group.columns.size()) *
             ((log_gamma(w) - log_gamma(group.value.zeros)) + (log_gamma(group.value.zeros + n) - log_gamma(w + n)));
    }
    return sum;
  }

  ColumnPrior<BetaCounts> prior_;
  LogRising of_ones_;
  LogRising of_zeros_;
  ByWeight of_weight_;
  std::vector<Cluster> clusters_;
};

}  // namespace

std::unique_ptr<MergedEvidence> Multinomial::merged_evidence(const StatsArena& stats) const {
  return std::make_unique<MultinomialMerges>(*this, stats);
}

std::unique_ptr<MergedEvidence> Bernoulli::merged_evidence(const StatsArena& stats) const {
  return std::make_unique<BernoulliMerges>(*this, stats);
}

}  // namespace coppice::internal
