// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/family/normal_gamma.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coppice/kernels/special.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"

namespace coppice::internal {

namespace {

bool is_positive(double value) { return value > 0.0 && std::isfinite(value); }
bool is_variance(double value) { return value >= 0.0 && std::isfinite(value); }

}  // namespace

void check_prior(const NormalGamma& prior, std::size_t n_b0) {
  if (!is_positive(prior.xi0)) {
    throw OptionError(format_text("{xi0} is {}, but must be positive and finite", prior.xi0));
  }
  if (!(prior.eta0 >= least_freedom) || !std::isfinite(prior.eta0)) {
    throw OptionError(format_text("{eta0} is {}, but must be at least {} and finite", prior.eta0, least_freedom));
  }
  if (prior.b0.size() != n_b0 || !std::ranges::all_of(prior.b0, is_positive)) {
    throw OptionError(format_text("{b0} must hold {} positive and finite numbers", n_b0));
  }
  check_prior_mean(prior.m0);
  check_rounding(prior.rounding, prior.m0.size());
}

void check_prior_mean(std::span<const double> m0) {
  constexpr double most = 1e150;  // squares of distances from it are summed up
  for (std::size_t column = 0; column < m0.size(); ++column) {
    if (!(std::abs(m0[column]) <= most)) {
      throw OptionError(format_text("{m0} is {} from the data's centre in column {}, which is too far to be squared",
                                    m0[column], column + 1));
    }
  }
}

void check_rounding(std::span<const double> rounding, std::size_t n_columns) {
  if (rounding.empty()) return;
  if (rounding.size() != n_columns) {
    throw OptionError(fmt::format("{} columns need as many rounding errors, not {}", n_columns, rounding.size()));
  }
  for (const double value : rounding) {
    if (!is_variance(value)) {
      throw OptionError(fmt::format("a rounding error is {}, but must be a variance, 0 or positive", value));
    }
  }
}

double log_normalizer(double eta, double b) { return eta / 2.0 * std::log(2.0 / b) + kernels::log_gamma(eta / 2.0); }

NamedArrays to_arrays(const NormalGamma& prior) {
  NamedArrays arrays{{"m0", {{prior.m0.size()}, prior.m0}},
                     {"xi0", {{}, {prior.xi0}}},
                     {"eta0", {{}, {prior.eta0}}},
                     {"b0", {{prior.b0.size()}, prior.b0}}};
  if (!prior.rounding.empty()) arrays["rounding"] = {{prior.rounding.size()}, prior.rounding};
  return arrays;
}

const std::vector<double>& prior_array(const NamedArrays& arrays, const char* name, std::string_view family) {
  const auto found = arrays.find(name);
  if (found == arrays.end() || found->second.values.empty()) {
    throw DataError(fmt::format("the {} family's prior lacks the array {}", family, name));
  }
  return found->second.values;
}

std::vector<double> rounding_from(const NamedArrays& arrays, std::size_t n_columns, std::string_view family) {
  const auto found = arrays.find("rounding");
  if (found == arrays.end()) return {};
  const std::vector<double>& values = found->second.values;
  if (values.size() != n_columns || !std::ranges::all_of(values, is_variance)) {
    throw DataError(fmt::format("the {} family's rounding errors must be {} numbers from 0 on", family, n_columns));
  }
  return values;
}

NormalGamma normal_gamma_from(const NamedArrays& arrays, std::string_view family) {
  const std::vector<double>& m0 = prior_array(arrays, "m0", family);
  return {m0, prior_array(arrays, "xi0", family)[0], prior_array(arrays, "eta0", family)[0],
          prior_array(arrays, "b0", family), rounding_from(arrays, m0.size(), family)};
}

}  // namespace coppice::internal
