// SPDX-License-Identifier: BSD-3-Clause
// Costs of nodes, as soft fits on the tied leaves of a tree ask for them: in panels, and one by one. The counter is the
// time per node and cluster.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <vector>

#include "coppice/family/adapter.hpp"
#include "coppice/family/gaussian.hpp"
#include "coppice/family/point_diagonal.hpp"
#include "coppice/family/point_gaussian.hpp"
#include "coppice/runtime/random.hpp"

namespace coppice::bench {
using namespace internal;
namespace {

constexpr std::size_t n_nodes = 4096;
constexpr std::size_t k = 16;
constexpr std::size_t rows_of_a_node = 30;

PointDiagonal make_family(PointDiagonal* /*tag*/, std::size_t d) { return {d, 1e-3}; }
PointGaussian make_family(PointGaussian* /*tag*/, std::size_t d) { return {d, 1e-3}; }
Gaussian make_family(Gaussian* /*tag*/, std::size_t d) {
  NormalWishart prior{std::vector<double>(d, 0.0), 0.01, static_cast<double>(d), std::vector<double>(d * d, 0.0)};
  for (std::size_t i = 0; i < d; ++i) prior.b0[i * (d + 1)] = 0.1;
  return Gaussian(std::move(prior));
}

template <class F>
struct Setting {
  explicit Setting(const benchmark::State& state)
      : d(static_cast<std::size_t>(state.range(0))),
        clusters(make_family(static_cast<F*>(nullptr), d)),
        arena(n_nodes, clusters.stats_size()) {
    RandomStream random{1, Purpose::test};
    BlockBuffer buffer(d);
    for (std::size_t i = 0; i < n_nodes; ++i) {
      std::vector<double> values(rows_of_a_node * d);
      const double centre = random.normal();
      for (double& value : values) value = centre + 0.3 * random.normal();
      const Rows rows(Dataset::from_rows(std::move(values), rows_of_a_node, d), std::vector<double>(d, 0.0));
      RowBlock block(rows, 0, rows_of_a_node, buffer);
      clusters.add(arena[i], block, {});
    }
    StatsArena first(0, clusters.stats_size());
    for (std::size_t c = 0; c < k; ++c) first.append(arena[c]);
    clusters.update(first);
    for (std::size_t i = 0; i < n_nodes; ++i) nodes.push_back(std::as_const(arena)[i]);
  }

  std::size_t d;
  FamilyAdapter<F> clusters;
  StatsArena arena;
  std::vector<ConstStatsRef> nodes;
  std::vector<double> out = std::vector<double>(k * kernels::panel_stride);
};

void report(benchmark::State& state) {
  state.counters["per_cost"] = benchmark::Counter(
      static_cast<double>(n_nodes * k), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

template <class F>
void nodes_in_panels(benchmark::State& state) {
  Setting<F> setting(state);
  for (auto _ : state) {
    const std::unique_ptr<NodeCosts> costs = setting.clusters.node_costs();
    for (std::size_t first = 0; first < n_nodes; first += kernels::panel_rows) {
      costs->costs(std::span(setting.nodes).subspan(first, kernels::panel_rows), setting.out.data());
      benchmark::DoNotOptimize(setting.out.data());
    }
  }
  report(state);
}

template <class F>
void nodes_one_by_one(benchmark::State& state) {
  Setting<F> setting(state);
  for (auto _ : state) {
    for (const ConstStatsRef node : setting.nodes) {
      for (std::size_t c = 0; c < k; ++c) setting.out[c] = setting.clusters.node_cost(c, node);
      benchmark::DoNotOptimize(setting.out.data());
    }
  }
  report(state);
}

void columns(benchmark::internal::Benchmark* bench) {
  for (const int d : {2, 8, 20, 64}) bench->Arg(d)->Unit(benchmark::kMillisecond);
}
BENCHMARK_TEMPLATE(nodes_in_panels, PointDiagonal)->Apply(columns);
BENCHMARK_TEMPLATE(nodes_one_by_one, PointDiagonal)->Apply(columns);
BENCHMARK_TEMPLATE(nodes_in_panels, PointGaussian)->Apply(columns);
BENCHMARK_TEMPLATE(nodes_one_by_one, PointGaussian)->Apply(columns);
BENCHMARK_TEMPLATE(nodes_in_panels, Gaussian)->Apply(columns);
BENCHMARK_TEMPLATE(nodes_one_by_one, Gaussian)->Apply(columns);

}  // namespace
}  // namespace coppice::bench
