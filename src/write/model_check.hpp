// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a model file claims, held against what a fit can have written: whoever edits one may have written anything. A
// model that passes gives finite answers.

#include "coppice/model/model.hpp"

namespace coppice::internal {

// Before the clusters are made of them: statistics that rows can have left, by array and index. DataError.
void check_parts(const ModelParts& parts);

// Afterwards: whether every cluster has evidence and a density, and a share among the others. DataError.
void check_answers(const Model& model);

}  // namespace coppice::internal
