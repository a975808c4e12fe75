// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/model/sample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "coppice/data/background_label.hpp"
#include "coppice/data/memory_need.hpp"
#include "coppice/partition/background.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/for_each_block.hpp"
#include "coppice/runtime/format_text.hpp"
#include "coppice/runtime/little_work.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/runtime/random.hpp"
#include "model/predictive_mixture.hpp"
#include "model/sampled_table.hpp"
#include "model/value_form.hpp"

namespace coppice {
using namespace internal;

namespace {

// Running sums of the shares: of the clusters, of a new one if there may be one, and of a background with rows.
std::vector<double> running_shares(const PredictiveMixture& mixture, const Background* background) {
  std::vector<double> running;
  double sum = 0.0;
  for (const double log_share : mixture.log_factors()) running.push_back(sum += std::exp(log_share));
  if (background != nullptr && std::isfinite(mixture.background())) {
    // A uniform density is one over the volume: times the volume, this is the share alone.
    running.push_back(sum += std::exp(mixture.background() + background->log_volume));
  }
  return running;
}

class RowMaker {
 public:
  RowMaker(const Execution& execution, const Model& model)
      : mixture_(execution, model, ClusterMass::of_evidence),
        background_(model.partition().background()),
        running_(running_shares(mixture_, background_)),
        sampler_(mixture_.components().row_sampler()),
        origin_(model.origin()) {
    if (sampler_ == nullptr) {
      throw OptionError(fmt::format("the family '{}' does not know how to make rows", model.components().family()));
    }
    if (running_.size() > mixture_.log_factors().size() && background_->low.empty()) {
      throw OptionError(
          "the model was fitted when models did not keep the box of their outliers yet; fit it again to make rows of "
          "it");
    }
  }

  // Numbers that squares cannot be taken of are not handed on.
  std::int32_t make(RandomStream& random, std::span<double> row) const {
    constexpr double most = 1e150;
    const double place = random.uniform() * running_.back();
    // Shares add up to 1 but for rounding: no number may fall behind the last of them.
    const auto found = std::ranges::upper_bound(running_, place);
    const auto component = static_cast<std::size_t>(std::min(found, running_.end() - 1) - running_.begin());
    if (component == mixture_.log_factors().size()) {
      for (std::size_t i = 0; i < row.size(); ++i) row[i] = random.uniform(background_->low[i], background_->high[i]);
      return background_label;
    }
    sampler_->draw(component, random, row);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = clipped(row[i] + origin_[i], most);
    return static_cast<std::int32_t>(component);
  }

  [[nodiscard]] double operations_per_row() const noexcept { return mixture_.components().operations_per_row(); }

 private:
  PredictiveMixture mixture_;
  const Background* background_;
  std::vector<double> running_;
  std::unique_ptr<RowSampler> sampler_;
  std::span<const double> origin_;
};

// From the columns that were clustered to those of the sample.
class Way {
 public:
  Way(const Model& model, bool is_rounded)
      : transforms_(model.transforms()),
        has_inverse_(transforms_.inverse_kind() != Inverse::none),
        columns_(model.mean_columns()),
        is_rounded_(is_rounded) {}

  [[nodiscard]] std::vector<double> back(std::vector<double> row) const {
    if (has_inverse_) row = transforms_.inverse(std::move(row));
    for (std::size_t i = 0; i < row.size(); ++i) {
      row[i] = clipped(row[i], std::numeric_limits<double>::max());
      if (is_rounded_) row[i] = in_form_of(columns_[i], row[i]);
    }
    return row;
  }

 private:
  const Transforms& transforms_;
  bool has_inverse_;
  const std::vector<Column>& columns_;
  bool is_rounded_;
};

void check(const Model& model, const SampleOptions& options) {
  if (!model.has_density()) {
    throw OptionError(fmt::format(
        "{} knows distances, not densities, and so not how to make rows; a model of bkm or gmm does", model.method()));
  }
  if (options.n_rows == 0) throw OptionError(format_text("{rows} is 0; choose at least 1"));
  if (options.is_sparse) return;
  const double bytes = 8.0 * static_cast<double>(options.n_rows) * static_cast<double>(model.mean_columns().size());
  const std::size_t available = available_memory();
  if (bytes <= static_cast<double>(available)) return;
  throw LimitError(format_text(
      "{rows} is {}: so many rows of {} columns take about {:.1f} GB of memory, but only {:.1f} GB are free",
      options.n_rows, model.mean_columns().size(), bytes * 1e-9, static_cast<double>(available) * 1e-9));
}

Dataset with_names_of(const Dataset& data, const std::vector<Column>& columns) {
  std::vector<std::string> names;
  std::vector<bool> are_made_up;
  for (const Column& column : columns) {
    names.push_back(column.name);
    are_made_up.push_back(column.is_made_up);
  }
  return data.with_names(std::move(names), are_made_up);
}

}  // namespace

Generated sample(const Model& model, const SampleOptions& options, std::size_t threads) {
  check(model, options);
  LocalExecution local(threads);
  const Execution execution = local.get();
  const RowMaker maker(execution, model);
  const Way way(model, options.is_rounded);
  SampledTable table(options.n_rows, model.mean_columns().size(), options.is_sparse);
  std::vector<std::int32_t> labels(options.n_rows);
  for_each_block(execution, {.n_items = options.n_rows}, [&](const BlockRange& block) {
    for (std::size_t row = block.first; row < block.last; ++row) {
      throw_if_stopped_before(execution.stop, maker.operations_per_row());
      // A stream for every row: the same rows for any number of threads, and the first n of a larger sample.
      RandomStream random{options.seed, Purpose::sample, row};
      std::vector<double> values(model.n_columns());
      labels[row] = maker.make(random, values);
      table.take(row, block.number, way.back(std::move(values)));
    }
  });
  return {with_names_of(table.finish(), model.mean_columns()), std::move(labels)};
}

}  // namespace coppice
