// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a fit over a front leaves on the table, from its model alone.

#include "coppice/infer/variational_step.hpp"
#include "coppice/methods/fit.hpp"
#include "coppice/runtime/local_execution.hpp"

namespace coppice::internal {

// The free energy of a fit's parameters where every row has shares of its own.
inline double bound_of_rows(const Fit& found, const Dataset& data) {
  LocalExecution local(1);
  const Model& model = found.model;
  const Rows rows(data, {model.origin().begin(), model.origin().end()});
  const Units units(rows);
  const auto clusters = model.components().clone();
  const Problem problem{units, model.components(), model.partition(), model.total_weight()};
  return variational_step(local.get(), problem, *clusters, model.stats()).bound;
}

}  // namespace coppice::internal
