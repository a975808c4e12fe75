// SPDX-License-Identifier: BSD-3-Clause
// Every method through the catalogue: what it says of a method must be what the method does.
#include "coppice/methods/catalogue.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "coppice/data/generate.hpp"
#include "coppice/methods/abc.hpp"
#include "coppice/methods/kmeans.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/write/summary.hpp"

namespace coppice::internal {
namespace {

using testing::HasSubstr;

Generated example() { return generate(GaussianMixture{.n_rows = 120, .n_columns = 2, .k = 3, .tau = 8.0}); }

std::string refusal(Options& options, std::string_view key, OptionValue value) {
  try {
    options.set(key, std::move(value));
    options.check();
  } catch (const OptionError& error) {
    return error.what();
  }
  return "";
}

TEST(Catalogue, NamesAreUniqueAndFound) {
  std::set<std::string_view> names;
  std::set<std::string_view> classes;
  for (const MethodEntry& method : methods()) {
    EXPECT_TRUE(names.insert(method.facts.name).second) << method.facts.name;
    EXPECT_TRUE(classes.insert(method.facts.class_name).second) << method.facts.class_name;
    EXPECT_EQ(find_method(method.facts.name), &method);
    EXPECT_EQ(method.make()->facts().name, method.facts.name);
  }
  EXPECT_EQ(find_method("kmean"), nullptr);
}

TEST(Catalogue, FitsWhatTheMethodFits) {
  const Dataset data = example().data;
  const std::unique_ptr<AnyMethod> method = find_method("kmeans")->make();
  method->options().set("k", KRange(3));
  method->options().set("seed", std::uint64_t{5});
  const Fit found = method->fit(data, {});
  EXPECT_EQ(found.labels, fit(data, KMeans{.k = 3, .seed = 5}).labels);
  EXPECT_EQ(method->score(data, found.labels, {}), score(data, found.labels, KMeans{.k = 3, .seed = 5}));
}

// Taken at its word by those who cannot look into the method.
TEST(Catalogue, CapabilitiesAreWhatAFitHas) {
  const Dataset data = example().data;
  const Dataset weighted = data.with_weights(std::vector<double>(data.n_rows(), 0.5));
  SparseEntries<double> entries{{0}, {}, {}, 3};
  for (std::uint32_t row = 0; row < 12; ++row) {
    entries.columns.push_back(row % 3);
    entries.values.push_back(2.0 + row % 2);
    entries.starts.push_back(entries.values.size());
  }
  const Dataset sparse = Dataset::from_sparse_rows(std::move(entries));
  for (const MethodEntry& entry : methods()) {
    const Capabilities& can = entry.facts.capabilities;
    const std::unique_ptr<AnyMethod> method = entry.make();
    const bool has_k = method->options().has("k");
    const bool needs_k = has_k && !std::holds_alternative<std::monostate>(method->options().get("k"));
    if (needs_k) method->options().set("k", KRange(2));
    const Fit found = method->fit(data, {});
    EXPECT_EQ(found.hierarchy.has_value(), can.tree) << entry.facts.name;
    EXPECT_EQ(!found.probabilities.empty(), can.probabilities) << entry.facts.name;
    EXPECT_EQ(found.model.has_density(), can.density) << entry.facts.name;
    const auto takes = [&](const Dataset& table) {
      try {
        return method->fit(table, {}).labels.size() == table.n_rows();
      } catch (const Error&) {
        return false;
      }
    };
    EXPECT_EQ(takes(weighted), can.weights) << entry.facts.name;
    EXPECT_EQ(takes(sparse), can.sparse) << entry.facts.name;
    EXPECT_EQ(entry.facts.objective.is_code_length, is_code_length(entry.facts.objective.name)) << entry.facts.name;
  }
}

TEST(Catalogue, ObjectivesAreThoseOfTheOptions) {
  const auto objective = [](std::vector<const char*> flags) {
    const std::unique_ptr<AnyMethod> method = find_method("gmm")->make();
    for (const char* flag : flags) method->options().set(flag, true);
    return method->objective();
  };
  EXPECT_EQ(objective({}).name, find_method("gmm")->facts.objective.name);
  EXPECT_EQ(objective({"hard"}).name, "-log p(data, labels)");
  EXPECT_EQ(objective({"map"}).name, "-log p(data, parameters)");
  EXPECT_EQ(objective({"map", "hard"}).name, "-log p(data, labels, parameters)");
  for (const bool map : {false, true}) {
    const Objective found = map ? objective({"map"}) : objective({"hard"});
    EXPECT_EQ(found.is_code_length, !map);
    EXPECT_EQ(is_code_length(found.name), !map) << "densities of parameters have no bits";
    EXPECT_TRUE(is_probability(found.name));
  }
}

TEST(Options, DefaultsAreWhatIsDescribed) {
  for (const MethodEntry& entry : methods()) {
    const std::unique_ptr<AnyMethod> method = entry.make();
    EXPECT_NO_THROW(method->options().check()) << entry.facts.name;
    for (const OptionDescription& option : entry.options) {
      EXPECT_EQ(method->options().get(option.key), option.standard) << entry.facts.name << " " << option.key;
      EXPECT_FALSE(option.help.empty()) << option.key;
      EXPECT_TRUE(option.is_optional || !std::holds_alternative<std::monostate>(option.standard)) << option.key;
    }
  }
}

// Help may name the method's own options, and those of reading and of running it, which every front end has.
TEST(Options, HelpNamesOptionsThatThereAre) {
  std::size_t n_named = 0;
  for (const MethodEntry& entry : methods()) {
    std::set<std::string> keys{"transform", "stability"};
    for (const OptionDescription& option : entry.options) keys.insert(option.key);
    for (const OptionDescription& option : entry.options) {
      for (const Text::Part& part : option.help.parts()) {
        const OptionName* named = std::get_if<OptionName>(&part);
        if (named == nullptr) continue;
        ++n_named;
        EXPECT_TRUE(keys.contains(named->key)) << option.key << " names " << named->key;
      }
    }
  }
  EXPECT_GT(n_named, 0U);
}

// Through every option of every method: what is set is what is there.
TEST(Options, KeepWhatTheyAreGiven) {
  for (const MethodEntry& entry : methods()) {
    for (const OptionDescription& option : entry.options) {
      const std::unique_ptr<AnyMethod> method = entry.make();
      OptionValue value;
      switch (option.kind) {
        case OptionKind::flag:
          value = true;
          break;
        case OptionKind::whole_number:
          value = std::uint64_t{7};
          break;
        case OptionKind::number:
          value = 0.75;
          break;
        case OptionKind::clusters:
          value = KRange(2, 6);
          break;
        case OptionKind::word:
          value = option.words.back();
          break;
        case OptionKind::table:
          value = Table{1, 2, {3.0, 4.0}};
          break;
        case OptionKind::model:
          value = fit(example().data, KMeans{.k = 2}).model;
          break;
      }
      method->options().set(option.key, value);
      EXPECT_EQ(method->options().get(option.key), value) << entry.facts.name << " " << option.key;
      if (!option.is_optional) continue;
      method->options().set(option.key, std::monostate{});
      EXPECT_EQ(method->options().get(option.key), OptionValue()) << entry.facts.name << " " << option.key;
    }
  }
}

TEST(Options, WholeNumbersAreNumbersToo) {
  const std::unique_ptr<AnyMethod> mixture = find_method("gmm")->make();
  mixture->options().set("tolerance", std::uint64_t{1});
  EXPECT_EQ(mixture->options().get("tolerance"), OptionValue(1.0));
  mixture->options().set("k", std::uint64_t{4});
  EXPECT_EQ(mixture->options().get("k"), OptionValue(KRange(4)));
}

TEST(Options, RefuseWhatIsNotTheirs) {
  const std::unique_ptr<AnyMethod> method = find_method("abc")->make();
  Options& options = method->options();
  EXPECT_TRUE(options.has("k"));
  EXPECT_FALSE(options.has("max_k"));
  EXPECT_EQ(refusal(options, "max_k", std::uint64_t{3}), "there is no option 'max_k'");
  EXPECT_EQ(refusal(options, "k", std::string("many")), "k takes another kind of value: a whole number");
  EXPECT_EQ(refusal(options, "alpha", std::monostate{}), "alpha takes another kind of value: a number");
  EXPECT_THAT(refusal(options, "stop", std::string("soon")), HasSubstr("first-rise"));
  EXPECT_THROW((void)options.get("max_k"), OptionError);
}

TEST(Options, GoByTheirUsualNamesElsewhere) {
  EXPECT_EQ(python_name("k"), "n_clusters");
  EXPECT_EQ(python_name("seed"), "random_state");
  EXPECT_EQ(python_name("phi0"), "phi0");
}

TEST(Options, OfARunAreTheRuns) {
  RunOptions run;
  const std::unique_ptr<Options> options = run_options(run);
  options->set("threads", std::uint64_t{2});
  options->set("time_limit", 1.5);
  EXPECT_EQ(run.threads, 2U);
  EXPECT_EQ(run.time_limit, 1.5);
}

}  // namespace
}  // namespace coppice::internal
