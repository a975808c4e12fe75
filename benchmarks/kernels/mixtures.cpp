// SPDX-License-Identifier: BSD-3-Clause
// Mixtures whose columns are independent, one thread: what an iteration of EM takes (`em_iteration`), and the kernels
// that it consists of, on one panel after the other. Counters: seconds per row, and the share of this machine's
// multiply-add peak (two multiply-adds per row, column and cluster for densities, and as many for sums).
#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "coppice/family/adapter.hpp"
#include "coppice/family/point_diagonal.hpp"
#include "coppice/infer/em.hpp"
#include "coppice/kernels/diagonal.hpp"
#include "coppice/kernels/shared_sums.hpp"
#include "coppice/kernels/shares.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/runtime/random.hpp"
#include "peak.hpp"

namespace coppice::bench {
using namespace internal;
namespace {

std::vector<double> normal_values(std::size_t count, double scale, std::uint64_t seed) {
  RandomStream random{seed, Purpose::generate};
  std::vector<double> values(count);
  for (double& value : values) value = scale * random.normal();
  return values;
}

// Normal rows, and as many clusters around some of them: all overlap, as the worst case has it.
struct Setting {
  explicit Setting(const benchmark::State& state)
      : n_rows(static_cast<std::size_t>(state.range(0))),
        d(static_cast<std::size_t>(state.range(1))),
        k(static_cast<std::size_t>(state.range(2))),
        rows(Dataset::from_rows(normal_values(n_rows * d, 1.0, 1), n_rows, d), std::vector<double>(d, 0.0)),
        means(normal_values(k * d, 0.5, 2)),
        scales(k * d, std::sqrt(0.5)),
        buffer(d),
        shares(k * kernels::panel_stride),
        totals(k),
        counts(k),
        log_weights(k, -std::log(static_cast<double>(k))),
        sums(2 * k * d) {
    for (std::size_t c = 0; c < k; ++c) {
      forms.push_back({std::span(means).subspan(c * d, d), std::span(scales).subspan(c * d, d), 0.0});
      sets.push_back({&shares[c * kernels::panel_stride], &sums[2 * c * d], &sums[(2 * c + 1) * d]});
    }
  }

  void take_densities(RowBlock& block) { kernels::diagonal_log_densities(block.stored(), d, forms, shares.data()); }
  void take_shares(std::size_t n) {
    kernels::take_shares(shares.data(), log_weights, n, {}, {totals.data(), counts.data()});
  }
  void take_sums(RowBlock& block) { kernels::shared_sums(block.stored(), d, sets); }

  std::size_t n_rows;
  std::size_t d;
  std::size_t k;
  Rows rows;
  std::vector<double> means;
  std::vector<double> scales;
  BlockBuffer buffer;
  kernels::AlignedVector<double> shares;
  std::vector<double> totals;
  std::vector<std::uint32_t> counts;
  std::vector<double> log_weights;
  std::vector<double> sums;
  std::vector<kernels::DiagonalForm> forms;
  std::vector<kernels::SharedSums> sets;
};

void report(benchmark::State& state, const Setting& setting, double n_multiply_adds) {
  const double n_rows = static_cast<double>(setting.n_rows) * static_cast<double>(state.iterations());
  const auto per_row = static_cast<double>(setting.d * setting.k) * n_multiply_adds;
  state.counters["per_row"] = benchmark::Counter(n_rows, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["of_peak"] =
      benchmark::Counter(n_rows * per_row / peak_multiply_adds_per_second(), benchmark::Counter::kIsRate);
}

// Calls work(block) for all rows.
template <class Work>
void for_panels(Setting& setting, const Work& work) {
  for (std::size_t first = 0; first < setting.n_rows; first += kernels::panel_rows) {
    RowBlock block(setting.rows, first, std::min(kernels::panel_rows, setting.n_rows - first), setting.buffer);
    work(block);
  }
}

void fill_panels(benchmark::State& state) {
  Setting setting(state);
  for (auto _ : state) {
    for_panels(setting, [](RowBlock& block) { benchmark::DoNotOptimize(block.panel().values); });
  }
  report(state, setting, 0.0);
}

void densities(benchmark::State& state) {
  Setting setting(state);
  RowBlock block(setting.rows, 0, kernels::panel_rows, setting.buffer);
  for (auto _ : state) {
    for_panels(setting, [&](RowBlock&) { setting.take_densities(block); });
  }
  report(state, setting, 2.0);
}

// Shares of shares: any numbers will do.
void shares(benchmark::State& state) {
  Setting setting(state);
  for (auto _ : state) {
    for_panels(setting, [&](RowBlock& block) { setting.take_shares(block.n_rows()); });
  }
  report(state, setting, 0.0);
}

void soft_sums(benchmark::State& state) {
  Setting setting(state);
  RowBlock block(setting.rows, 0, kernels::panel_rows, setting.buffer);
  setting.take_densities(block);
  setting.take_shares(block.n_rows());
  for (auto _ : state) {
    for_panels(setting, [&](RowBlock&) { setting.take_sums(block); });
  }
  report(state, setting, 2.0);
}

void em_iteration(benchmark::State& state) {
  Setting setting(state);
  LocalExecution local{1};
  const FamilyAdapter<PointDiagonal> family{PointDiagonal(setting.d, 1e-6)};
  const std::unique_ptr<PartitionPrior> prior = make_shares();
  const Units units(setting.rows);
  const Problem problem{units, family, *prior, static_cast<double>(setting.n_rows)};
  std::vector<std::int32_t> labels(setting.n_rows);
  for (std::size_t row = 0; row < labels.size(); ++row) labels[row] = static_cast<std::int32_t>(row % setting.k);
  for (auto _ : state) {
    state.PauseTiming();
    Journal journal({.max_iterations = 9});
    ExpectationMaximization em(local.get(), problem, {}, journal);
    State clusters = em.from_labels(labels);
    state.ResumeTiming();
    try {
      em.converge(clusters);
    } catch (const Stopped&) {
    }
  }
  report(state, setting, 10.0 * 4.0);
}

void shapes(benchmark::internal::Benchmark* bench) { bench->Args({100'000, 32, 16})->Unit(benchmark::kMillisecond); }
BENCHMARK(fill_panels)->Apply(shapes);
BENCHMARK(densities)->Apply(shapes);
BENCHMARK(shares)->Apply(shapes);
BENCHMARK(soft_sums)->Apply(shapes);
BENCHMARK(em_iteration)->Apply(shapes);

}  // namespace
}  // namespace coppice::bench
