// SPDX-License-Identifier: BSD-3-Clause
// k-means' kernels on float32 rows: `nearest_centre` finds the nearest centres of all rows, `centre_sweep` sums them up
// as well. Counters: seconds per row and per distance, and the share of this machine's single-precision multiply-add
// peak (D multiply-adds per distance).
#include <benchmark/benchmark.h>

#include <vector>

#include "coppice/assign/naive.hpp"
#include "coppice/family/adapter.hpp"
#include "coppice/family/centroid.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/runtime/random.hpp"
#include "peak.hpp"

namespace coppice::bench {
using namespace internal;
namespace {

Dataset normal_rows(std::size_t n_rows, std::size_t n_columns) {
  RandomStream random{1, Purpose::generate};
  std::vector<float> values(n_rows * n_columns);
  for (float& value : values) value = static_cast<float>(random.normal());
  return Dataset::from_rows(std::move(values), n_rows, n_columns);
}

// Normal rows, the first of which are the centres.
struct Setting {
  explicit Setting(const benchmark::State& state)
      : n_columns(static_cast<std::size_t>(state.range(1))),
        k(static_cast<std::size_t>(state.range(2))),
        rows(normal_rows(static_cast<std::size_t>(state.range(0)), n_columns), std::vector<double>(n_columns, 0.0)),
        clusters(Centroid(n_columns)),
        offsets(k, 0.0),
        labels(rows.size(), 0) {
    std::vector<double> centres;
    for (std::size_t i = 0; i < k * n_columns; ++i) centres.push_back(static_cast<double>(rows.data().floats()[i]));
    clusters.update(centre_statistics(centres, n_columns));
  }

  std::size_t n_columns;
  std::size_t k;
  Rows rows;
  FamilyAdapter<Centroid> clusters;
  std::vector<double> offsets;
  std::vector<std::int32_t> labels;
};

void report(benchmark::State& state, const Setting& setting) {
  const auto n_rows = static_cast<double>(setting.rows.size()) * static_cast<double>(state.iterations());
  const double n_distances = n_rows * static_cast<double>(setting.k);
  const auto rate = benchmark::Counter::kIsRate;
  const double single_precision_peak = 2.0 * peak_multiply_adds_per_second();
  state.counters["per_row"] = benchmark::Counter(n_rows, rate | benchmark::Counter::kInvert);
  state.counters["per_distance"] = benchmark::Counter(n_distances, rate | benchmark::Counter::kInvert);
  state.counters["of_peak"] =
      benchmark::Counter(n_distances * static_cast<double>(setting.n_columns) / single_precision_peak, rate);
}

void nearest_centre(benchmark::State& state) {
  Setting setting(state);
  BlockBuffer buffer(setting.n_columns);
  NearestWorkspace workspace;
  for (auto _ : state) {
    for (std::size_t first = 0; first < setting.rows.size(); first += kernels::panel_rows) {
      const std::size_t count = std::min(kernels::panel_rows, setting.rows.size() - first);
      RowBlock block(setting.rows, first, count, buffer);
      setting.clusters.nearest(setting.offsets, {}, block,
                               {[](std::size_t) { return -1; }, std::span(setting.labels).subspan(first, count)},
                               workspace);
    }
    benchmark::DoNotOptimize(setting.labels.data());
  }
  report(state, setting);
}

void centre_sweep(benchmark::State& state) {
  Setting setting(state);
  LocalExecution local(1);
  const Units units(setting.rows);
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        assign_naive(local.get(), Subset(units), setting.clusters, setting.offsets, setting.labels));
  }
  report(state, setting);
}

// Rows, columns, centres.
void shapes(benchmark::internal::Benchmark* bench) {
  bench->Args({20'000, 90, 2000})->Args({50'000, 74, 200})->Args({60'000, 50, 100})->Args({60'000, 50, 10});
  bench->Args({20'000, 784, 100})->Args({200'000, 16, 64})->Args({100'000, 2, 1024});
}
BENCHMARK(nearest_centre)->Apply(shapes);
BENCHMARK(centre_sweep)->Apply(shapes);

}  // namespace
}  // namespace coppice::bench
