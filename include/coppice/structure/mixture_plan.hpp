// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A mixture that is sought (mixture_spec.hpp), worked out for the rows at hand: which families compete, under which
// priors, and how rows are taken.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "coppice/data/transform.hpp"
#include "coppice/partition/partition_prior.hpp"
#include "coppice/structure/mixture_spec.hpp"

namespace coppice::internal {

// OptionError if the options do not fit the families that they leave, DataError if the table does not.
void check_spec(const MixtureSpec& spec, const Dataset& data);

// Rows as they are clustered: without the columns that a fitted prior must not see; counts and bits as they are, other
// numbers less an origin.
struct ReadyRows {
  Rows rows;
  Transforms steps;  // from the table to them
};
[[nodiscard]] ReadyRows ready_rows(const Execution& execution, const MixtureSpec& spec, const Dataset& data);

struct MixturePlan {
  MixtureSpec spec;
  Rows rows;
  double total_weight = 0.0;
  bool are_numbers_measured = true;  // not counts or bits, whatever the family
  // Of the families that compete, in the order in which they should be searched: what is likely to win comes first,
  // since the others can then be given up early.
  std::vector<std::unique_ptr<AdjustablePrior>> priors = {};
  // Of a family whose evidence is cheap, for a start from far above (fine_start.hpp); none: that of the first family.
  std::unique_ptr<AdjustablePrior> fine = {};
  // Of clusters with heavy tails, each of which are tried from those of another family.
  std::vector<std::unique_ptr<AdjustablePrior>> heavy_tails = {};
  bool are_tails_asked_for = false;  // by name, so that no other family is wanted in the end
  std::unique_ptr<PartitionPrior> partition = {};
  std::vector<std::int32_t> start = {};  // a label per row, where a start is given

  // Whether rows are searched for structure, by families that compete under fitted priors or share rows; else one
  // family's clusters are searched in all rows from the beginning.
  [[nodiscard]] bool finds_structure() const;
  // The priors of all families that a labelling may be judged by.
  [[nodiscard]] std::vector<const AdjustablePrior*> priors_to_score() const;
};

// `spec` must have been checked. A table whose columns the uninformative family cannot take is a DataError here.
[[nodiscard]] MixturePlan make_plan(const Execution& execution, const MixtureSpec& spec, const Rows& rows);

}  // namespace coppice::internal
