// SPDX-License-Identifier: BSD-3-Clause
// A sweep of the multinomial family over sparse rows, as many words as a large collection of texts has: 100,000 rows of
// about 90 entries in 30,000 columns, 20 clusters. `sparse_sweep` is all of it: posteriors, costs, labels, statistics,
// log evidence. The argument is the number of threads.
#include <benchmark/benchmark.h>

#include <memory>

#include "coppice/assign/assign.hpp"
#include "coppice/data/generate.hpp"
#include "coppice/family/adapter.hpp"
#include "coppice/family/multinomial.hpp"
#include "coppice/infer/me.hpp"
#include "coppice/runtime/local_execution.hpp"

namespace coppice::bench {
using namespace internal;
namespace {

constexpr std::size_t k = 20;

struct Texts {
  Texts()
      : made(generate(CountClusters{.n_rows = 100'000,
                                    .n_columns = 30'000,
                                    .k = k,
                                    .total = 100,
                                    .concentration = 0.05,
                                    .is_sparse = true,
                                    .seed = 1})),
        rows(made.data, std::vector<double>(made.data.n_columns(), 0.0)) {}

  Generated made;
  Rows rows;
};

const Texts& texts() {
  static const Texts instance;
  return instance;
}

void sparse_sweep(benchmark::State& state) {
  const Rows& rows = texts().rows;
  LocalExecution local(static_cast<std::size_t>(state.range(0)));
  const Units units(rows);
  FamilyAdapter<Multinomial> clusters(Multinomial(rows.n_columns(), 0.1));
  const std::unique_ptr<PartitionPrior> partition = make_dirichlet(1.0);
  const Problem problem{units, clusters, *partition, static_cast<double>(rows.size())};
  const Labels labels(texts().made.labels);
  const StatsArena stats = statistics_of(local.get(), units, clusters, labels, k);
  const std::unique_ptr<Components> own = clusters.clone();
  for (auto _ : state) {
    own->update(stats);
    const Assignment swept = assign(local.get(), Subset(units), *own, problem.offsets(stats), labels);
    benchmark::DoNotOptimize(problem.objective(swept.stats));
  }
  state.counters["entries_per_row"] = static_cast<double>(rows.data().n_entries()) / static_cast<double>(rows.size());
}
BENCHMARK(sparse_sweep)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace coppice::bench
