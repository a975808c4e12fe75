// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coppice/structure/mixture_plan.hpp"

namespace coppice::internal {

// Rows that structure is searched in: all if they are few and all different, else different ones (which depends on the
// table and the plan alone). In columns of measured numbers copies are no chance, and a row that is there five times is
// not a tight cluster of five: there no row weighs more than 1, and lighter ones less in proportion to the mean weight.
struct SearchedRows {
  Rows rows;
  bool has_lighter_copies = false;
};
[[nodiscard]] SearchedRows rows_to_search(const Execution& execution, const MixturePlan& plan);

}  // namespace coppice::internal
