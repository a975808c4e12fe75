// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The columns' means and variances, by which priors and starts are scaled, not led astray by wild values: one cell of
// 10^7 among ordinary numbers would be all that a variance knows of its column.
//
// A column has a core, the shortest interval that holds all rows but 1% of their weight, or but one row. Values farther
// from the core than three times its length are wild; and so are values of up to 10%, if 300 lengths of the core of all
// others lie between. Where there are any, they are taken to lie at the nearer end of all others. Clusters of more than
// 1% of the rows are not wild but at such a distance, and Gaussian columns have nothing wild, so that the moments of
// most tables are the plain ones. Columns of which one value is more than half, as in counts that are mostly zeros, are
// taken as they are: there the core would be that value; so are tables of less than 20 rows.

#include "coppice/data/rows.hpp"
#include "coppice/family/family.hpp"

namespace coppice::internal {

// Of all rows, means less the origin. Whole weights are copies, and neither the order of rows nor threads matter.
[[nodiscard]] ColumnMoments calm_moments(const Execution& execution, const Rows& rows);

// The rows less an origin (fixed_origin) that wild values have not drawn away.
[[nodiscard]] Rows rows_at_calm_origin(const Execution& execution, const Dataset& data);

}  // namespace coppice::internal
