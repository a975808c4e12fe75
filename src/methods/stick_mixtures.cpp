// SPDX-License-Identifier: BSD-3-Clause
#include "methods/stick_mixtures.hpp"

#include <set>

#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"
#include "coppice/structure/mixture_plan.hpp"
#include "methods/check_data.hpp"

namespace coppice::internal {

void check_stick_mixture(const Dataset& data, std::string_view method, const MixtureSpec& spec) {
  check_table(data, method);
  (void)check_row_counts(data);
  if (spec.family == "uninformative") {
    throw OptionError(
        format_text("{family=uninformative} has no proper prior, and what no component has yet is left to the prior; "
                    "use {family=gaussian}, or {method=bkm}"));
  }
  check_spec(spec, data);
  check_tree_rows(data, spec);
}

void check_start_size(std::span<const std::int32_t> labels, std::string_view option, std::size_t most) {
  const std::size_t k = std::set(labels.begin(), labels.end()).size();
  if (k <= most) return;
  throw OptionError(format_text("{init} has {} clusters, but {} is {}", k, coppice::option(option), most));
}

void count_used(Fit& fit) { fit.k_in_use = std::set(fit.labels.begin(), fit.labels.end()).size(); }

std::vector<Text> stick_mixture_warnings(const Dataset& data, std::string_view family) {
  std::vector<Text> warnings = constant_column_warnings(data);
  for (Text& warning : light_weight_warnings(data)) warnings.push_back(std::move(warning));
  if (has_one_scale(family)) {
    for (Text& warning : unlike_scale_warnings(data, "spherical clusters")) warnings.push_back(std::move(warning));
  }
  return warnings;
}

}  // namespace coppice::internal
