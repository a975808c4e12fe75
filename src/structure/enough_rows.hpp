// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How many rows show all clusters. In a sample of a table with thousands of them, each has a row or two, and nothing is
// to be seen. So the rows around one of them are looked at as well, all that there are: they show how densely clusters
// lie there.

#include <cstddef>

#include "coppice/structure/fine_start.hpp"
#include "coppice/structure/mixture_plan.hpp"

namespace coppice::internal {

// The n rows (with weight) nearest to a centre (less the origin), with columns on one scale: dense rows.
[[nodiscard]] Dataset rows_around_one(const Execution& execution, const Rows& rows, std::span<const double> variance,
                                      std::span<const double> centre, std::size_t n);

// How many rows structure is to be searched in, if a sample of them has this start and columns of this variance, and
// the centre is one of its rows. 0: those of the sample will do.
[[nodiscard]] std::size_t enough_rows(const Execution& execution, const MixturePlan& plan, const FineStart& of_sample,
                                      std::span<const double> variance, std::span<const double> centre);

}  // namespace coppice::internal
