// SPDX-License-Identifier: BSD-3-Clause
// What is sought, worked out once for the rows at hand: who competes, in which order, under which priors, and what is
// refused. Searches take the plan and never ask an option again. Which family is first matters: later ones give up what
// the leader makes hopeless, and the first one's prior over partitions serves all.

#include "coppice/structure/mixture_plan.hpp"

#include <algorithm>

#include "coppice/data/constant_columns.hpp"
#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"
#include "coppice/structure/calm_moments.hpp"
#include "structure/families_of_trees.hpp"

namespace coppice::internal {

namespace {

// The family that is asked for by name, if one is.
const FamilyEntry* asked_for(const MixtureSpec& spec) {
  return spec.family == "auto" ? nullptr : &family_entry(spec.family);
}

bool has_gaussian_number(const PriorRequest& prior) {
  return prior.xi0 || prior.eta0 || !prior.m0.empty() || !prior.b0.empty();
}

// The families that options and data leave to compete, in the order in which they are searched.
std::vector<std::string> competing_families(const MixtureSpec& spec, const Dataset& data) {
  if (const FamilyEntry* family = asked_for(spec)) {
    return {family->grows_from.empty() ? family->name : family->grows_from};
  }
  const auto is_binary = [](const Column& column) { return column.kind == ColumnKind::binary; };
  const auto is_count = [](const Column& column) {
    return column.kind == ColumnKind::count || column.kind == ColumnKind::binary;
  };
  if (!has_gaussian_number(spec.prior) && std::ranges::all_of(data.columns(), is_binary)) return {"bernoulli"};
  // Dense counts are numbers like others: Gaussian clusters compete for them.
  if (data.is_sparse() && std::ranges::all_of(data.columns(), is_count)) return {"multinomial"};
  // The paper knows Gaussian clusters of any shape; a matrix B0 given by hand speaks of them as well.
  const bool follows_paper = spec.prior.rule == PriorRule::paper || spec.moves == Moves::paper;
  if (follows_paper || !spec.prior.b0.empty()) return {"gaussian"};
  if (!spec.has_rivals) return {"gaussian"};
  if (data.n_columns() == 1) return {"gaussian"};  // all three are the same there
  if (has_few_rows(data)) return {"spherical", "diagonal", "gaussian"};
  return {"gaussian", "diagonal", "spherical"};
}

// Clusters with heavy tails beside others, and the rows per column that there must be. With fewer, one cluster of that
// kind explains several: a factor per row and a shape are more than its rows tell. Round clusters have no shape.
struct TailsBeside {
  const char* name;
  double rows_per_column;
};
constexpr TailsBeside tails_beside[] = {{"student", 10.0}, {"student-diagonal", 2.0}, {"student-spherical", 0.0}};

// Fewer rows do not tell tails from clusters of unlike scale, nor do rows that are all the same.
constexpr std::size_t least_rows_with_tails = 20;

// The families of clusters with heavy tails, each of which is tried once those that it grows from have been found.
std::vector<std::string> heavy_tails_of(const MixtureSpec& spec, const std::vector<std::string>& families,
                                        const Dataset& data) {
  if (const FamilyEntry* family = asked_for(spec)) {
    return family->weighs_members ? std::vector{family->name} : std::vector<std::string>{};
  }
  if (spec.prior.use == PriorUse::agglomeration || spec.has_background || spec.shares_rows) return {};
  if (spec.prior.rule == PriorRule::paper || spec.moves == Moves::paper) return {};
  if (data.n_rows() < least_rows_with_tails || constant_columns(data).size() == data.n_columns()) return {};
  const double rows_per_column = static_cast<double>(data.n_rows()) / static_cast<double>(data.n_columns());
  std::vector<std::string> tails;
  for (const TailsBeside& one : tails_beside) {
    const bool competes = std::ranges::find(families, family_entry(one.name).grows_from) != families.end();
    if (competes && rows_per_column >= one.rows_per_column) tails.emplace_back(one.name);
  }
  return tails;
}

void check_heavy_tails(const MixtureSpec& spec) {
  const FamilyEntry* family = asked_for(spec);
  if (family == nullptr || !family->weighs_members) return;
  if (spec.shares_rows) {
    throw OptionError(
        format_text("{} clusters weigh every row by itself, and rows that are shared have no such weights; use "
                    "{method=bkm}, or another {family}",
                    family->name));
  }
  if (spec.prior.rule == PriorRule::paper && !family->has_paper_rule) {
    throw OptionError(format_text("{prior=paper} is a rule for {family=gaussian}, not for {}", family->name));
  }
  if (spec.moves == Moves::paper) {
    throw OptionError(
        format_text("{search=paper} does not know {}; use {search=auto}", option("family", family->name)));
  }
  if (spec.has_background) {
    throw OptionError(
        format_text("{outliers} is for {family=gaussian}, diagonal and spherical: rows far from all others are in the "
                    "tails of {} clusters; leave out one of the two",
                    family->name));
  }
  if (spec.assign == AssignRule::kdtree) {
    throw OptionError(format_text("{assign=kdtree} cannot be used with {}, whose clusters weigh every row by itself",
                                  option("family", family->name)));
  }
}

void check_sparse_rows(const MixtureSpec& spec, const FamilyEntry& family) {
  if (!family.takes_sparse_rows) {
    throw OptionError(format_text(
        "the rows are sparse, and {} clusters take dense ones; use {family=multinomial} (counts) or bernoulli (0 and "
        "1), or reduce the columns first, for example with {transform=pca:50}",
        spec.family == "auto" ? "Gaussian" : family.name));
  }
}

// A column whose density has no limit must not be seen by a fitted prior. Priors and centres that are given by hand
// speak of all columns, so that these stay.
bool drops_constant_columns(const MixtureSpec& spec, const FamilyEntry& family, const Dataset& data) {
  if (spec.prior.rule == PriorRule::paper || !family.has_fitted_prior || family.columns != ColumnsTaken::real) {
    return false;
  }
  if (!spec.prior.m0.empty() || !spec.prior.b0.empty() || spec.starts_from_centres) return false;
  const std::size_t n_constant = constant_columns(data).size();
  return n_constant > 0 && n_constant < data.n_columns();
}

std::unique_ptr<PartitionPrior> partition_of(const PartitionSpec& spec, const FamilyEntry& family) {
  if (spec.name == "dp") return make_dirichlet_process(spec.alpha);
  const auto [alpha1, alpha2] = spec.sticks;
  if (spec.truncation) return make_truncated_sticks(alpha1, alpha2, *spec.truncation);
  if (spec.name == "sticks") return make_sticks(alpha1, alpha2);
  return make_dirichlet(spec.phi0.value_or(family.phi0));
}

}  // namespace

void check_spec(const MixtureSpec& spec, const Dataset& data) {
  check_heavy_tails(spec);
  const FamilyEntry& family = family_entry(competing_families(spec, data).front());
  if (family.check_rows) family.check_rows(data);
  if (data.is_sparse()) check_sparse_rows(spec, family);
  check_request(family, spec.prior);
  if (!spec.prior.m0.empty() && spec.prior.m0.size() != data.n_columns()) {
    throw OptionError(format_text("{m0} has {}, but the data has {}", counted(spec.prior.m0.size(), "value"),
                                  counted(data.n_columns(), "column")));
  }
  if (spec.has_background && !family.may_have_background) {
    throw OptionError(
        format_text("{outliers} is for Gaussian clusters, not for {}; leave it out, or use "
                    "{family=gaussian}",
                    option("family", family.name)));
  }
}

ReadyRows ready_rows(const Execution& execution, const MixtureSpec& spec, const Dataset& data) {
  const FamilyEntry& family = family_entry(competing_families(spec, data).front());
  if (family.columns != ColumnsTaken::real) return {{data, std::vector<double>(data.n_columns(), 0.0)}, {}};
  if (!drops_constant_columns(spec, family, data)) return {rows_at_calm_origin(execution, data), {}};
  const FittedTransforms fitted = fit_transforms(execution, parse_transforms("drop-constant"), data);
  return {rows_at_calm_origin(execution, fitted.data), fitted.chain};
}

MixturePlan make_plan(const Execution& execution, const MixtureSpec& spec, const Rows& rows) {
  std::vector<std::string> families = competing_families(spec, rows.data());
  const std::vector<std::string> tails = heavy_tails_of(spec, families, rows.data());
  if (spec.prior.use == PriorUse::agglomeration) families = families_that_fit(std::move(families), rows);
  PriorRequest request = spec.prior;
  request.has_rivals = families.size() > 1;
  const PriorSource source(execution, rows, request);
  MixturePlan plan{.spec = spec, .rows = rows, .total_weight = total_weight(rows.data())};
  plan.priors = make_priors(families, source);
  const FamilyEntry& first = family_entry(plan.priors.front()->family());
  plan.are_numbers_measured = first.columns == ColumnsTaken::real;
  for (const std::string& name : tails) {
    const bool has_kind = std::ranges::any_of(
        plan.priors, [&](const auto& prior) { return prior->family() == family_entry(name).grows_from; });
    if (has_kind) plan.heavy_tails.push_back(make_prior(family_entry(name), source));
  }
  plan.are_tails_asked_for = !tails.empty() && spec.family == tails.front();
  if (plan.are_numbers_measured && spec.prior.use == PriorUse::search && spec.prior.b0.empty()) {
    // Cells are many, and their evidence without correlations costs O(D).
    plan.fine = make_prior(family_entry("diagonal"), source);
  }
  plan.partition = partition_of(spec.partition, first);
  return plan;
}

bool MixturePlan::finds_structure() const {
  if (spec.shares_rows) return true;
  return spec.prior.rule != PriorRule::paper && spec.moves != Moves::paper &&
         family_entry(priors.front()->family()).has_fitted_prior;
}

std::vector<const AdjustablePrior*> MixturePlan::priors_to_score() const {
  std::vector<const AdjustablePrior*> all;
  if (!are_tails_asked_for) {
    for (const auto& prior : priors) all.push_back(prior.get());
  }
  for (const auto& prior : heavy_tails) all.push_back(prior.get());
  return all;
}

}  // namespace coppice::internal
