// SPDX-License-Identifier: BSD-3-Clause
// Assignment, one thread: `nearest` is the kernel alone (rows in, labels out), `sweep` adds the statistics,
// `tree_sweep` does the same by a kd-tree, `build_tree` builds it with its statistics. Counters: seconds per row and
// per distance, and the share of this machine's multiply-add peak; for trees the comparisons of a sweep.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "coppice/assign/naive.hpp"
#include "coppice/data/generate.hpp"
#include "coppice/family/adapter.hpp"
#include "coppice/family/gaussian.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/runtime/random.hpp"
#include "coppice/tree/node_statistics.hpp"
#include "peak.hpp"

namespace coppice::bench {
namespace {

// A mixture with its true clusters at their posteriors.
struct Setting {
  Setting(std::size_t n_rows, std::size_t n_columns, std::size_t k)
      : made(generate(GaussianMixture{.n_rows = n_rows, .n_columns = n_columns, .k = k, .tau = 3.0, .seed = 1})),
        rows(made.data, std::vector<double>(n_columns, 0.0)),
        units(rows),
        clusters(
            Gaussian({std::vector<double>(n_columns, 0.0), 0.1, static_cast<double>(n_columns), identity(n_columns)})),
        offsets(k, 0.0),
        labels(n_rows) {
    clusters.update(statistics_of_list(local.get(), Part(units), clusters, made.labels, k));
  }

  static std::vector<double> identity(std::size_t n) {
    std::vector<double> matrix(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) matrix[i * n + i] = 0.01;
    return matrix;
  }

  LocalExecution local{1};
  Generated made;
  Rows rows;
  Units units;
  FamilyAdapter<Gaussian> clusters;
  std::vector<double> offsets;
  std::vector<std::int32_t> labels;
};

void report(benchmark::State& state, const Setting& setting) {
  const auto n_rows = static_cast<double>(setting.rows.size()) * static_cast<double>(state.iterations());
  const auto n_distances = n_rows * static_cast<double>(setting.clusters.size());
  const auto d = static_cast<double>(setting.rows.n_columns());
  const auto rate = benchmark::Counter::kIsRate;
  state.counters["per_row"] = benchmark::Counter(n_rows, rate | benchmark::Counter::kInvert);
  state.counters["per_distance"] = benchmark::Counter(n_distances, rate | benchmark::Counter::kInvert);
  // Multiply-adds that a distance needs: D (D + 1) / 2 for W (x - m), D for its squared norm.
  state.counters["of_peak"] =
      benchmark::Counter(n_distances * (d * (d + 1.0) / 2.0 + d) / peak_multiply_adds_per_second(), rate);
}

void nearest(benchmark::State& state) {
  Setting setting(static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1)),
                  static_cast<std::size_t>(state.range(2)));
  BlockBuffer buffer(setting.rows.n_columns());
  NearestWorkspace workspace;
  for (auto _ : state) {
    for (std::size_t first = 0; first < setting.rows.size(); first += kernels::panel_rows) {
      const std::size_t count = std::min(kernels::panel_rows, setting.rows.size() - first);
      RowBlock block(setting.rows, first, count, buffer);
      setting.clusters.nearest(setting.offsets, {}, block,
                               {[&](std::size_t i) { return setting.made.labels[first + i]; },
                                std::span(setting.labels).subspan(first, count)},
                               workspace);
    }
    benchmark::DoNotOptimize(setting.labels.data());
  }
  report(state, setting);
}

void sweep(benchmark::State& state) {
  Setting setting(static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1)),
                  static_cast<std::size_t>(state.range(2)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        assign_naive(setting.local.get(), Part(setting.units), setting.clusters, setting.offsets, setting.made.labels));
  }
  report(state, setting);
}

void tree_sweep(benchmark::State& state) {
  Setting setting(static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1)),
                  static_cast<std::size_t>(state.range(2)));
  const KdTree tree(setting.local.get(), setting.rows, leaf_capacity(setting.clusters.stats_size(), setting.made.data));
  const StatsArena stats = node_statistics(setting.local.get(), tree, setting.clusters);
  const TreeUnits in_tree{tree, stats};
  const Units units(in_tree);
  Labels labels = labels_of(units, setting.made.labels);
  // Borders move a little from sweep to sweep, as they do in a fit: the branches of one and the same sweep, repeated,
  // would all be foretold.
  RandomStream random(1, Purpose::test);
  std::vector<std::vector<double>> offsets(64, std::vector<double>(setting.clusters.size()));
  for (auto& of_sweep : offsets) std::ranges::generate(of_sweep, [&] { return 0.1 * random.uniform(); });
  std::uint64_t distances = 0;
  std::size_t n_sweeps = 0;
  for (auto _ : state) {
    const std::vector<double>& of_sweep = offsets[n_sweeps++ % offsets.size()];
    Assignment result = assign(setting.local.get(), Part(units), setting.clusters, of_sweep, labels);
    distances = result.distances;
    labels = std::move(result.labels);
  }
  state.counters["distances"] = static_cast<double>(distances);
}

void build_tree(benchmark::State& state) {
  Setting setting(static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1)), 5);
  for (auto _ : state) {
    const KdTree tree(setting.local.get(), setting.rows,
                      leaf_capacity(setting.clusters.stats_size(), setting.made.data));
    benchmark::DoNotOptimize(node_statistics(setting.local.get(), tree, setting.clusters));
  }
  const auto n_rows = static_cast<double>(setting.rows.size()) * static_cast<double>(state.iterations());
  state.counters["per_row"] = benchmark::Counter(n_rows, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

// Rows, columns, clusters.
BENCHMARK(nearest)
    ->Args({100'000, 1, 5})
    ->Args({100'000, 2, 5})
    ->Args({100'000, 4, 10})
    ->Args({100'000, 8, 20})
    ->Args({50'000, 16, 50})
    ->Args({20'000, 64, 100});
BENCHMARK(tree_sweep)->Args({100'000, 1, 5})->Args({100'000, 2, 5})->Args({1'000'000, 2, 5})->Args({100'000, 4, 10});
BENCHMARK(build_tree)->Args({100'000, 2})->Args({1'000'000, 2})->Args({100'000, 8});
BENCHMARK(sweep)->Args({100'000, 2, 5})->Args({100'000, 8, 20})->Args({50'000, 16, 50})->Args({20'000, 64, 100});

}  // namespace
}  // namespace coppice::bench
