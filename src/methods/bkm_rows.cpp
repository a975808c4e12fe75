// SPDX-License-Identifier: BSD-3-Clause
#include "methods/bkm_rows.hpp"

#include "methods/bkm_priors.hpp"
#include "methods/check_data.hpp"

namespace coppice {

namespace {

// Columns that a fitted prior must not see: the density of one that is constant has no limit. Priors and centres that
// are given by hand speak of all columns, so that these stay.
bool drops_constant_columns(const Dataset& data, const BayesianKMeans& method) {
  if (method.prior == "paper" || method.family == "uninformative" || method.m0 || method.b0) return false;
  if (is_discrete(competing_families(method, data).front())) return false;
  if (method.init && method.init->n_columns != 1) return false;
  const std::size_t n_constant = constant_columns(data).size();
  return n_constant > 0 && n_constant < data.n_columns();
}

}  // namespace

FittedTransforms ready_table(const Execution& execution, const Dataset& data, const BayesianKMeans& method) {
  if (!drops_constant_columns(data, method)) return {{}, data, {}};
  return fit_transforms(execution, parse_transforms("drop-constant"), data);
}

Rows ready_rows(const Execution& execution, const Dataset& data, const BayesianKMeans& method) {
  if (is_discrete(competing_families(method, data).front())) return {data, std::vector<double>(data.n_columns(), 0.0)};
  return {data, fixed_origin(execution, data)};
}

}  // namespace coppice
