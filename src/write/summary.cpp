// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/write/summary.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "coppice/kernels/simd.hpp"
#include "coppice/model/telling_columns.hpp"
#include "coppice/partition/background.hpp"
#include "coppice/runtime/clock.hpp"
#include "coppice/runtime/version.hpp"
#include "write/partition_json.hpp"

namespace coppice::internal {

namespace {

using Json = nlohmann::ordered_json;

// Nested lists in the array's shape.
Json to_json(const npy::Array& array) {
  if (array.shape.empty()) return array.values.at(0);
  if (array.shape.size() == 1) return array.values;
  Json rows = Json::array();
  for (std::size_t row = 0; row < array.shape[0]; ++row) {
    const auto first = array.values.begin() + static_cast<std::ptrdiff_t>(row * array.shape[1]);
    rows.push_back(std::vector<double>(first, first + static_cast<std::ptrdiff_t>(array.shape[1])));
  }
  return rows;
}

bool is_diagonal(const npy::Array& array) {
  if (array.shape.size() != 2 || array.shape[0] != array.shape[1]) return false;
  const std::size_t d = array.shape[0];
  for (std::size_t i = 0; i < array.values.size(); ++i) {
    if (i % (d + 1) != 0 && array.values[i] != 0.0) return false;
  }
  return true;
}

// A diagonal matrix, as most priors have, is told by its diagonal: of thousands of columns the zeros fill a disk.
void add_prior_array(Json& prior, const std::string& name, const npy::Array& array) {
  if (!is_diagonal(array)) {
    prior[name] = to_json(array);
    return;
  }
  std::vector<double> diagonal;
  for (std::size_t i = 0; i < array.values.size(); i += array.shape[0] + 1) diagonal.push_back(array.values[i]);
  prior[name + "_diagonal"] = diagonal;
}

// What is no probability has no prior.
Json prior_json(const Model& model, const std::string& objective_name) {
  if (!is_probability(objective_name)) return Json::object();
  const std::string_view partition = model.partition().name();
  Json prior = {{"partition", partition}};
  for (const NamedParameter& parameter : model.partition().parameters()) prior[parameter.name] = parameter.value;
  for (const auto& [name, array] : model.components().prior_arrays()) add_prior_array(prior, name, array);
  if (prior.contains("m0")) {  // in the user's coordinates
    for (std::size_t c = 0; c < model.n_columns(); ++c)
      prior["m0"][c] = prior["m0"][c].get<double>() + model.origin()[c];
  }
  return prior;
}

Json objective_json(const Model& model, const std::string& name) {
  const double value = model.objective();
  return {{"name", name},
          {"value", value},
          {"bits_per_row", is_code_length(name) ? Json(bits_per_row(value, model.total_weight())) : Json()}};
}

Json trace_json(const std::vector<Progress>& trace) {
  Json list = Json::array();
  for (const Progress& step : trace) {
    list.push_back({{"iteration", step.iteration},
                    {"phase", step.phase},
                    {"k", step.k},
                    {"objective", step.objective},
                    {"seconds", step.seconds},
                    {"distances", step.distances}});
  }
  return list;
}

Json counters_json(const Counters& counters) {
  return {{"distances", counters.distances},       {"nodes_visited", counters.nodes_visited},
          {"splits_tried", counters.splits_tried}, {"splits_accepted", counters.splits_accepted},
          {"merges_tried", counters.merges_tried}, {"merges_accepted", counters.merges_accepted}};
}

Json clusters_json(const Fit& fit) {
  const auto told = telling_columns(fit.model);
  std::vector<std::size_t> sizes(fit.model.k(), 0);
  for (const std::int32_t label : fit.labels) {
    if (label != background_label) ++sizes[static_cast<std::size_t>(label)];
  }
  Json list = Json::array();
  for (std::size_t c = 0; c < fit.model.k(); ++c) {
    Json columns = Json::array();
    for (const TellingColumn& column : told[c]) {
      columns.push_back({{"column", fit.model.columns()[column.column].name}, {"score", column.score}});
    }
    list.push_back({{"label", c},
                    {"size", sizes[c]},
                    {"weight", fit.model.stats().weight(c)},
                    {"mean", fit.model.mean(c)},
                    {"telling_columns", columns}});
  }
  return list;
}

Json mean_columns_json(const Model& model) {
  Json names = Json::array();
  for (const Column& column : model.mean_columns()) names.push_back(column.name);
  return names;
}

Json columns_json(const std::vector<Column>& columns) {
  Json list = Json::array();
  for (const Column& column : columns) list.push_back({{"name", column.name}, {"kind", to_string(column.kind)}});
  return list;
}

Json outliers_json(const Fit& fit, const Background& background) {
  return {{"rows", std::ranges::count(fit.labels, background_label)},
          {"weight", background.weight},
          {"share", background.weight / fit.model.total_weight()}};
}

std::string_view means_are(Inverse inverse) {
  if (inverse == Inverse::none) return "transformed";
  return inverse == Inverse::exact ? "exact" : "approximate";
}

// The chain, whether `mean` is in the input's columns again, and what every pca keeps of the variance.
Json transform_json(const Model& model) {
  const Transforms& transforms = model.transforms();
  Json steps = Json::array();
  for (const TransformRecord& record : transforms.records()) {
    Json step = {{"step", record.spec}};
    const auto ratio = record.arrays.find("explained_variance_ratio");
    if (ratio != record.arrays.end()) step["explained_variance_ratio"] = ratio->second.values;
    steps.push_back(step);
  }
  return {{"chain", transforms.to_string()},
          {"columns", model.n_columns()},
          {"means", means_are(transforms.inverse_kind())},
          {"steps", steps}};
}

// Square: one list per cluster. Null where it was not kept.
Json together_json(const Stability& stability) {
  const std::size_t k = stability.clusters.size();
  if (stability.together.size() != k * k) return {};
  return to_json({{k, k}, stability.together});
}

// Without a resample there are no averages.
Json stability_json(const Stability& stability) {
  const bool has_figures = stability.resamples > 0;
  Json counts = Json::array();
  for (const auto& [k, count] : stability.k_counts) counts.push_back({{"k", k}, {"count", count}});
  Json clusters = Json::array();
  for (std::size_t c = 0; has_figures && c < stability.clusters.size(); ++c) {
    const ClusterStability& cluster = stability.clusters[c];
    clusters.push_back({{"label", c}, {"recurrence", cluster.recurrence}, {"found", cluster.found}});
  }
  return {{"resamples", stability.resamples},
          {"k", counts},
          {"ari", has_figures ? Json(stability.ari) : Json()},
          {"clusters", clusters},
          {"together", has_figures ? together_json(stability) : Json()}};
}

Json assign_json(const AssignReport& report, const SummaryContext& context) {
  Json json = {{"used", report.used}, {"why", context.render(report.why)}};
  if (report.front) {
    json["front"] = {{"nodes", report.front->nodes}, {"rows", report.front->rows}, {"gap", report.front->gap}};
  }
  return json;
}

// Names and paths need not be UTF-8; JSON must be.
std::string text_of(const Json& json) { return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace

bool is_probability(std::string_view objective_name) noexcept {
  return objective_name.find("-log p(") != std::string_view::npos;  // or a bound on it
}

bool is_code_length(std::string_view objective_name) noexcept {
  return is_probability(objective_name) && objective_name.find("parameters") == std::string_view::npos;
}

double bits_per_row(double objective, double total_weight) { return objective / (std::numbers::ln2 * total_weight); }

std::string summary_json(const Fit& fit, const Dataset& data, const SummaryContext& context) {
  Json evidence = Json::array();
  for (const auto& [k, objective] : fit.k_evidence) evidence.push_back({{"k", k}, {"objective", objective}});
  Json families = Json::array();
  for (const FamilyResult& result : fit.families) {
    families.push_back({{"family", result.family}, {"k", result.k}, {"objective", result.objective}});
  }
  Json warnings = Json::array();
  for (const Text& warning : fit.warnings) warnings.push_back(context.render(warning));
  Json summary = {{"coppice", version},
                  {"method", fit.model.method()},
                  {"input",
                   {{"path", context.input_path},
                    {"rows", data.n_rows()},
                    {"columns", data.n_columns()},
                    {"storage", to_string(data.storage())}}},
                  {"options", Json::parse(context.options_json)},
                  {"prior", prior_json(fit.model, context.objective_name)},
                  {"family", fit.model.components().family()},
                  {"seed", context.seed},
                  {"threads", fit.threads},
                  {"simd", kernels::simd_target()},
                  {"assign", assign_json(fit.assign, context)},
                  {"k", fit.k_in_use.value_or(fit.model.k())},
                  {"objective", objective_json(fit.model, context.objective_name)},
                  {"k_evidence", evidence},
                  {"families", families},
                  {"converged", fit.converged},
                  {"stop_reason", to_string(fit.stop_reason)},
                  {"iterations", fit.iterations},
                  {"trace", trace_json(fit.trace)},
                  {"counters", counters_json(fit.counters)},
                  {"seconds",
                   {{"read", context.read_seconds},
                    {"prepare", fit.seconds.prepare},
                    {"fit", fit.seconds.fit},
                    {"write", context.write_seconds},
                    {"total", context.total_seconds}}},
                  {"peak_memory_bytes", peak_memory_bytes()},
                  {"mean_columns", mean_columns_json(fit.model)},
                  {"clusters", clusters_json(fit)},
                  {"scores", context.scores},
                  {"warnings", warnings}};
  if (const Background* background = fit.model.partition().background()) {
    summary["outliers"] = outliers_json(fit, *background);
  }
  if (fit.k_in_use) summary["components"] = fit.model.k();
  if (fit.soft_bound) summary["soft_bound"] = *fit.soft_bound;
  if (context.stability) summary["stability"] = stability_json(*context.stability);
  if (!fit.model.transforms().empty()) summary["transform"] = transform_json(fit.model);
  return text_of(summary);
}

std::string model_json(const Model& model, const std::string& objective_name) {
  const bool has_partition = is_probability(objective_name);
  Json clusters = Json::array();
  for (std::size_t c = 0; c < model.k(); ++c) {
    clusters.push_back({{"label", c}, {"weight", model.stats().weight(c)}, {"mean", model.mean(c)}});
  }
  const Transforms& transforms = model.transforms();
  return text_of({{"coppice", version},
                  {"method", model.method()},
                  {"family", model.components().family()},
                  {"k", model.k()},
                  {"weight", model.total_weight()},
                  {"columns", columns_json(model.input_columns())},
                  {"transform", transforms.empty() ? Json() : Json(transforms.to_string())},
                  {"objective", objective_json(model, objective_name)},
                  {"partition", has_partition ? partition_json(model.partition()) : Json()},
                  {"prior", prior_json(model, objective_name)},
                  {"mean_columns", mean_columns_json(model)},
                  {"clusters", clusters}});
}

}  // namespace coppice::internal
