// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/write/summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "coppice/methods/bayesian_kmeans.hpp"
#include "coppice/runtime/version.hpp"
#include "unit/clustering_problem.hpp"

namespace coppice::internal {
namespace {

using Json = nlohmann::ordered_json;
using testing::ElementsAre;

// The second byte starts a character that the third does not continue.
const std::string not_utf8 = "caf\xe9 \xc3(";
const std::string awkward = "a \"quoted\" \\ name\n\ttwice, \x01";

Dataset example_data() { return scattered_rows(300, 2, 3, 1, 8.0).with_weights(some_weights(300, 1)); }

Fit example_fit(const Dataset& data) { return fit(data, BayesianKMeans{.prior = "paper"}, {.threads = 1}); }

SummaryContext context_of(const std::string& path) {
  return {.input_path = path,
          .options_json = R"({"seed": 3})",
          .seed = 3,
          .scores = {{"ari", 0.5}},
          .read_seconds = 1.0,
          .write_seconds = 2.0,
          .total_seconds = 3.0};
}

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) names.push_back(name);
  return names;
}

Json example_summary() {
  const Dataset data = example_data();
  return Json::parse(summary_json(example_fit(data), data, context_of("points.csv")));
}

TEST(Summary, HasTheNamesThatWerePromised) {
  const Json summary = example_summary();
  EXPECT_THAT(keys(summary),
              testing::UnorderedElementsAre("coppice", "method", "input", "options", "prior", "family", "seed",
                                            "threads", "simd", "assign", "k", "objective", "k_evidence", "families",
                                            "converged", "stop_reason", "iterations", "trace", "counters", "seconds",
                                            "peak_memory_bytes", "mean_columns", "clusters", "scores", "warnings"));
  EXPECT_THAT(keys(summary["input"]), ElementsAre("path", "rows", "columns", "storage"));
  EXPECT_THAT(keys(summary["assign"]), ElementsAre("used", "why"));
  EXPECT_THAT(keys(summary["objective"]), ElementsAre("name", "value", "bits_per_row"));
  EXPECT_THAT(keys(summary["seconds"]), ElementsAre("read", "prepare", "fit", "write", "total"));
  EXPECT_THAT(keys(summary["counters"]), ElementsAre("distances", "nodes_visited", "splits_tried", "splits_accepted",
                                                     "merges_tried", "merges_accepted"));
  EXPECT_THAT(keys(summary["k_evidence"].at(0)), ElementsAre("k", "objective"));
  EXPECT_THAT(keys(summary["trace"].at(0)),
              ElementsAre("iteration", "phase", "k", "objective", "seconds", "distances"));
  EXPECT_THAT(keys(summary["clusters"].at(0)), ElementsAre("label", "size", "weight", "mean", "telling_columns"));
  EXPECT_THAT(keys(summary["clusters"].at(0).at("telling_columns").at(0)), ElementsAre("column", "score"));
}

TEST(Summary, SaysHowStableTheFitIs) {
  const Dataset data = example_data();
  SummaryContext context = context_of("points.csv");
  context.stability = Stability{.resamples = 4,
                                .k_counts = {{2, 1}, {3, 3}},
                                .ari = 0.5,
                                .clusters = {{0.75, 0.5}, {1.0, 1.0}},
                                .together = {0.75, 0.25, 0.25, 1.0}};
  const Json summary = Json::parse(summary_json(example_fit(data), data, context));
  EXPECT_EQ(summary["stability"], Json::parse(R"({"resamples": 4,
      "k": [{"k": 2, "count": 1}, {"k": 3, "count": 3}], "ari": 0.5,
      "clusters": [{"label": 0, "recurrence": 0.75, "found": 0.5}, {"label": 1, "recurrence": 1.0, "found": 1.0}],
      "together": [[0.75, 0.25], [0.25, 1.0]]})"));
}

TEST(Summary, KnowsNothingOfStabilityWithoutAResample) {
  const Dataset data = example_data();
  SummaryContext context = context_of("points.csv");
  context.stability = Stability{.clusters = {{}, {}}, .together = {0.0, 0.0, 0.0, 0.0}};
  const Json summary = Json::parse(summary_json(example_fit(data), data, context));
  EXPECT_EQ(summary["stability"],
            Json::parse(R"({"resamples": 0, "k": [], "ari": null, "clusters": [], "together": null})"));
}

TEST(Summary, SaysWhatTheRunWas) {
  const Json summary = example_summary();
  EXPECT_EQ(summary["coppice"], version);
  EXPECT_EQ(summary["method"], "bkm");
  EXPECT_EQ(summary["family"], "gaussian");
  EXPECT_EQ(summary["input"],
            Json::parse(R"({"path": "points.csv", "rows": 300, "columns": 2, "storage": "float64"})"));
  EXPECT_EQ(summary["options"], Json::parse(R"({"seed": 3})"));
  EXPECT_EQ(summary["seed"], 3);
  EXPECT_EQ(summary["threads"], 1);
  EXPECT_EQ(summary["scores"], Json::parse(R"({"ari": 0.5})"));
  EXPECT_EQ(summary["stop_reason"], "converged");
  EXPECT_EQ(summary["converged"], true);
  EXPECT_EQ(summary["seconds"]["read"], 1.0);
  EXPECT_EQ(summary["seconds"]["write"], 2.0);
  EXPECT_EQ(summary["seconds"]["total"], 3.0);
  EXPECT_GT(summary["peak_memory_bytes"].get<double>(), 1e5);
  EXPECT_TRUE(summary["warnings"].is_array());
}

TEST(Summary, AgreesWithTheFit) {
  const Dataset data = example_data();
  const Fit found = example_fit(data);
  const Json summary = Json::parse(summary_json(found, data, context_of("points.csv")));
  ASSERT_EQ(summary["k"], found.model.k());
  EXPECT_EQ(summary["objective"]["value"], found.model.objective());
  ASSERT_EQ(summary["clusters"].size(), found.model.k());
  ASSERT_EQ(summary["trace"].size(), found.trace.size());
  ASSERT_EQ(summary["k_evidence"].size(), found.k_evidence.size());
  EXPECT_EQ(summary["counters"]["distances"], found.counters.distances);
  std::size_t n_rows = 0;
  for (std::size_t c = 0; c < found.model.k(); ++c) {
    const Json& cluster = summary["clusters"][c];
    EXPECT_EQ(cluster["label"], c);
    EXPECT_EQ(cluster["weight"], found.model.stats().weight(c));
    EXPECT_EQ(cluster["mean"].get<std::vector<double>>(), found.model.mean(c));
    n_rows += cluster["size"].get<std::size_t>();
  }
  EXPECT_EQ(n_rows, 300U) << "sizes count rows, weights weigh them";
}

// The prior mean is the data's, in the data's coordinates: far from the origin that the model works about.
TEST(Summary, ThePriorIsInTheCoordinatesOfTheData) {
  const Dataset data = Dataset::from_rows(std::vector<double>{1000.5, 1001.5, 1003.0, 1007.0}, 4, 1);
  const Fit found = fit(data, BayesianKMeans{.partition = "dp", .alpha = 0.25, .prior = "paper"});
  const Json prior = Json::parse(summary_json(found, data, context_of("")))["prior"];
  EXPECT_EQ(prior["partition"], "dp");
  EXPECT_EQ(prior["alpha"], 0.25);
  EXPECT_FALSE(prior.contains("phi0"));
  EXPECT_EQ(prior["xi0"], 0.1);
  EXPECT_EQ(prior["eta0"], 1.0);
  EXPECT_NEAR(prior["m0"].at(0).get<double>(), 1003.0, 1e-10);
  EXPECT_GT(prior["b0_diagonal"].at(0).get<double>(), 0.0);
}

TEST(Summary, IsJsonForAnyNames) {
  const Dataset data = example_data().with_names({awkward, "b"});
  const Json summary = Json::parse(summary_json(example_fit(data), data, context_of(awkward)));
  EXPECT_EQ(summary["input"]["path"], awkward);
  bool is_told = false;
  for (const Json& column : summary["clusters"].at(0)["telling_columns"]) is_told |= column["column"] == awkward;
  EXPECT_TRUE(is_told);
}

TEST(Summary, IsJsonForAPathThatIsNotUtf8) {
  const Dataset data = example_data();
  std::string text;
  ASSERT_NO_THROW(text = summary_json(example_fit(data), data, context_of(not_utf8)));
  EXPECT_TRUE(Json::accept(text));
}

TEST(Summary, IsJsonForColumnsThatAreNotUtf8) {
  const Dataset data = example_data().with_names({not_utf8, "b"});
  std::string text;
  ASSERT_NO_THROW(text = summary_json(example_fit(data), data, context_of("points.csv")));
  EXPECT_TRUE(Json::accept(text));
}

TEST(Summary, IsJsonForWarningsThatAreNotUtf8) {
  const Dataset data = Dataset::from_rows(std::vector<double>{1, 5, 2, 5, 9, 5}, 3, 2).with_names({"a", not_utf8});
  const Fit found = fit(data, BayesianKMeans{});
  ASSERT_EQ(found.warnings.size(), 1U) << "a constant column";
  std::string text;
  ASSERT_NO_THROW(text = summary_json(found, data, context_of("points.csv")));
  EXPECT_TRUE(Json::accept(text));
}

TEST(BitsPerRow, AreNatsByTheWeight) {
  EXPECT_DOUBLE_EQ(bits_per_row(std::numbers::ln2 * 30.0, 10.0), 3.0);
  EXPECT_DOUBLE_EQ(bits_per_row(-std::numbers::ln2, 0.5), -2.0);
}

}  // namespace
}  // namespace coppice::internal
