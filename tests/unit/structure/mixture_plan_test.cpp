// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/mixture_plan.hpp"

#include <gmock/gmock.h>

#include <string>

#include "coppice/data/generate.hpp"
#include "coppice/runtime/error.hpp"
#include "unit/clustering_problem.hpp"
#include "unit/data/temporary_file.hpp"

namespace coppice::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Names = std::vector<std::string>;

MixturePlan plan_of(const MixtureSpec& spec, const Dataset& data) {
  LocalExecution local(1);
  check_spec(spec, data);
  return make_plan(local.get(), spec, ready_rows(local.get(), spec, data).rows);
}

Names names_of(const std::vector<std::unique_ptr<AdjustablePrior>>& priors) {
  Names names;
  for (const auto& prior : priors) names.emplace_back(prior->family());
  return names;
}

// Tables of every kind that rules tell apart.
Dataset real_rows(std::size_t n_rows = 50, std::size_t n_columns = 2) {
  return scattered_rows(n_rows, n_columns, 3, 1);
}
Dataset sparse(const Dataset& dense) {
  SparseEntries<double> entries{.starts = {0}, .columns = {}, .values = {}, .n_columns = dense.n_columns()};
  for (std::size_t row = 0; row < dense.n_rows(); ++row) {
    for (std::uint32_t column = 0; column < dense.n_columns(); ++column) {
      if (dense.value(row, column) == 0.0) continue;
      entries.columns.push_back(column);
      entries.values.push_back(dense.value(row, column));
    }
    entries.starts.push_back(entries.values.size());
  }
  return Dataset::from_sparse_rows(std::move(entries));
}
Dataset bits() { return generate(BinaryClusters{.n_rows = 60, .n_columns = 4, .k = 2}).data; }
Dataset counts() { return generate(CountClusters{.n_rows = 60, .n_columns = 4, .k = 2, .total = 30}).data; }

MixtureSpec of_family(const char* family) {
  MixtureSpec spec;
  spec.family = family;
  return spec;
}
MixtureSpec under(const PriorRequest& prior) {
  MixtureSpec spec;
  spec.prior = prior;
  return spec;
}
MixtureSpec by_paper_moves() {
  MixtureSpec spec;
  spec.moves = Moves::paper;
  return spec;
}
MixtureSpec with_background() {
  MixtureSpec spec;
  spec.has_background = true;
  return spec;
}

struct Case {
  const char* what;
  MixtureSpec spec;
  Dataset data;
  Names families;  // in the order in which they are searched
  Names tails = {};
};

TEST(MixturePlan, FamiliesFollowFromSpecAndTable) {
  const Names any_shape_first = {"gaussian", "diagonal", "spherical"};
  const Names round_first = {"spherical", "diagonal", "gaussian"};
  const Names all_tails = {"student", "student-diagonal", "student-spherical"};
  const Names any_tails = {"student"};
  const PriorRequest for_trees{.use = PriorUse::agglomeration};
  const std::vector<Case> cases = {
      {"numbers", {}, real_rows(), any_shape_first, all_tails},
      {"ten rows per column", {}, real_rows(20, 2), any_shape_first, all_tails},
      {"fewer", {}, real_rows(39, 4), round_first, {"student-diagonal", "student-spherical"}},
      {"two rows per column", {}, real_rows(20, 10), round_first, {"student-diagonal", "student-spherical"}},
      {"hardly any", {}, real_rows(20, 11), round_first, {"student-spherical"}},
      {"too few for tails", {}, real_rows(19, 2), round_first},
      {"fewer than columns that vary alike", {}, real_rows(22, 30), {"spherical", "gaussian"}, {"student-spherical"}},
      {"as few as that by name", of_family("diagonal"), real_rows(7, 8), {"diagonal"}},
      {"too few for any shape, not alike", {}, real_rows(3, 8), {"spherical", "diagonal"}},
      {"too few, by name", of_family("gaussian"), real_rows(3, 8), {"gaussian"}},
      {"one column", {}, real_rows(50, 1), {"gaussian"}, any_tails},
      {"one column, few rows", {}, real_rows(9, 1), {"gaussian"}},
      {"counts", {}, counts(), any_shape_first, all_tails},
      {"sparse counts", {}, sparse(counts()), {"multinomial"}},
      {"bits", {}, bits(), {"bernoulli"}},
      {"sparse bits", {}, sparse(bits()), {"bernoulli"}},
      {"bits under a Gaussian prior", under({.xi0 = 0.1}), bits(), any_shape_first, all_tails},
      {"the paper's prior", under({.rule = PriorRule::paper}), real_rows(), {"gaussian"}},
      {"the paper's prior of few rows", under({.rule = PriorRule::paper}), real_rows(9, 2), {"gaussian"}},
      {"the paper's prior of bits", under({.rule = PriorRule::paper}), bits(), {"bernoulli"}},
      {"the paper's search", by_paper_moves(), real_rows(), {"gaussian"}},
      {"the best of a few priors", under({.rule = PriorRule::grid}), real_rows(), any_shape_first, all_tails},
      {"a matrix by hand", under({.b0 = {1.0, 0.0, 0.0, 1.0}}), real_rows(), {"gaussian"}, any_tails},
      {"a background", with_background(), real_rows(), any_shape_first},
      {"a tree", under(for_trees), real_rows(), any_shape_first},
      {"a tree of few rows that vary alike", under(for_trees), real_rows(19, 2), {"spherical", "gaussian"}},
      {"by name", of_family("diagonal"), real_rows(), {"diagonal"}},
      {"by name, of few rows", of_family("gaussian"), real_rows(9, 2), {"gaussian"}},
      {"tails by name", of_family("student"), real_rows(), {"gaussian"}, any_tails},
      {"tails by name, of few rows", of_family("student"), real_rows(9, 2), {"gaussian"}, any_tails},
      {"round tails by name", of_family("student-spherical"), real_rows(), {"spherical"}, {"student-spherical"}},
      {"straight tails by name", of_family("student-diagonal"), real_rows(), {"diagonal"}, {"student-diagonal"}},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.what);
    const MixturePlan plan = plan_of(one.spec, one.data);
    EXPECT_EQ(names_of(plan.priors), one.families);
    EXPECT_EQ(names_of(plan.heavy_tails), one.tails);
    EXPECT_EQ(plan.are_tails_asked_for, one.spec.family.starts_with("student"));
    EXPECT_EQ(plan.are_numbers_measured, one.families.front() != "bernoulli" && one.families.front() != "multinomial");
  }
}

// Columns of very different variance have each its own prior, so that the family that scales them is no other's double.
TEST(MixturePlan, ATreeOfFewRowsThatDoNotVaryAlikeHasAllFamilies) {
  const Dataset alike = real_rows(19, 2);
  std::vector<double> values(alike.doubles().begin(), alike.doubles().end());
  for (std::size_t i = 0; i < values.size(); i += 2) values[i] *= 100.0;
  const MixturePlan plan =
      plan_of(under({.use = PriorUse::agglomeration}), Dataset::from_rows(std::move(values), 19, 2));
  EXPECT_THAT(names_of(plan.priors), ElementsAre("spherical", "diagonal", "gaussian"));
}

TEST(MixturePlan, ThePartitionSuitsTheFamilyUnlessItIsGiven) {
  const auto of = [](const MixtureSpec& spec, const Dataset& data) {
    const MixturePlan plan = plan_of(spec, data);
    return std::pair(std::string(plan.partition->name()), plan.partition->parameters().front().value);
  };
  using Pair = std::pair<std::string, double>;
  EXPECT_EQ(of({}, real_rows()), Pair("dirichlet", 2.0));
  EXPECT_EQ(of(of_family("student"), real_rows()), Pair("dirichlet", 2.0));
  EXPECT_EQ(of({}, bits()), Pair("dirichlet", 1.0));
  EXPECT_EQ(of(of_family("multinomial"), counts()), Pair("dirichlet", 1.0));
  EXPECT_EQ(of(of_family("uninformative"), real_rows()), Pair("dirichlet", 1.0));
  MixtureSpec given;
  given.partition.phi0 = 0.25;
  given.partition.alpha = 3.0;
  EXPECT_EQ(of(given, bits()), Pair("dirichlet", 0.25));
  given.partition.name = "dp";
  EXPECT_EQ(of(given, bits()), Pair("dp", 3.0));
}

TEST(MixturePlan, StructureIsSearchedWhereAPriorIsLeftToTheData) {
  EXPECT_TRUE(plan_of({}, real_rows()).finds_structure());
  EXPECT_TRUE(plan_of(of_family("bernoulli"), bits()).finds_structure());
  EXPECT_TRUE(plan_of(under({.rule = PriorRule::grid}), real_rows()).finds_structure());
  EXPECT_FALSE(plan_of(under({.rule = PriorRule::paper}), real_rows()).finds_structure());
  EXPECT_FALSE(plan_of(under({.rule = PriorRule::paper}), bits()).finds_structure());
  EXPECT_FALSE(plan_of(by_paper_moves(), real_rows()).finds_structure());
  EXPECT_FALSE(plan_of(of_family("uninformative"), real_rows()).finds_structure());
}

TEST(MixturePlan, LabelsAreScoredByEveryFamilyThatMayWin) {
  const auto scored = [](const MixturePlan& plan) {
    Names names;
    for (const AdjustablePrior* prior : plan.priors_to_score()) names.emplace_back(prior->family());
    return names;
  };
  EXPECT_THAT(scored(plan_of({}, real_rows())),
              ElementsAre("gaussian", "diagonal", "spherical", "student", "student-diagonal", "student-spherical"));
  EXPECT_THAT(scored(plan_of(with_background(), real_rows())), ElementsAre("gaussian", "diagonal", "spherical"));
  EXPECT_THAT(scored(plan_of(of_family("student"), real_rows())), ElementsAre("student"));
  EXPECT_THAT(scored(plan_of(of_family("spherical"), real_rows())), ElementsAre("spherical"));
}

TEST(MixturePlan, WeightsAreSummedUp) {
  EXPECT_EQ(plan_of({}, real_rows()).total_weight, 50.0);
  EXPECT_EQ(plan_of({}, real_rows().with_weights(std::vector<double>(50, 0.25))).total_weight, 12.5);
}

TEST(MixturePlan, AMeanByHandIsInTheCoordinatesOfTheTable) {
  LocalExecution local(1);
  std::vector<double> far(20);
  for (std::size_t i = 0; i < far.size(); ++i) far[i] = 1000.0 + static_cast<double>(i % 7) + 0.5;
  const MixtureSpec spec = under({.m0 = {1003.0, 990.0}});
  const Rows rows = ready_rows(local.get(), spec, Dataset::from_rows(std::move(far), 10, 2)).rows;
  ASSERT_GT(rows.origin()[0], 900.0);
  for (const auto& prior : make_plan(local.get(), spec, rows).priors) {
    const NamedArrays arrays = prior->at(prior->starts().front())->prior_arrays();
    EXPECT_EQ(arrays.at("m0").values[0] + rows.origin()[0], 1003.0) << prior->family();
    EXPECT_EQ(arrays.at("m0").values[1] + rows.origin()[1], 990.0) << prior->family();
  }
}

TEST(ReadyRows, HaveAnOriginWhereNumbersAreMeasured) {
  LocalExecution local(1);
  const auto origin = [&](const MixtureSpec& spec, const Dataset& data) {
    const Rows rows = ready_rows(local.get(), spec, data).rows;
    return std::vector<double>(rows.origin().begin(), rows.origin().end());
  };
  const std::vector<double> zeros(4, 0.0);
  EXPECT_EQ(origin({}, bits()), zeros);
  EXPECT_EQ(origin({}, sparse(counts())), zeros);
  EXPECT_EQ(origin(of_family("multinomial"), counts()), zeros);
  EXPECT_EQ(origin({}, counts()), fixed_origin(local.get(), counts()));
  EXPECT_NE(origin({}, counts()), zeros);
  EXPECT_EQ(origin(of_family("gaussian"), bits()), fixed_origin(local.get(), bits()));
}

// Three columns, the second of which is the same in all rows.
Dataset with_constant_column() {
  std::vector<double> values;
  for (std::size_t row = 0; row < 40; ++row) {
    const auto number = static_cast<double>(row);
    values.insert(values.end(), {0.3 * number, 7.5, std::sqrt(number)});
  }
  return Dataset::from_rows(std::move(values), 40, 3);
}

TEST(ReadyRows, LeaveOutConstantColumnsThatAFittedPriorMustNotSee) {
  LocalExecution local(1);
  const auto n_columns = [&](const MixtureSpec& spec, const Dataset& data) {
    return ready_rows(local.get(), spec, data).rows.n_columns();
  };
  const Dataset data = with_constant_column();
  EXPECT_EQ(n_columns({}, data), 2U);
  EXPECT_EQ(n_columns(of_family("student"), data), 2U);
  EXPECT_EQ(n_columns(under({.rule = PriorRule::grid}), data), 2U);
  EXPECT_EQ(n_columns(under({.rule = PriorRule::paper}), data), 3U);
  EXPECT_EQ(n_columns(under({.m0 = {0.0, 0.0, 0.0}}), data), 3U);
  EXPECT_EQ(n_columns(under({.b0 = {1, 0, 0, 0, 1, 0, 0, 0, 1}}), data), 3U);
  EXPECT_EQ(n_columns(of_family("uninformative"), data), 3U);
  MixtureSpec from_centres;
  from_centres.starts_from_centres = true;
  EXPECT_EQ(n_columns(from_centres, data), 3U);
  EXPECT_EQ(n_columns({}, Dataset::from_rows(std::vector<double>(20, 0.5), 10, 2)), 2U) << "none would be left";
  EXPECT_EQ(n_columns({}, Dataset::from_rows(std::vector<double>{0, 1, 1, 1, 0, 1, 1, 1}, 4, 2)), 2U) << "bits";
  EXPECT_EQ(n_columns({}, real_rows()), 2U);
  EXPECT_THAT(ready_rows(local.get(), {}, real_rows()).steps.records(), IsEmpty());
}

std::string refusal(const MixtureSpec& spec, const Dataset& data) {
  return message_of<OptionError>([&] { check_spec(spec, data); });
}

TEST(CheckSpec, TellsWhatHeavyTailsDoNotGoWith) {
  MixtureSpec spec = of_family("student");
  EXPECT_NO_THROW(check_spec(spec, real_rows()));
  spec.prior.rule = PriorRule::paper;
  EXPECT_EQ(refusal(spec, real_rows()), "prior paper is a rule for family gaussian, not for student");
  spec = of_family("student");
  spec.moves = Moves::paper;
  EXPECT_EQ(refusal(spec, real_rows()), "search paper does not know family student; use search auto");
  spec = of_family("student");
  spec.has_background = true;
  EXPECT_EQ(refusal(spec, real_rows()),
            "outliers is for family gaussian, diagonal and spherical: rows far from all others are in the tails of "
            "student clusters; leave out one of the two");
  spec = of_family("student");
  spec.assign = AssignRule::kdtree;
  EXPECT_EQ(refusal(spec, real_rows()),
            "assign kdtree cannot be used with family student, whose clusters weigh every row by itself");
  spec.family = "gaussian";
  EXPECT_NO_THROW(check_spec(spec, real_rows()));
}

TEST(CheckSpec, TellsWhatTheTableDoesNotGoWith) {
  const std::string advice =
      " clusters take dense ones; use family multinomial (counts) or bernoulli (0 and 1), or reduce the columns first, "
      "for example with transform pca:50";
  EXPECT_EQ(refusal({}, sparse(real_rows())), "the rows are sparse, and Gaussian" + advice);
  EXPECT_EQ(refusal(of_family("diagonal"), sparse(counts())), "the rows are sparse, and diagonal" + advice);
  EXPECT_NO_THROW(check_spec({}, sparse(counts())));
  EXPECT_THROW(check_spec(of_family("multinomial"), real_rows()), DataError);
  EXPECT_THROW(check_spec(of_family("bernoulli"), counts()), DataError);
  EXPECT_EQ(refusal(under({.m0 = {1.0}}), real_rows()), "m0 has 1 value, but the data has 2 columns");
  EXPECT_EQ(refusal(under({.m0 = {1.0, 2.0, 3.0}}), real_rows(30, 1)), "m0 has 3 values, but the data has 1 column");
  EXPECT_NO_THROW(check_spec(under({.m0 = {1.0, 2.0}}), real_rows()));
}

TEST(CheckSpec, TellsWhichFamilyANumberIsFor) {
  EXPECT_EQ(refusal(under({.psi0 = 0.1}), real_rows()), "psi0 is for family multinomial alone");
  EXPECT_EQ(refusal(under({.psi0 = 0.1}), bits()), "psi0 is for family multinomial alone");
  EXPECT_EQ(refusal(under({.omega0 = 0.1}), sparse(counts())), "omega0 is for family bernoulli alone");
  EXPECT_EQ(refusal(under({.xi0 = 0.1}), sparse(counts())),
            "xi0, eta0, m0 and b0 are for Gaussian clusters, not for family multinomial");
  EXPECT_NO_THROW(check_spec(under({.omega0 = 0.1}), bits()));
}

TEST(CheckSpec, ABackgroundIsForGaussianClusters) {
  EXPECT_NO_THROW(check_spec(with_background(), real_rows()));
  EXPECT_EQ(refusal(with_background(), bits()),
            "outliers is for Gaussian clusters, not for family bernoulli; leave it out, or use family gaussian");
  MixtureSpec spec = with_background();
  spec.family = "uninformative";
  EXPECT_EQ(refusal(spec, real_rows()),
            "outliers is for Gaussian clusters, not for family uninformative; leave it out, or use family gaussian");
}

}  // namespace
}  // namespace coppice::internal
