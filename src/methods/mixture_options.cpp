// SPDX-License-Identifier: BSD-3-Clause
#include "methods/mixture_options.hpp"

#include <fmt/format.h>

#include "coppice/data/constant_columns.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"
#include "coppice/structure/mixture_plan.hpp"
#include "methods/check_data.hpp"

namespace coppice::internal {

void check_search(const Dataset& data, std::string_view method, const MixtureSpec& spec) {
  check_table(data, method);
  (void)check_row_counts(data);
  check_cluster_count("k", spec.k, data);
  if (spec.k && spec.max_k && *spec.k > *spec.max_k) {
    throw OptionError(format_text("{k} is {}, but {max_k} is {}; k must not exceed it", *spec.k, *spec.max_k));
  }
  check_spec(spec, data);
  if (data.is_sparse() && spec.assign == AssignRule::kdtree) {
    throw OptionError(
        format_text("{assign=kdtree} needs dense rows, and these are sparse; use {assign=auto} or naive"));
  }
}

std::vector<Text> search_warnings(const Fit& fit, const Dataset& data, const MixtureSpec& spec) {
  std::vector<Text> warnings = constant_column_warnings(data);
  for (Text& warning : light_weight_warnings(data)) warnings.push_back(std::move(warning));
  if (has_one_scale(spec.family)) {
    for (Text& warning : unlike_scale_warnings(data, "spherical clusters")) warnings.push_back(std::move(warning));
  }
  const std::size_t k = fit.model.k();
  if (spec.k && k != *spec.k) {
    warnings.push_back(why_fewer_clusters(fit, *spec.k, data, "no cluster could be split further"));
  }
  if (spec.max_k && !spec.k && k == *spec.max_k) {
    warnings.push_back(format_text("the limit {} was reached; the data may hold more clusters", option("max_k", k)));
  }
  return warnings;
}

std::vector<Text> search_weight_warnings(SearchWeights weights, double weight) {
  if (weights == SearchWeights::copies_once) {
    return {
        fmt::format("most rows are there several times, or weigh as much, and not by chance: while structure was "
                    "searched every row counted once ({:.0f} in all)",
                    weight)};
  }
  if (weights == SearchWeights::masses) {
    return {
        fmt::format("weights with fractions do not count rows: structure was searched as among {:.1f} rows, which is "
                    "what they are worth",
                    weight)};
  }
  return {};
}

}  // namespace coppice::internal
