// SPDX-License-Identifier: BSD-3-Clause
// Fits small hostile tables by every method. Whatever the numbers, a fit ends in a whole result, fit for use and for
// saving, or refuses the table with an error that names a reason.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "coppice/data/transform.hpp"
#include "coppice/evaluate/silhouette.hpp"
#include "coppice/partition/background.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/write/model_archive.hpp"
#include "fuzz/hostile_options.hpp"
#include "fuzz/refusals.hpp"

namespace {

using namespace coppice;
using namespace coppice::internal;
using fuzz::demand;
using fuzz::Draws;

constexpr std::size_t most_rows = 24;
constexpr std::size_t most_columns = 5;

// Columns of one scale each, with rows that come back, constant columns and single values of any size.
std::vector<double> hostile_values(Draws& draws, std::size_t n_rows, std::size_t n_columns) {
  std::vector<double> scale(n_columns);
  const double common = draws.magnitude();
  for (double& s : scale) s = draws.now_and_then() ? draws.magnitude() : common;
  std::vector<double> values;
  for (std::size_t row = 0; row < n_rows; ++row) {
    const bool is_copy = row > 0 && draws.now_and_then();
    const std::size_t other = is_copy ? draws.below(row) : 0;
    const std::uint8_t shape = draws.byte();
    for (std::size_t column = 0; column < n_columns; ++column) {
      if (is_copy) {
        values.push_back(values[other * n_columns + column]);
        continue;
      }
      double value = scale[column] * draws.small();
      if (shape >= 240) value = draws.hostile();
      if (shape >= 200 && shape < 240) value = std::abs(std::nearbyint(draws.small()));  // a count
      values.push_back(std::isfinite(value) ? value : 1.7e308);
    }
  }
  return values;
}

Dataset as_sparse(const std::vector<double>& values, std::size_t n_columns) {
  SparseEntries<double> entries{{0}, {}, {}, n_columns};
  for (std::size_t at = 0; at < values.size(); ++at) {
    if (values[at] != 0.0) {
      entries.columns.push_back(static_cast<std::uint32_t>(at % n_columns));
      entries.values.push_back(values[at]);
    }
    if (at % n_columns + 1 == n_columns) entries.starts.push_back(entries.values.size());
  }
  return Dataset::from_sparse_rows(std::move(entries));
}

Dataset hostile_table(Draws& draws, std::size_t n_columns) {
  const std::size_t n_rows = 1 + draws.below(most_rows);
  const std::uint8_t kind = draws.byte();
  std::vector<double> values = hostile_values(draws, n_rows, n_columns);
  if (kind >= 240) {  // answers and counts, dense or sparse
    for (double& value : values) value = std::fmod(std::abs(std::nearbyint(value)), kind % 2 == 0 ? 2.0 : 50.0);
  }
  if (kind >= 248) return as_sparse(values, n_columns);
  if (kind < 192) return Dataset::from_rows(std::move(values), n_rows, n_columns);
  std::vector<float> floats;
  for (const double value : values) {
    floats.push_back(static_cast<float>(std::clamp(value, -3.4e38, 3.4e38)));
  }
  return Dataset::from_rows(std::move(floats), n_rows, n_columns);
}

Dataset weighted(Draws& draws, Dataset data) {
  const std::uint8_t kind = draws.byte();
  if (kind < 128) return data;
  std::vector<double> weights(data.n_rows(), draws.hostile_weight());
  if (kind >= 192) {
    for (double& weight : weights) weight = draws.hostile_weight();
  }
  return data.with_weights(std::move(weights));
}

std::vector<TransformSpec> hostile_transforms(Draws& draws) {
  if (!draws.now_and_then()) return {};
  constexpr std::array<const char*, 8> chains{"standardize", "normalize", "log1p",         "pca:2",
                                              "project:2",   "binarize",  "drop-constant", "standardize,pca:1"};
  return parse_transforms(chains[draws.below(chains.size())]);
}

void check_labels(const std::vector<std::int32_t>& labels, const Model& model, std::size_t n_rows) {
  demand(labels.size() == n_rows);
  const std::int32_t lowest = model.partition().background() == nullptr ? 0 : -1;
  for (const std::int32_t label : labels) demand(label >= lowest && label < static_cast<std::int32_t>(model.k()));
}

void check_probabilities(const std::vector<double>& probabilities) {
  for (const double probability : probabilities) demand(probability >= 0.0 && probability <= 1.0 + 1e-9);
}

// Refusals are answers, but they must blame the table or the options, not the arithmetic.
void answer(const std::function<void()>& ask) {
  try {
    ask();
  } catch (const Error& error) {
    demand(error.what()[0] != '\0');
    demand(error.exit_code() == 2 || error.exit_code() == 3 || error.exit_code() == 5);
  }
}

void use(const Model& model, const Dataset& rows) {
  answer([&] { check_labels(model.predict(rows, 1), model, rows.n_rows()); });
  if (!model.has_density()) return;
  answer([&] { check_probabilities(model.predict_with_probabilities(rows, 1).probabilities); });
  answer([&] {
    for (const double value : model.log_density(rows, 1)) demand(std::isfinite(value));
  });
}

void fit_and_use(AnyMethod& method, Draws& draws, const Dataset& table) {
  fuzz::DrawOptions(draws, table).set_all(method.options());
  LocalExecution local(1);
  const FittedTransforms ready = fit_transforms(local.get(), hostile_transforms(draws), table);
  const Fit found = method.fit(ready.data, {.threads = 1});
  const Model model = found.model.with_transforms(ready.chain);
  check_labels(found.labels, model, table.n_rows());
  check_probabilities(found.probabilities);
  demand(std::isfinite(model.objective()) && model.k() >= 1);
  for (std::size_t cluster = 0; cluster < model.k(); ++cluster) {
    for (const double value : model.mean(cluster)) demand(std::isfinite(value));
  }
  demand(parse_model(model_bytes(model), "saved") == model);
  use(model, table);
  answer([&] { demand(std::isfinite(method.score(ready.data, found.labels, {.threads = 1}))); });
  answer([&] { demand(std::isfinite(model.score(table, found.labels, 1))); });
  answer([&] { demand(std::isfinite(evaluate::silhouette(ready.data, found.labels))); });
  const std::size_t n_new = 1 + draws.below(4);
  answer([&] {
    use(model, Dataset::from_rows(hostile_values(draws, n_new, table.n_columns()), n_new, table.n_columns()));
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Draws draws({data, size});
  const std::size_t chosen = draws.byte();
  const std::size_t n_columns = 1 + draws.below(most_columns);
  answer([&] {
    const Dataset table = weighted(draws, hostile_table(draws, n_columns));
    fit_and_use(*methods()[chosen % methods().size()].make(), draws, table);
  });
  return 0;
}
