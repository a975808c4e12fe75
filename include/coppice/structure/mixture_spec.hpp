// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What kind of mixture is sought, in rules and numbers, before any row has been seen. Methods say it with their
// options; make_plan (mixture_plan.hpp) works out once what it means for the rows at hand, and searches take the plan.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "coppice/assign/assigner.hpp"
#include "coppice/infer/variational_bayes.hpp"
#include "coppice/partition/sticks.hpp"
#include "coppice/structure/auto_search.hpp"
#include "coppice/structure/family_catalogue.hpp"

namespace coppice::internal {

// The prior over partitions: finite Dirichlet, Dirichlet process, or sticks.
struct PartitionSpec {
  std::string name = "dirichlet";
  std::optional<double> phi0 = {};  // nothing: as suits the family
  double alpha = 1.0;
  StickPrior sticks = {};
  std::optional<std::size_t> truncation = {};  // sticks: broken so many times and no more
};

struct MixtureSpec {
  std::string family = "auto";
  PriorRequest prior = {};
  PartitionSpec partition = {};
  Moves moves = Moves::automatic;
  AssignRule assign = AssignRule::automatic;
  bool has_background = false;       // rows may belong to no cluster
  bool has_rivals = true;            // of measured columns, several kinds of Gaussian clusters compete
  bool shares_rows = false;          // every cluster has a share in every row: what counts is the soft bound alone
  SharedSteps shared_steps = {};     // in which they settle
  bool has_start = false;            // a start is given, so that no other is looked for
  bool starts_from_centres = false;  // it speaks of all columns, so that none may be dropped
  std::optional<std::size_t> k = {};
  std::optional<std::size_t> max_k = {};
  double min_size = 0.0;
  std::size_t restarts = 1;
  std::uint64_t seed = 0;
};

}  // namespace coppice::internal
