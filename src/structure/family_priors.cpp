// SPDX-License-Identifier: BSD-3-Clause
// Priors of families that the catalogue knows: which numbers they take, and what they are made from.
#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "coppice/data/distinct_sample.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"
#include "coppice/structure/family_catalogue.hpp"
#include "coppice/structure/rounding.hpp"

namespace coppice {
using namespace internal;

namespace {

constexpr std::size_t rows_for_rounding = 10000;  // show the grid of a column

void check_alone(const FamilyEntry& family, bool is_given, std::string_view number, std::string_view owner) {
  if (!is_given || family.takes_number(number)) return;
  throw OptionError(format_text("{} is for {} alone", option(number), option("family", std::string(owner))));
}

bool has_any_shape(const FamilyEntry& family) { return !family.scales_columns && !family.has_one_scale; }

}  // namespace

PriorSource::PriorSource(const Execution& execution, const Rows& rows, PriorRequest request)
    : execution_(execution), unstopped_(execution.unstoppable()), rows_(rows), request_(std::move(request)) {}

const GaussianShape& PriorSource::shape() const {
  if (shape_) return *shape_;
  GaussianShape shape = gaussian_shape(unstopped_, rows_);
  const Rows sample(distinct_sample(unstopped_, rows_.data(), rows_for_rounding),
                    {rows_.origin().begin(), rows_.origin().end()});
  // Even if stopped: a prior is needed to finish with.
  shape.rounding = rounding_variances(unstopped_, sample);
  const bool are_all = sample.size() < rows_for_rounding;
  if (request_.use != PriorUse::agglomeration && are_all) shape.n_different = sample.size();
  shape.xi0 = request_.xi0;
  shape.eta0 = request_.eta0;
  shape.b0 = request_.b0;
  for (std::size_t i = 0; i < request_.m0.size(); ++i) shape.mean[i] = request_.m0[i] - rows_.origin()[i];
  shape.varies_in_scale = request_.use == PriorUse::search;
  shape.is_round = has_little_to_tell_scales(shape) && vary_alike(shape.variance);
  return shape_.emplace(std::move(shape));
}

// A search asks that of families that compete alone: by itself, each but the spherical one is what it is in any units.
bool PriorSource::has_little_to_tell_scales(const GaussianShape& shape) const {
  if (request_.use == PriorUse::agglomeration) return has_few_rows(rows_.data());
  return request_.has_rivals && is_wide(shape);
}

void check_request(const FamilyEntry& family, const PriorRequest& request) {
  check_alone(family, request.psi0.has_value(), "psi0", "multinomial");
  check_alone(family, request.omega0.has_value(), "omega0", "bernoulli");
  const bool has_mean = request.xi0 || request.eta0 || !request.m0.empty();
  const bool has_b0 = !request.b0.empty();
  if (family.columns != ColumnsTaken::real && (has_mean || has_b0) && !family.takes_number("xi0")) {
    throw OptionError(format_text("{xi0}, {eta0}, {m0} and {b0} are for Gaussian clusters, not for {}",
                                  option("family", family.name)));
  }
  if (request.rule == PriorRule::paper && !family.has_paper_rule) {
    throw OptionError(format_text("{prior=paper} is a rule for {family=gaussian}, not for {}", family.name));
  }
  if (has_b0 && !family.takes_number("b0")) {
    throw OptionError(format_text("{b0} is a matrix for {family=gaussian}, not for {}", family.name));
  }
  if (has_mean && !family.takes_number("xi0")) {
    throw OptionError(
        format_text("{} has no prior to be set: leave out {xi0}, {eta0} and {m0}", option("family", family.name)));
  }
}

std::unique_ptr<AdjustablePrior> make_prior(const FamilyEntry& family, const PriorSource& source) {
  if (!family.make_prior) {
    throw OptionError(fmt::format("no fit can ask for the family '{}': there is no rule for its prior", family.name));
  }
  std::unique_ptr<AdjustablePrior> prior = family.make_prior(source);
  if (prior->family() == family.name) return prior;  // a model of it is loaded by that name
  throw std::logic_error(
      fmt::format("the family '{}' was registered with a prior of the family '{}'", family.name, prior->family()));
}

std::vector<std::unique_ptr<AdjustablePrior>> make_priors(std::span<const std::string> families,
                                                          const PriorSource& source) {
  std::vector<std::unique_ptr<AdjustablePrior>> priors;
  for (const std::string& name : families) {
    const FamilyEntry& family = family_entry(name);
    // Columns that vary alike need no scales of their own.
    if (families.size() > 1 && family.scales_columns && source.shape().is_round) continue;
    if (families.size() > 1 && has_any_shape(family) && is_mean_much_of_evidence(source.shape())) continue;
    priors.push_back(make_prior(family, source));
  }
  return priors;
}

}  // namespace coppice
