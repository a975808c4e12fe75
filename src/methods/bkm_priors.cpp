// SPDX-License-Identifier: BSD-3-Clause
#include "methods/bkm_priors.hpp"

#include <algorithm>

#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/error.hpp"
#include "runtime/format_text.hpp"

namespace coppice {

namespace {

std::vector<double> values_of(const std::optional<Table>& table) {
  return table ? table->values : std::vector<double>{};
}

const FamilyEntry* asked_for(const BayesianKMeans& method) {
  return method.family == "auto" ? nullptr : &family_entry(method.family);
}

PriorRule rule_of(std::string_view prior) {
  if (prior == "paper") return PriorRule::paper;
  return prior == "grid" ? PriorRule::grid : PriorRule::fitted;
}

PriorRequest request_of(const BayesianKMeans& method, PriorUse use) {
  return {rule_of(method.prior), use,         method.xi0,   method.eta0, values_of(method.m0),
          values_of(method.b0),  method.psi0, method.omega0};
}

}  // namespace

bool is_discrete(std::string_view family) { return family_entry(family).columns != ColumnsTaken::real; }

std::vector<std::string> competing_families(const BayesianKMeans& method, const Dataset& data) {
  if (const FamilyEntry* family = asked_for(method)) {
    return {family->grows_from.empty() ? family->name : family->grows_from};
  }
  const auto is_binary = [](const Column& column) { return column.kind == ColumnKind::binary; };
  const auto is_count = [](const Column& column) {
    return column.kind == ColumnKind::count || column.kind == ColumnKind::binary;
  };
  const bool wants_gaussian = method.xi0 || method.eta0 || method.m0 || method.b0;
  if (!wants_gaussian && std::ranges::all_of(data.columns(), is_binary)) return {"bernoulli"};
  if (data.is_sparse() && std::ranges::all_of(data.columns(), is_count)) return {"multinomial"};
  if (method.prior == "paper" || method.b0 || method.search == "paper") return {"gaussian"};
  if (data.n_columns() == 1) return {"gaussian"};  // all three are the same there
  if (has_few_rows(data)) return {"spherical", "diagonal", "gaussian"};
  return {"gaussian", "diagonal", "spherical"};
}

bool tries_heavy_tails(const BayesianKMeans& method, const Dataset& data) {
  if (const FamilyEntry* family = asked_for(method)) return family->weighs_members;
  if (method.prior == "paper" || method.search == "paper" || method.outliers) return false;
  if (has_few_rows(data)) return false;  // one cluster with tails explains anything there
  const std::vector<std::string> families = competing_families(method, data);
  return std::ranges::find(families, "gaussian") != families.end();
}

namespace {

void check_heavy_tails(const BayesianKMeans& method) {
  const FamilyEntry* family = asked_for(method);
  if (family == nullptr || !family->weighs_members) return;
  if (method.prior == "paper" && !family->has_paper_rule) {
    throw OptionError(format_text("{prior=paper} is a rule for {family=gaussian}, not for {}", family->name));
  }
  if (method.search == "paper") {
    throw OptionError(
        format_text("{search=paper} does not know {}; use {search=auto}", option("family", family->name)));
  }
  if (method.outliers) {
    throw OptionError(
        format_text("{outliers} is for {family=gaussian}, diagonal and spherical: rows far from all others are in the "
                    "tails of {} clusters; leave out one of the two",
                    family->name));
  }
  if (method.assign == "kdtree") {
    throw OptionError(format_text("{assign=kdtree} cannot be used with {}, whose clusters weigh every row by itself",
                                  option("family", family->name)));
  }
}

}  // namespace

void check_priors(const BayesianKMeans& method, const std::vector<std::string>& families, const Dataset& data) {
  check_heavy_tails(method);
  const FamilyEntry& family = family_entry(families.front());
  if (family.check_rows) family.check_rows(data);
  if (data.is_sparse() && !family.takes_sparse_rows) {
    throw OptionError(
        format_text("the rows are sparse, and {} clusters take dense ones; use {family=multinomial} (counts) or "
                    "bernoulli (0 and 1), or reduce the columns first, for example with {transform=pca:50}",
                    method.family == "auto" ? "Gaussian" : family.name));
  }
  check_request(family, request_of(method, PriorUse::search));
  if (method.m0 && method.m0->values.size() != data.n_columns()) {
    throw OptionError(format_text("{m0} has {}, but the data has {}", counted(method.m0->values.size(), "value"),
                                  counted(data.n_columns(), "column")));
  }
}

std::vector<std::unique_ptr<AdjustablePrior>> make_priors(const Execution& execution, const Rows& rows,
                                                          const BayesianKMeans& method,
                                                          const std::vector<std::string>& families, PriorUse use) {
  return make_priors(families, PriorSource(execution, rows, request_of(method, use)));
}

std::unique_ptr<PartitionPrior> partition_of(const BayesianKMeans& method, const std::string& family) {
  if (method.partition == "dp") return make_dirichlet_process(method.alpha);
  return make_dirichlet(method.phi0.value_or(family_entry(family).phi0));
}

}  // namespace coppice
