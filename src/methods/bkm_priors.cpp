// SPDX-License-Identifier: BSD-3-Clause
#include "methods/bkm_priors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coppice/data/distinct_sample.hpp"
#include "coppice/family/adapter.hpp"
#include "coppice/family/discrete_data.hpp"
#include "coppice/family/gaussian.hpp"
#include "coppice/family/uninformative.hpp"
#include "coppice/model/background.hpp"
#include "coppice/model/labelling.hpp"
#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/structure/discrete_priors.hpp"
#include "coppice/structure/gaussian_priors.hpp"
#include "coppice/structure/prior_rule.hpp"
#include "coppice/structure/rounding.hpp"
#include "runtime/format_text.hpp"

namespace coppice {

namespace {

constexpr std::size_t rows_for_rounding = 10000;  // show the grid of a column
constexpr double few_rows_per_column = 10.0;      // round clusters are more likely to win than those of any shape

std::vector<double> values_of(const std::optional<Table>& table) {
  return table ? table->values : std::vector<double>{};
}

std::unique_ptr<AdjustablePrior> uninformative_prior(const Execution& execution, const Rows& rows) {
  const std::vector<double> widths = spanned_widths(rows);
  const auto constant = std::ranges::find(widths, 0.0);
  if (constant != widths.end()) {
    throw DataError(
        format_text("column '{}' is constant, and the uninformative family needs columns that vary; drop it with "
                    "{columns}, or choose another {family}",
                    rows.data().columns()[static_cast<std::size_t>(constant - widths.begin())].name));
  }
  auto family = std::make_unique<FamilyAdapter<UninformativeGaussian>>(
      UninformativeGaussian(rows.n_columns(), log_spanned_volume(rows)));
  const std::vector<std::int32_t> one_cluster(rows.size(), 0);
  const StatsArena all = labelling_statistics(execution, rows, *family, one_cluster);
  if (!std::isfinite(family->log_evidence(all[0]))) {
    throw DataError(format_text(
        "the uninformative family needs more rows than columns and columns that do not follow from one "
        "another, and there are {} and {}; choose another {family}",
        counted(rows.n_columns(), "column"),
        rows.are_weighted() ? fmt::format("rows of weight {:g} in all", all.weight(0)) : counted(rows.size(), "row")));
  }
  return make_fixed_prior(std::move(family));
}

std::unique_ptr<AdjustablePrior> discrete_prior(const Execution& execution, const Rows& rows,
                                                const BayesianKMeans& method, std::string_view family, PriorUse use) {
  const bool are_bits = family == "bernoulli";
  std::optional<double> given = are_bits ? method.omega0 : method.psi0;
  if (!given && method.prior == "paper") given = 0.1;
  const bool is_centred = use == PriorUse::tree && !given;
  if (are_bits) {
    return is_centred ? make_centred_bernoulli_prior(bit_rates(execution, rows))
                      : make_bernoulli_prior(rows.n_columns(), given);
  }
  const std::optional<double> total = shared_total(execution, rows.data());
  return is_centred ? make_centred_multinomial_prior(count_rates(execution, rows), total)
                    : make_multinomial_prior(rows.n_columns(), given, total);
}

GaussianShape shape_of(const Execution& execution, const Rows& rows, const BayesianKMeans& method) {
  GaussianShape shape = gaussian_shape(execution, rows);
  const Rows sample(distinct_sample(execution, rows.data(), rows_for_rounding),
                    {rows.origin().begin(), rows.origin().end()});
  shape.rounding = rounding_variances(execution, sample);
  shape.xi0 = method.xi0;
  shape.eta0 = method.eta0;
  shape.b0 = values_of(method.b0);
  const std::vector<double> m0 = values_of(method.m0);
  for (std::size_t i = 0; i < m0.size(); ++i) shape.mean[i] = m0[i] - rows.origin()[i];
  return shape;
}

}  // namespace

std::unique_ptr<AdjustablePrior> paper_gaussian(const Execution& execution, const Rows& rows,
                                                const BayesianKMeans& method, PaperRule rule) {
  const GaussianPriorChoices choices{method.xi0, method.eta0, values_of(method.m0), values_of(method.b0)};
  return make_fixed_prior(
      std::make_unique<FamilyAdapter<Gaussian>>(Gaussian(paper_prior(execution, rows, choices, nullptr, rule))));
}

bool has_few_rows(const Dataset& data) {
  return static_cast<double>(data.n_rows()) < few_rows_per_column * static_cast<double>(data.n_columns());
}

bool is_discrete(std::string_view family) { return family == "multinomial" || family == "bernoulli"; }

std::vector<std::string> competing_families(const BayesianKMeans& method, const Dataset& data) {
  if (method.family == "student") return {"gaussian"};  // which it starts from
  if (method.family != "auto") return {method.family};
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
  if (method.family == "student") return true;
  if (method.family != "auto" || method.prior == "paper" || method.search == "paper" || method.outliers) return false;
  if (has_few_rows(data)) return false;  // one cluster with tails explains anything there
  const std::vector<std::string> families = competing_families(method, data);
  return std::ranges::find(families, "gaussian") != families.end();
}

namespace {

void check_student(const BayesianKMeans& method) {
  if (method.family != "student") return;
  if (method.prior == "paper")
    throw OptionError(format_text("{prior=paper} is a rule for {family=gaussian}, not for student"));
  if (method.search == "paper")
    throw OptionError(format_text("{search=paper} does not know {family=student}; use {search=auto}"));
  if (method.outliers) {
    throw OptionError(format_text(
        "{outliers} is for {family=gaussian}, diagonal and spherical: rows far from all others are in the tails of "
        "student clusters; leave out one of the two"));
  }
  if (method.assign == "kdtree") {
    throw OptionError(
        format_text("{assign=kdtree} cannot be used with {family=student}, whose clusters weigh every row by itself"));
  }
}

}  // namespace

void check_priors(const BayesianKMeans& method, const std::vector<std::string>& families, const Dataset& data) {
  check_student(method);
  const std::string& family = families.front();
  const bool is_gaussian = families.size() == 1 && family == "gaussian";
  if (family == "multinomial") check_counts(data);
  if (family == "bernoulli") check_binary(data);
  if (data.is_sparse() && !is_discrete(family)) {
    throw OptionError(
        format_text("the rows are sparse, and {} clusters take dense ones; use {family=multinomial} (counts) or "
                    "bernoulli (0 and 1), or reduce the columns first, for example with {transform=pca:50}",
                    method.family == "auto" ? "Gaussian" : family));
  }
  if (method.psi0 && family != "multinomial")
    throw OptionError(format_text("{psi0} is for {family=multinomial} alone"));
  if (method.omega0 && family != "bernoulli")
    throw OptionError(format_text("{omega0} is for {family=bernoulli} alone"));
  if (is_discrete(family) && (method.xi0 || method.eta0 || method.m0 || method.b0)) {
    throw OptionError(
        format_text("{xi0}, {eta0}, {m0} and {b0} are for Gaussian clusters, not for {}", option("family", family)));
  }
  if (method.prior == "paper" && !is_gaussian && !is_discrete(family) && family != "uninformative") {
    throw OptionError(format_text("{prior=paper} is a rule for {family=gaussian}, not for {}", method.family));
  }
  if (method.b0 && !is_gaussian) {
    throw OptionError(format_text("{b0} is a matrix for {family=gaussian}, not for {}", method.family));
  }
  if (family == "uninformative" && (method.xi0 || method.eta0 || method.m0)) {
    throw OptionError(format_text("{family=uninformative} has no prior to be set: leave out {xi0}, {eta0} and {m0}"));
  }
  if (method.m0 && method.m0->values.size() != data.n_columns()) {
    throw OptionError(format_text("{m0} has {}, but the data has {}", counted(method.m0->values.size(), "value"),
                                  counted(data.n_columns(), "column")));
  }
}

std::vector<std::unique_ptr<AdjustablePrior>> make_priors(const Execution& execution, const Rows& rows,
                                                          const BayesianKMeans& method,
                                                          const std::vector<std::string>& families, PriorUse use) {
  std::vector<std::unique_ptr<AdjustablePrior>> priors;
  // A prior is needed even if the fit is to stop; the paper's rule sees to that itself.
  const Execution calm = execution.unstoppable();
  if (families.front() == "uninformative") {
    priors.push_back(uninformative_prior(calm, rows));
    return priors;
  }
  if (is_discrete(families.front())) {
    priors.push_back(discrete_prior(calm, rows, method, families.front(), use));
    return priors;
  }
  if (method.prior == "paper") {
    priors.push_back(paper_gaussian(execution, rows, method, PaperRule::top_down));
    return priors;
  }
  GaussianShape shape = shape_of(calm, rows, method);
  shape.varies_in_scale = use == PriorUse::search;
  shape.is_round = use == PriorUse::tree && has_few_rows(rows.data()) && vary_alike(shape.variance);
  for (const std::string& family : families) {
    if (shape.is_round && families.size() > 1 && family == "diagonal") continue;  // columns are not compared one by one
    priors.push_back(make_gaussian_prior(family, shape));
  }
  return priors;
}

std::unique_ptr<PartitionPrior> partition_of(const BayesianKMeans& method, const std::string& family) {
  const double phi0 = family == "uninformative" || is_discrete(family) ? 1.0 : 2.0;
  return make_partition_prior(method.partition, method.partition == "dp" ? method.alpha : method.phi0.value_or(phi0));
}

}  // namespace coppice
