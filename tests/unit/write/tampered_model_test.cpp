// SPDX-License-Identifier: BSD-3-Clause
// Every number of every array of a model, of every method and family, replaced by numbers that do not belong there: the
// file is refused, or what is loaded gives finite answers.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "coppice/data/generate.hpp"
#include "coppice/data/npy.hpp"
#include "coppice/methods/abc.hpp"
#include "coppice/methods/bayesian_kmeans.hpp"
#include "coppice/methods/gaussian_mixture.hpp"
#include "coppice/methods/kmeans.hpp"
#include "coppice/methods/linkages.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/write/model_archive.hpp"
#include "unit/data/temporary_file.hpp"
#include "write/zip_archive.hpp"

namespace coppice::internal {
namespace {

using testing::HasSubstr;
using Json = nlohmann::ordered_json;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Example {
  std::string name;
  Dataset rows;
  Model model;
};

Dataset measurements() {
  return generate(GaussianMixture{.n_rows = 40, .n_columns = 2, .k = 3, .tau = 8.0, .seed = 2}).data;
}

Dataset whole_numbers(double most) {
  std::vector<double> values;
  for (std::size_t i = 0; i < 40; ++i) values.push_back(std::fmod(static_cast<double>(i * i % 7 + i / 20), most));
  return Dataset::from_rows(std::move(values), 20, 2);
}

std::vector<Example> examples() {
  std::vector<Example> all;
  const Dataset rows = measurements();
  for (const char* family :
       {"gaussian", "student", "student-diagonal", "student-spherical", "diagonal", "spherical", "uninformative"}) {
    all.push_back({std::string("bkm ") + family, rows, fit(rows, BayesianKMeans{.family = family}).model});
  }
  all.push_back({"bkm dp outliers", rows, fit(rows, BayesianKMeans{.partition = "dp", .outliers = true}).model});
  const Dataset bits = whole_numbers(2.0).with_kinds({ColumnKind::binary, ColumnKind::binary});
  all.push_back({"bernoulli", bits, fit(bits, BayesianKMeans{.family = "bernoulli"}).model});
  const Dataset counts = whole_numbers(9.0);
  all.push_back({"multinomial", counts, fit(counts, BayesianKMeans{.family = "multinomial"}).model});
  for (const char* family : {"gaussian", "diagonal", "spherical"}) {
    all.push_back({std::string("gmm ") + family, rows, fit(rows, GaussianMixtureEm{.k = 2, .family = family}).model});
  }
  all.push_back({"kmeans", rows, fit(rows, KMeans{.k = 2}).model});
  all.push_back({"ward", rows, fit(rows, WardLinkage{.k = 2}).model});
  LocalExecution local(1);
  for (const char* steps : {"standardize", "normalize,pca:1", "project:2", "log1p,drop-constant", "binarize:1"}) {
    const Dataset positive = whole_numbers(9.0);
    const FittedTransforms ready = fit_transforms(local.get(), parse_transforms(steps), positive);
    all.push_back({steps, positive, fit(ready.data, KMeans{.k = 2}).model.with_transforms(ready.chain)});
  }
  return all;
}

bool are_finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

// A refusal counts as an answer.
template <class Ask>
bool holds(const Ask& ask) {
  try {
    return ask();
  } catch (const DataError&) {
    return true;
  } catch (const OptionError&) {  // a tree above a model that has no evidence
    return true;
  }
}

void expect_fit_for_use(const Model& model, const Dataset& rows, const std::string& what) {
  const std::vector<std::int32_t> labels(rows.n_rows(), 0);
  EXPECT_TRUE(holds([&] {
    for (const std::int32_t label : model.predict(rows, 1)) {
      if (label < -1 || label >= static_cast<std::int32_t>(model.k())) return false;
    }
    return true;
  })) << what;
  for (std::size_t cluster = 0; cluster < model.k(); ++cluster) {
    EXPECT_TRUE(are_finite(model.mean(cluster)) && are_finite(model.variance(cluster))) << what;
  }
  EXPECT_TRUE(holds([&] { return std::isfinite(model.score(rows, labels, 1)); })) << what;
  EXPECT_TRUE(holds([&] {
    const Fit tree = fit(rows, AgglomerativeBayesian{.start_from = model}, {.threads = 1});
    return are_finite(tree.hierarchy->objective) && are_finite(tree.probabilities);
  })) << what;
  if (!model.has_density()) return;
  EXPECT_TRUE(holds([&] { return are_finite(model.predict_with_probabilities(rows, 1).probabilities); })) << what;
  EXPECT_TRUE(holds([&] { return are_finite(model.log_density(rows, 1)); })) << what;
}

// Whether the model was refused; if not, it is tried.
bool is_refused(const ArchiveMembers& members, const Dataset& rows, const std::string& what) {
  try {
    expect_fit_for_use(parse_model(zip(members), "tampered"), rows, what);
    return false;
  } catch (const DataError& error) {
    EXPECT_THAT(error.what(), HasSubstr("tampered")) << what;
    return true;
  }
}

TEST(TamperedModel, IsRefusedOrGivesFiniteAnswers) {
  for (const Example& example : examples()) {
    const std::string bytes = model_bytes(example.model);
    const ArchiveMembers whole = unzip(bytes, "whole", 2 * bytes.size());
    EXPECT_FALSE(is_refused(whole, example.rows, example.name)) << "untouched";
    for (const auto& member : whole) {
      const std::string& name = member.first;  // a name of its own, which lambdas may take
      if (!name.ends_with(".npy") || name == "means.npy") continue;
      const npy::Array array = npy::parse_array(member.second, name);
      const auto try_values = [&](const std::vector<double>& values, const std::string& how) {
        ArchiveMembers members = whole;
        members[name] = npy::to_bytes(std::span<const double>(values), array.shape);
        return is_refused(members, example.rows, example.name + ": " + name + " " + how);
      };
      for (std::size_t at = 0; at < array.values.size(); ++at) {
        for (const double wrong : {nan, infinity, -infinity, -1.0, 0.0, 1e300, -1e300, 1e-300, 1e160, 1e17}) {
          std::vector<double> values = array.values;
          values[at] = wrong;
          const bool was_refused = try_values(values, fmt::format("[{}] = {}", at, wrong));
          EXPECT_TRUE(was_refused || std::isfinite(wrong)) << example.name << ' ' << name;
        }
        std::vector<double> values = array.values;
        std::swap(values[at], values[(at + 1) % values.size()]);
        try_values(values, fmt::format("swapped at {}", at));
      }
    }
  }
}

TEST(TamperedModel, NumbersOfTheDescription) {
  for (const Example& example : examples()) {
    const std::string bytes = model_bytes(example.model);
    const ArchiveMembers whole = unzip(bytes, "whole", 2 * bytes.size());
    const Json description = Json::parse(whole.at("model.json"));
    for (const char* pointer : {"/k", "/objective", "/total_weight", "/partition/parameter", "/background/log_volume",
                                "/background/weight"}) {
      if (!description.contains(Json::json_pointer(pointer))) continue;
      for (const double wrong : {-1.0, 0.0, 1e300, -1e300, 1e-300, 7.5}) {
        Json changed = description;
        changed[Json::json_pointer(pointer)] = wrong;
        ArchiveMembers members = whole;
        members["model.json"] = changed.dump();
        is_refused(members, example.rows, fmt::format("{}: {} = {}", example.name, pointer, wrong));
      }
    }
  }
}

std::string refusal(const std::string& name, std::size_t at, double value) {
  const Dataset rows = measurements();
  const std::string bytes = model_bytes(fit(rows, BayesianKMeans{.family = "gaussian"}).model);
  ArchiveMembers members = unzip(bytes, "whole", 2 * bytes.size());
  npy::Array array = npy::parse_array(members.at(name), name);
  array.values[at] = value;
  members[name] = npy::to_bytes(std::span<const double>(array.values), array.shape);
  return message_of<DataError>([&] { (void)parse_model(zip(members), "tampered"); });
}

TEST(TamperedModel, RefusalsNameArrayAndPlace) {
  EXPECT_THAT(refusal("stats.npy", 0, -3.0), HasSubstr("stats.npy [0, 0] is -3"));
  EXPECT_THAT(refusal("stats.npy", 0, 1000.0), HasSubstr("add up to"));
  EXPECT_THAT(refusal("stats.npy", 1, 1e300), HasSubstr("stats.npy [0]: column 'x1'"));
  EXPECT_THAT(refusal("stats.npy", 3, -1.0), HasSubstr("stats.npy [0]: column 'x1'"));
  EXPECT_THAT(refusal("prior/m0.npy", 1, 1e300), HasSubstr("m0"));
  EXPECT_THAT(refusal("origin.npy", 1, infinity), HasSubstr("'origin.npy' holds inf as number 1"));
}

}  // namespace
}  // namespace coppice::internal
