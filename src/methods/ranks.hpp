// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Fits that several processes make together, each with its own rows (runtime/communicator.hpp): what has to be known of
// all rows before the first sum.

#include <vector>

#include "coppice/data/dataset.hpp"
#include "coppice/infer/journal.hpp"
#include "coppice/runtime/communicator.hpp"

namespace coppice::internal {

// A small table that stands for the rows of all ranks in checks and warnings: the least and the greatest values of
// every rank's rows, which weigh together what those weigh. Its columns have the kinds that fit all rows. Collective:
// OptionError where rows are sparse, words or incomplete; DataError if columns differ in number, or if a rank's values
// or weights are too large or too small (data/squares.hpp).
[[nodiscard]] Dataset digest_of_ranks(const Communicator& ranks, const Dataset& mine);

[[nodiscard]] std::vector<ColumnKind> kinds_of(const Dataset& data);

// The weight of all rows, added up one row after the other as on a single rank. Collective.
[[nodiscard]] double total_weight(const Communicator& ranks, const Dataset& mine);

// Observers of several ranks: if one has seen enough, all have.
[[nodiscard]] JournalOptions in_step(const Communicator& ranks, JournalOptions options);

}  // namespace coppice::internal
