// SPDX-License-Identifier: BSD-3-Clause
// The evidence of merged clusters, one against 4000 others: the family's own way, and by merging statistics. The
// counter is the time per pair. Cases: 0 single rows with single rows, 1 a cluster with single rows, 2 a single row
// with clusters, 3 clusters with clusters.
#include <benchmark/benchmark.h>

#include <numeric>
#include <vector>

#include "coppice/family/adapter.hpp"
#include "coppice/family/bernoulli.hpp"
#include "coppice/family/diagonal.hpp"
#include "coppice/family/gaussian.hpp"
#include "coppice/family/multinomial.hpp"
#include "coppice/family/spherical.hpp"
#include "coppice/runtime/random.hpp"

namespace coppice::bench {
using namespace internal;
namespace {

constexpr std::size_t n_others = 4000;
constexpr std::size_t rows_of_a_cluster = 20;

Gaussian make_family(Gaussian* /*tag*/, std::size_t d) {
  NormalWishart prior{std::vector<double>(d, 0.0), 0.01, static_cast<double>(d), std::vector<double>(d * d, 0.0)};
  for (std::size_t i = 0; i < d; ++i) prior.b0[i * (d + 1)] = 0.01;
  return Gaussian(std::move(prior));
}

DiagonalGaussian make_family(DiagonalGaussian* /*tag*/, std::size_t d) {
  return DiagonalGaussian({std::vector<double>(d, 0.0), 0.01, 1.0, std::vector<double>(d, 0.01), {}});
}
SphericalGaussian make_family(SphericalGaussian* /*tag*/, std::size_t d) {
  return SphericalGaussian({std::vector<double>(d, 0.0), 0.01, 1.0, {0.01}, {}});
}
Multinomial make_family(Multinomial* /*tag*/, std::size_t d) { return {d, 0.1}; }
Bernoulli make_family(Bernoulli* /*tag*/, std::size_t d) { return {d, 0.1}; }

// A row's statistics; a third of the columns of counts and of bits are not 0.
template <class F>
std::vector<double> row_of(const F& family, RandomStream& random) {
  constexpr bool is_discrete = std::same_as<F, Multinomial> || std::same_as<F, Bernoulli>;
  std::vector<double> row(family.stats_size(), 0.0);
  row[0] = 1.0;
  for (std::size_t i = 0; i < family.n_columns(); ++i) {
    row[1 + i] = is_discrete ? (random.below(3) == 0 ? 1.0 : 0.0) : random.normal();
  }
  return row;
}

// The last cluster is the one that meets all others. Every tenth of them is left out, as if it had been merged.
template <class F>
struct Setting {
  explicit Setting(const benchmark::State& state)
      : components(make_family(static_cast<F*>(nullptr), static_cast<std::size_t>(state.range(0)))),
        stats(0, components.stats_size()) {
    const auto which = state.range(1);
    for (std::size_t c = 0; c < n_others; ++c) append(which >= 2 ? rows_of_a_cluster : 1);
    append(which == 1 || which == 3 ? rows_of_a_cluster : 1);
    for (std::uint32_t c = 0; c < n_others; ++c) {
      if (c % 10 != 3) others.push_back(c);
    }
    out.resize(others.size());
  }

  void run(benchmark::State& state, const MergedEvidence& evidence) {
    for (auto _ : state) {
      evidence.with(n_others, others, out.data());
      benchmark::DoNotOptimize(out.data());
      benchmark::ClobberMemory();
    }
    state.counters["per_pair"] =
        benchmark::Counter(static_cast<double>(others.size()) * static_cast<double>(state.iterations()),
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  }

  FamilyAdapter<F> components;
  StatsArena stats;
  std::vector<std::uint32_t> others;
  std::vector<double> out;

 private:
  void append(std::size_t n_rows) {
    std::vector<double> cluster(components.stats_size(), 0.0);
    for (std::size_t row = 0; row < n_rows; ++row) components.merge(cluster, row_of(components.get(), random_));
    stats.append(cluster);
  }

  RandomStream random_{1, Purpose::generate};
};

template <class F>
void own_way(benchmark::State& state) {
  Setting<F> setting(state);
  setting.run(state, *setting.components.merged_evidence(setting.stats));
}

template <class F>
void merged_statistics(benchmark::State& state) {
  Setting<F> setting(state);
  setting.run(state, *setting.components.Components::merged_evidence(setting.stats));
}

// Columns, case.
void shapes(benchmark::internal::Benchmark* bench) {
  for (const std::int64_t d : {1, 2, 3, 8, 16, 50}) {
    for (const std::int64_t which : {0, 1, 2, 3}) bench->Args({d, which});
  }
}
BENCHMARK_TEMPLATE(own_way, Gaussian)->Apply(shapes);
BENCHMARK_TEMPLATE(own_way, DiagonalGaussian)->Apply(shapes);
BENCHMARK_TEMPLATE(own_way, SphericalGaussian)->Apply(shapes);
BENCHMARK_TEMPLATE(own_way, Multinomial)->Apply(shapes);
BENCHMARK_TEMPLATE(own_way, Bernoulli)->Apply(shapes);
BENCHMARK_TEMPLATE(merged_statistics, Gaussian)->Apply(shapes);
BENCHMARK_TEMPLATE(merged_statistics, DiagonalGaussian)->Apply(shapes);
BENCHMARK_TEMPLATE(merged_statistics, SphericalGaussian)->Apply(shapes);
BENCHMARK_TEMPLATE(merged_statistics, Multinomial)->Apply(shapes);
BENCHMARK_TEMPLATE(merged_statistics, Bernoulli)->Apply(shapes);

}  // namespace
}  // namespace coppice::bench
