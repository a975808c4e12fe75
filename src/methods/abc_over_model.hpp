// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coppice/methods/abc.hpp"
#include "coppice/structure/tree_search.hpp"

namespace coppice::internal {

// Where trees of these options are cut, and how they are grown.
[[nodiscard]] CutRule cut_rule(const AgglomerativeBayesian& method);
[[nodiscard]] AgglomerationOptions agglomeration_options(const AgglomerativeBayesian& method);

// The tree above the clusters of method.start_from. Rows are labelled by that model first, then by the level at which
// the tree is cut.
[[nodiscard]] Fit fit_over_model(const Dataset& data, const AgglomerativeBayesian& method, const RunOptions& run);

// OptionError if the model's clusters have no evidence, or if options say what the model brings.
void check_model(const AgglomerativeBayesian& method);

}  // namespace coppice::internal
