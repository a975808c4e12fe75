// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The probability of every cluster for every row as a file. Pieces of it are written as they are computed: a table of
// many rows by many clusters is never in memory as a whole.

#include <cstddef>
#include <functional>
#include <string_view>

#include "coppice/model/model.hpp"
#include "coppice/write/labels.hpp"

namespace coppice::internal {

// `row,label,probability,p0,p1,...,p_new` (Model::probability_names()); a tab for the separator makes it TSV.
void write_all_probabilities_csv(const Model& model, const LabelledRows& rows, char separator,
                                 const std::function<void(std::string_view piece)>& write, std::size_t threads = 0);
// The probabilities alone, float64, one line per row.
void write_all_probabilities_npy(const Model& model, const Dataset& rows,
                                 const std::function<void(std::string_view piece)>& write, std::size_t threads = 0);

}  // namespace coppice::internal
