// SPDX-License-Identifier: BSD-3-Clause
// Statistics of many clusters by given labels. From 8192 clusters on (twice as many as a block has rows) a block adds
// up those alone that it touches: 8191 clusters are the last for which every block has statistics of all. Rows are in
// the order of their clusters, as sorted tables are, or in none. `peak_MB` is the most memory that a sum took beside
// its labels and rows. The arguments are the number of clusters, of threads, and 1 for rows in order.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

#include "coppice/assign/naive.hpp"
#include "coppice/family/adapter.hpp"
#include "coppice/family/centroid.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/runtime/random.hpp"

namespace {

// What the program has allocated, and the most since it was last asked to look.
std::atomic<std::size_t> allocated = 0;
std::atomic<std::size_t> most_allocated = 0;

void* counted(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  const std::size_t now = allocated += malloc_usable_size(memory);
  std::size_t most = most_allocated;
  while (most < now && !most_allocated.compare_exchange_weak(most, now)) {
  }
  return memory;
}

void give_back(void* memory) noexcept {
  allocated -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t size) { return counted(std::malloc(std::max<std::size_t>(size, 1))); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto step = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(step, (std::max<std::size_t>(size, 1) + step - 1) / step * step));
}
void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept { give_back(memory); }

namespace coppice::bench {
using namespace internal;
namespace {

constexpr std::size_t n_rows = 500'000;
constexpr std::size_t n_columns = 8;

Dataset random_rows() {
  RandomStream random{1, Purpose::test};
  std::vector<double> values(n_rows * n_columns);
  for (double& value : values) value = random.normal();
  return Dataset::from_rows(std::move(values), n_rows, n_columns);
}

void statistics_of_many(benchmark::State& state) {
  const auto k = static_cast<std::size_t>(state.range(0));
  static const Rows rows(random_rows(), std::vector<double>(n_columns, 0.0));
  const Units units(rows);
  const FamilyAdapter<Centroid> family{Centroid(n_columns)};
  LocalExecution local(static_cast<std::size_t>(state.range(1)));
  RandomStream random{2, Purpose::test};
  std::vector<std::int32_t> labels(n_rows);
  for (std::int32_t& label : labels) label = static_cast<std::int32_t>(random.below(k));
  if (state.range(2) == 1) std::ranges::sort(labels);
  const std::size_t before = allocated;
  most_allocated = before;
  for (auto _ : state) benchmark::DoNotOptimize(statistics_of_list(local.get(), Subset(units), family, labels, k));
  state.counters["peak_MB"] = static_cast<double>(most_allocated - before) * 1e-6;
}

BENCHMARK(statistics_of_many)
    ->ArgsProduct({{1024, 8191, 8192, 65536, 262144}, {1, 2}, {0, 1}})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

}  // namespace
}  // namespace coppice::bench
