// SPDX-License-Identifier: BSD-3-Clause
// Assignment, one thread: `nearest` is the kernel alone (rows in, labels out), `sweep` adds the statistics,
// `tree_sweep` does the same by a kd-tree (`cold_tree_sweep`: after something else), `build_tree` builds it with its
// statistics. Counters: seconds per row and per distance, and the share of this machine's multiply-add peak; for trees
// the comparisons of a sweep.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
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
using namespace internal;
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
    clusters.update(statistics_of_list(local.get(), Subset(units), clusters, made.labels, k));
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
    benchmark::DoNotOptimize(assign_naive(setting.local.get(), Subset(setting.units), setting.clusters, setting.offsets,
                                          setting.made.labels));
  }
  report(state, setting);
}

// Sweeps down a tree, one after the other.
class TreeSweeps {
 public:
  TreeSweeps(std::size_t n_rows, std::size_t n_columns, std::size_t k)
      : setting_(n_rows, n_columns, k), offsets_(64, std::vector<double>(k)) {
    // Borders move a little from sweep to sweep, as they do in a fit: the branches of one and the same sweep, repeated,
    // would all be foretold.
    RandomStream random(1, Purpose::test);
    for (auto& of_sweep : offsets_) std::ranges::generate(of_sweep, [&] { return 0.1 * random.uniform(); });
  }

  // Returns the number of comparisons.
  std::uint64_t next() {
    const std::vector<double>& of_sweep = offsets_[n_sweeps_++ % offsets_.size()];
    Assignment result = assign(setting_.local.get(), Subset(units_), setting_.clusters, of_sweep, labels_);
    labels_ = std::move(result.labels);
    return result.distances;
  }

 private:
  Setting setting_;
  KdTree tree_{setting_.local.get(), setting_.rows, leaf_capacity(setting_.clusters.stats_size(), setting_.made.data)};
  StatsArena stats_ = node_statistics(setting_.local.get(), tree_, setting_.clusters);
  TreeUnits in_tree_{tree_, stats_};
  Units units_{in_tree_};
  Labels labels_ = labels_of(units_, setting_.made.labels);
  std::vector<std::vector<double>> offsets_;
  std::size_t n_sweeps_ = 0;
};

TreeSweeps tree_sweeps(const benchmark::State& state) {
  return {static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1)),
          static_cast<std::size_t>(state.range(2))};
}

void tree_sweep(benchmark::State& state) {
  TreeSweeps sweeps = tree_sweeps(state);
  std::uint64_t distances = 0;
  for (auto _ : state) distances = sweeps.next();
  state.counters["distances"] = static_cast<double>(distances);
}

// The same when something else has been in the caches before every sweep, as splits of clusters are in a fit.
void cold_tree_sweep(benchmark::State& state) {
  TreeSweeps sweeps = tree_sweeps(state);
  std::vector<double> else_where(std::size_t{12} << 20U);
  std::uint64_t distances = 0;
  for (auto _ : state) {
    for (double& value : else_where) value += 1.0;
    benchmark::ClobberMemory();
    const auto start = std::chrono::steady_clock::now();
    distances = sweeps.next();
    state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
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
BENCHMARK(cold_tree_sweep)->Args({100'000, 2, 5})->Args({1'000'000, 2, 5})->UseManualTime();
BENCHMARK(build_tree)->Args({100'000, 2})->Args({1'000'000, 2})->Args({100'000, 8});
BENCHMARK(sweep)->Args({100'000, 2, 5})->Args({100'000, 8, 20})->Args({50'000, 16, 50})->Args({20'000, 64, 100});

}  // namespace
}  // namespace coppice::bench
