// SPDX-License-Identifier: BSD-3-Clause
#include "structure/known_families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "coppice/family/bernoulli.hpp"
#include "coppice/family/centroid.hpp"
#include "coppice/family/diagonal.hpp"
#include "coppice/family/discrete_data.hpp"
#include "coppice/family/gaussian.hpp"
#include "coppice/family/modal_gaussian.hpp"
#include "coppice/family/multinomial.hpp"
#include "coppice/family/point_diagonal.hpp"
#include "coppice/family/point_gaussian.hpp"
#include "coppice/family/spherical.hpp"
#include "coppice/family/student.hpp"
#include "coppice/family/uninformative.hpp"
#include "coppice/model/labelling.hpp"
#include "coppice/model/rows_outside.hpp"
#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"
#include "coppice/structure/discrete_priors.hpp"
#include "coppice/structure/prior_rule.hpp"

namespace coppice::internal {

namespace {

constexpr double flat_phi0 = 1.0;           // weights of clusters equally likely
constexpr double paper_pseudo_count = 0.1;  // psi0 and omega0 ([L] section 8)

std::unique_ptr<AdjustablePrior> paper_gaussian(const PriorSource& source) {
  const PriorRequest& request = source.request();
  const GaussianPriorChoices choices{request.xi0, request.eta0, request.m0, request.b0};
  const PaperRule rule = request.use == PriorUse::search          ? PaperRule::top_down
                         : request.use == PriorUse::agglomeration ? PaperRule::bottom_up
                                                                  : PaperRule::infinite_mixture;
  // It sees to being stopped itself.
  return make_fixed_prior(std::make_unique<FamilyAdapter<Gaussian>>(
      Gaussian(paper_prior(source.execution(), source.rows(), choices, nullptr, rule))));
}

// One of the families that make_gaussian_prior knows.
template <Family F>
FamilyEntry gaussian_entry(const std::string& name, std::vector<std::string> numbers) {
  FamilyEntry entry = family_entry_of<F>(name);
  entry.make_prior = [name](const PriorSource& source) { return make_gaussian_prior(name, source.shape()); };
  entry.numbers = std::move(numbers);
  entry.has_fitted_prior = true;
  entry.may_have_background = true;
  entry.starts_trees = true;
  return entry;
}

FamilyEntry gaussian() {
  FamilyEntry entry = gaussian_entry<Gaussian>("gaussian", {"xi0", "eta0", "m0", "b0"});
  entry.has_paper_rule = true;
  entry.make_prior = [](const PriorSource& source) {
    return source.request().rule == PriorRule::paper ? paper_gaussian(source)
                                                     : make_gaussian_prior("gaussian", source.shape());
  };
  return entry;
}

FamilyEntry diagonal() {
  FamilyEntry entry = gaussian_entry<DiagonalGaussian>("diagonal", {"xi0", "eta0", "m0"});
  entry.scales_columns = true;
  return entry;
}

// Clusters with tails, which are found from those of a kind without.
template <class Kind>
FamilyEntry student_of(const FamilyEntry& kind) {
  FamilyEntry entry = gaussian_entry<StudentOf<Kind>>(std::string(student_name<Kind>), kind.numbers);
  entry.may_have_background = false;
  entry.starts_trees = false;
  entry.scales_columns = kind.scales_columns;
  entry.has_one_scale = kind.has_one_scale;
  // The search for tails begins with the clusters of this kind.
  entry.grows_from = kind.name;
  return entry;
}

std::unique_ptr<AdjustablePrior> uninformative_prior(const PriorSource& source) {
  const Rows& rows = source.rows();
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
  const StatsArena all = labelling_statistics(source.unstopped(), rows, *family, one_cluster);
  if (!std::isfinite(family->log_evidence(all[0]))) {
    throw DataError(format_text(
        "the uninformative family needs more rows than columns and columns that do not follow from one "
        "another, and there are {} and {}; choose another {family}",
        counted(rows.n_columns(), "column"),
        rows.are_weighted() ? fmt::format("rows of weight {:g} in all", all.weight(0)) : counted(rows.size(), "row")));
  }
  return make_fixed_prior(std::move(family));
}

FamilyEntry spherical() {
  FamilyEntry entry = gaussian_entry<SphericalGaussian>("spherical", {"xi0", "eta0", "m0"});
  entry.has_one_scale = true;
  return entry;
}

FamilyEntry uninformative() {
  FamilyEntry entry = family_entry_of<UninformativeGaussian>("uninformative");
  entry.make_prior = uninformative_prior;
  entry.has_paper_rule = true;  // there is nothing to be set
  entry.phi0 = flat_phi0;
  return entry;
}

// The pseudo-count that is asked for; none: it is to be fitted.
std::optional<double> pseudo_count(const PriorRequest& request, const std::optional<double>& given) {
  return !given && request.rule == PriorRule::paper ? std::optional(paper_pseudo_count) : given;
}

bool is_centred(const PriorRequest& request, const std::optional<double>& pseudo_count) {
  // Pseudo-counts by hand are the same for every column.
  return request.use == PriorUse::agglomeration && !pseudo_count;
}

std::unique_ptr<AdjustablePrior> multinomial_prior(const PriorSource& source) {
  const PriorRequest& request = source.request();
  const Rows& rows = source.rows();
  const std::optional<double> psi0 = pseudo_count(request, request.psi0);
  const std::optional<double> total = shared_total(source.unstopped(), rows.data());
  return is_centred(request, psi0) ? make_centred_multinomial_prior(count_rates(source.unstopped(), rows), total)
                                   : make_multinomial_prior(rows.n_columns(), psi0, total);
}

std::unique_ptr<AdjustablePrior> bernoulli_prior(const PriorSource& source) {
  const PriorRequest& request = source.request();
  const std::optional<double> omega0 = pseudo_count(request, request.omega0);
  return is_centred(request, omega0) ? make_centred_bernoulli_prior(bit_rates(source.unstopped(), source.rows()))
                                     : make_bernoulli_prior(source.rows().n_columns(), omega0);
}

template <Family F>
FamilyEntry discrete_entry(const std::string& name, const std::string& number, PriorMaker make_prior) {
  FamilyEntry entry = family_entry_of<F>(name);
  entry.make_prior = std::move(make_prior);
  entry.numbers = {number};
  entry.has_fitted_prior = true;
  entry.has_paper_rule = true;
  entry.starts_trees = true;
  entry.phi0 = flat_phi0;
  return entry;
}

FamilyEntry multinomial() {
  FamilyEntry entry = discrete_entry<Multinomial>("multinomial", "psi0", multinomial_prior);
  entry.columns = ColumnsTaken::counts;
  entry.check_rows = check_counts;
  return entry;
}

FamilyEntry bernoulli() {
  FamilyEntry entry = discrete_entry<Bernoulli>("bernoulli", "omega0", bernoulli_prior);
  entry.columns = ColumnsTaken::bits;
  entry.check_rows = check_binary;
  return entry;
}

template <Family F>
FamilyEntry point_entry(const std::string& name, double (*numbers_in_covariance)(double)) {
  FamilyEntry entry = family_entry_of<F>(name);
  const auto make = [](std::vector<double> floors) -> std::unique_ptr<Components> {
    return std::make_unique<FamilyAdapter<F>>(F(std::move(floors)));
  };
  entry.point_estimates = {make, numbers_in_covariance};
  return entry;
}

FamilyEntry point_gaussian() {
  return point_entry<PointGaussian>("point-gaussian", [](double d) { return d * (d + 1.0) / 2.0; });
}

FamilyEntry point_diagonal() {
  return point_entry<PointDiagonal>("point-diagonal", [](double d) { return d; });
}

FamilyEntry point_spherical() {
  FamilyEntry entry = family_entry_of<PointSpherical>("point-spherical");
  entry.has_one_scale = true;
  const auto make = [](const std::vector<double>& floors) -> std::unique_ptr<Components> {
    // One variance for all columns has one floor.
    const double average = std::accumulate(floors.begin(), floors.end(), 0.0) / static_cast<double>(floors.size());
    return std::make_unique<FamilyAdapter<PointSpherical>>(PointSpherical(floors.size(), average));
  };
  entry.point_estimates = {make, [](double /*d*/) { return 1.0; }};
  return entry;
}

}  // namespace

std::vector<FamilyEntry> known_families() {
  return {gaussian(),
          diagonal(),
          spherical(),
          student_of<Gaussian>(gaussian()),
          student_of<DiagonalGaussian>(diagonal()),
          student_of<SphericalGaussian>(spherical()),
          uninformative(),
          multinomial(),
          bernoulli(),
          family_entry_of<Centroid>("centroid"),
          family_entry_of<ModalGaussian>("modal-gaussian"),
          point_gaussian(),
          point_diagonal(),
          point_spherical()};
}

}  // namespace coppice::internal
