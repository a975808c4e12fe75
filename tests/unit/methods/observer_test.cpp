// SPDX-License-Identifier: BSD-3-Clause
// What observers are shown by every method of the catalogue: whole clusterings of all rows, whose objective is that of
// their labels.
#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <numeric>
#include <optional>

#include "coppice/data/generate.hpp"
#include "coppice/infer/me.hpp"
#include "coppice/methods/catalogue.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "coppice/structure/family_catalogue.hpp"

namespace coppice::internal {
namespace {

using testing::ElementsAreArray;

// A method with some of its options set.
struct Case {
  std::string method;
  std::vector<std::pair<std::string, OptionValue>> options;
  bool is_hard = false;  // its objective follows from the labels and the options alone

  [[nodiscard]] std::unique_ptr<AnyMethod> make() const {
    std::unique_ptr<AnyMethod> made = find_method(method)->make();
    for (const auto& [key, value] : options) made->options().set(key, value);
    return made;
  }
  [[nodiscard]] bool shares_rows() const {
    return method == "vbmg" || method == "mog-bic" || breaks_sticks() || (method == "gmm" && !is_hard);
  }
  [[nodiscard]] bool breaks_sticks() const { return method == "vdp" || method == "bj"; }
  [[nodiscard]] bool is_hierarchy() const { return find_method(method)->facts.capabilities.tree; }
};
void PrintTo(const Case& test, std::ostream* out) {
  *out << test.method;
  for (const auto& [key, value] : test.options) *out << ' ' << key;
}

// Every method as it is, with as few options as it can be run with; and those that have a fitted prior or shares once
// more with an objective that labels tell.
std::vector<Case> cases() {
  std::vector<Case> cases;
  for (const MethodEntry& entry : methods()) {
    Case plain{std::string(entry.facts.name), {}};
    const std::unique_ptr<AnyMethod> method = entry.make();
    const bool has_k = method->options().has("k");
    const bool needs_k = has_k && !std::holds_alternative<std::monostate>(method->options().get("k"));
    if (needs_k) plain.options.emplace_back("k", KRange(4));
    plain.is_hard = plain.method == "kmeans" || (plain.is_hierarchy() && plain.method != "abc");
    cases.push_back(plain);
  }
  const std::string paper = "paper";
  const std::string gaussian = "gaussian";
  cases.push_back({"bkm", {{"prior", paper}, {"family", gaussian}}, true});
  cases.push_back({"bkm", {{"prior", paper}, {"family", gaussian}, {"search", paper}}, true});
  cases.push_back({"bkm", {{"prior", paper}, {"family", gaussian}, {"assign", std::string("kdtree")}}, true});
  cases.push_back({"abc", {{"prior", paper}, {"family", gaussian}}, true});
  cases.push_back({"gmm", {{"k", KRange(4)}, {"hard", true}}, true});
  cases.push_back({"gmm", {{"k", KRange(4)}, {"assign", std::string("kdtree")}}});
  cases.push_back({"vbmg", {{"assign", std::string("kdtree")}}});
  cases.push_back({"kmeans", {{"k", KRange(2, 5)}, {"assign", std::string("kdtree")}}, true});
  cases.push_back({"kmeans", {{"k", KRange(4)}, {"assign", std::string("bounds")}}, true});
  return cases;
}

Dataset example() { return generate(GaussianMixture{.n_rows = 300, .n_columns = 2, .k = 4, .tau = 2.0}).data; }

double total_of(const Dataset& data) {
  double total = 0.0;
  for (std::size_t row = 0; row < data.n_rows(); ++row) total += data.weight(row);
  return total;
}

void expect_whole(const State& state, const Dataset& data) {
  ASSERT_GT(state.k(), 0U);
  EXPECT_EQ(state.progress.k, state.k());
  const std::vector<std::int32_t> labels = state.labels.by_row();
  ASSERT_EQ(labels.size(), data.n_rows());
  for (const std::int32_t label : labels) {
    ASSERT_GE(label, 0);
    ASSERT_LT(static_cast<std::size_t>(label), state.k());
  }
  // Components of broken sticks may be at their prior, which costs nothing.
  const bool has_idle_components = state.model->partition.ends_with("sticks");
  double total = 0.0;
  for (std::size_t c = 0; c < state.k(); ++c) {
    const bool is_occupied = has_idle_components ? state.stats.weight(c) >= 0.0 : state.stats.weight(c) > 0.0;
    EXPECT_TRUE(is_occupied) << c;
    total += state.stats.weight(c);
  }
  const bool has_tail = state.model->partition == "sticks";  // what is in no component is left to the prior
  EXPECT_NEAR(total, total_of(data), (has_tail ? 1e-3 : 1e-9) * total);
  EXPECT_TRUE(std::isfinite(state.objective));
  EXPECT_EQ(state.progress.objective, state.objective);
}

class ObserverTest : public testing::TestWithParam<Case> {};

TEST_P(ObserverTest, SeesWholeStates) {
  const Dataset data = example();
  const std::unique_ptr<AnyMethod> method = GetParam().make();
  std::size_t n_seen = 0;
  const RunOptions run{.observer = [&](const State& state) {
    SCOPED_TRACE(testing::Message() << state.progress.phase << ' ' << n_seen);
    expect_whole(state, data);
    if (GetParam().is_hard) {
      const double expected = method->score(data, state.labels.by_row(), {});
      EXPECT_NEAR(state.objective, expected, 1e-9 * (1.0 + std::abs(expected)));
    }
    ++n_seen;
    return testing::Test::HasFailure() ? Next::stop : Next::carry_on;
  }};
  const Fit found = method->fit(data, run);
  EXPECT_GT(n_seen, 2U);
  EXPECT_EQ(found.stop_reason, StopReason::converged);
}

// Weights of clusters are those of their rows; a row of weight 0 is in some cluster, too. Some methods search structure
// in the rows that weigh something, one of each content: what is seen of these says so.
TEST_P(ObserverTest, SeesWeights) {
  std::vector<double> weights(300);
  for (std::size_t row = 0; row < weights.size(); ++row) weights[row] = static_cast<double>(row % 4);
  const Dataset data = example().with_weights(weights);
  const std::string& name = GetParam().method;
  const bool goes_by_other_rows = name == "abc" || name == "vbmg" || name == "mog-bic" || name == "bkm";
  std::size_t n_of_all_rows = 0;
  const RunOptions run{.observer = [&](const State& state) {
    SCOPED_TRACE(state.progress.phase);
    if (state.is_of_all_rows) {
      expect_whole(state, data);
      ++n_of_all_rows;
    } else {
      EXPECT_TRUE(goes_by_other_rows);
      EXPECT_LT(state.labels.size(), data.n_rows());
    }
    return testing::Test::HasFailure() ? Next::stop : Next::carry_on;
  }};
  (void)GetParam().make()->fit(data, run);
  EXPECT_EQ(n_of_all_rows > 0, name != "abc");
}

// So says what is seen of a sample, and of the rows inside where there are outliers.
TEST(Observer, IsToldOfSomeRows) {
  const Dataset many = generate(GaussianMixture{.n_rows = 12000, .n_columns = 2, .k = 3, .tau = 6.0}).data;
  const Dataset few = example();
  struct Some {
    const Dataset& data;
    std::string option;
  };
  for (const Some& some : {Some{many, "restarts"}, Some{few, "outliers"}}) {
    const std::unique_ptr<AnyMethod> method = find_method("bkm")->make();
    if (some.option == "outliers") method->options().set("outliers", true);
    std::size_t n_of_all_rows = 0;
    std::size_t n_others = 0;
    (void)method->fit(some.data, {.observer = [&](const State& state) {
                        EXPECT_FALSE(state.is_of_all_rows && state.labels.size() != some.data.n_rows());
                        ++(state.is_of_all_rows ? n_of_all_rows : n_others);
                        return testing::Test::HasFailure() ? Next::stop : Next::carry_on;
                      }});
    EXPECT_GT(n_others, 2U) << some.option;
    EXPECT_EQ(n_of_all_rows > 0, some.option == "restarts");
  }
}

TEST_P(ObserverTest, ChangesNothing) {
  const Dataset data = example();
  const std::unique_ptr<AnyMethod> method = GetParam().make();
  const Fit alone = method->fit(data, {});
  const Fit watched = method->fit(data, {.observer = [](const State&) { return Next::carry_on; },
                                         .progress = [](const Progress&) { return Next::carry_on; }});
  EXPECT_EQ(watched.labels, alone.labels);
  EXPECT_EQ(watched.model.objective(), alone.model.objective());
  EXPECT_EQ(watched.k_evidence, alone.k_evidence);
  ASSERT_EQ(watched.trace.size(), alone.trace.size());
  for (std::size_t i = 0; i < alone.trace.size(); ++i) {
    EXPECT_EQ(watched.trace[i].phase, alone.trace[i].phase);
    EXPECT_EQ(watched.trace[i].objective, alone.trace[i].objective);
  }
}

TEST_P(ObserverTest, HearsOfProgressWhatItSees) {
  std::vector<std::size_t> seen;
  std::vector<std::size_t> heard;
  (void)GetParam().make()->fit(example(), {.observer =
                                               [&](const State& state) {
                                                 seen.push_back(state.progress.k);
                                                 return Next::carry_on;
                                               },
                                           .progress =
                                               [&](const Progress& progress) {
                                                 heard.push_back(progress.k);
                                                 return Next::carry_on;
                                               }});
  EXPECT_THAT(heard, ElementsAreArray(seen));
}

// With a clustering of what there is, or without one: either way at once.
// A fit that starts from a state begins where the state was: its labels have its objective under the model it names.
TEST_P(ObserverTest, SeesTheModelThatAnObjectiveBelongsTo) {
  if (GetParam().shares_rows()) return;  // its objective is no labelling's
  const Dataset data = example();
  LocalExecution local(1);
  const Rows rows(data, fixed_origin(local.get(), data));
  const Units units(rows);
  (void)GetParam().make()->fit(
      data, {.observer = [&](const State& state) {
        SCOPED_TRACE(state.progress.phase);
        const auto family = make_family(state.model->family, state.model->prior);
        const auto partition = make_partition_prior(state.model->partition, state.model->parameters);
        Journal journal;
        MaximizationExpectation again(local.get(), {units, *family, *partition, total_of(data)}, journal);
        const double objective = again.from_labels(state.labels.by_row()).objective;
        if (family->weighs_members()) {  // members as they are weighed now, which another prior would weigh anew
          EXPECT_LE(objective, state.objective + 0.01);
        } else {
          EXPECT_NEAR(objective, state.objective, 1e-9 * (1.0 + std::abs(objective)));
        }
        return testing::Test::HasFailure() ? Next::stop : Next::carry_on;
      }});
}

TEST_P(ObserverTest, CanStop) {
  for (const bool by_state : {false, true}) {
    std::size_t n_seen = 0;
    const auto next = [&] { return ++n_seen < 2 ? Next::carry_on : Next::stop; };
    RunOptions run;
    if (by_state) run.observer = [&](const State&) { return next(); };
    if (!by_state) run.progress = [&](const Progress&) { return next(); };
    try {
      EXPECT_EQ(GetParam().make()->fit(example(), run).stop_reason, StopReason::cancelled);
    } catch (const Stopped& stopped) {
      EXPECT_EQ(stopped.reason(), StopReason::cancelled);
    }
    EXPECT_EQ(n_seen, 2U);
  }
}

// Merges only; where families or priors compete, every tree begins again with a cluster for every row.
TEST_P(ObserverTest, SeesHierarchiesGrow) {
  if (!GetParam().is_hierarchy()) return;
  std::vector<std::size_t> k;
  (void)GetParam().make()->fit(example(), {.observer = [&](const State& state) {
                                 k.push_back(state.k());
                                 return Next::carry_on;
                               }});
  ASSERT_GT(k.size(), 10U);
  std::size_t n_trees = 1;
  for (std::size_t i = 1; i < k.size(); ++i) n_trees += k[i] >= k[i - 1] ? 1 : 0;
  if (GetParam().is_hard) {
    EXPECT_EQ(n_trees, 1U);
  }
  EXPECT_LT(n_trees, k.size() / 10);
  EXPECT_LT(k.back(), 20U);
}

INSTANTIATE_TEST_SUITE_P(Methods, ObserverTest, testing::ValuesIn(cases()), [](const auto& test) {
  std::string name = test.param.method + std::to_string(test.index);
  std::erase_if(name, [](char c) { return c == '-'; });
  return name;
});

}  // namespace
}  // namespace coppice::internal
