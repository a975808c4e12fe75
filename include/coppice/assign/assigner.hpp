// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Who belongs where, sweep after sweep. An assigner has the units of a fit, gives each its cluster of least cost, may
// remember what it learned in one sweep for the next, and says in the end what it did and why. What it remembers it
// checks against the labels that it is handed: clusters may have been split, merged or renumbered since, or the sweep
// before may have been a trial that was taken back (same_clusters in part.hpp tells who is still the same).

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "coppice/assign/assign.hpp"
#include "coppice/runtime/text.hpp"

namespace coppice {

// A front of a tree whose nodes' rows share alike: nodes and single rows, and what that costs the objective.
struct FrontReport {
  std::size_t nodes = 0;
  std::size_t rows = 0;
  double gap = 0.0;  // by how much it would fall, per weight, if every row had shares of its own
};

// How rows found their cluster, in the words of the option, and why so.
struct AssignReport {
  std::string used;
  Text why;  // such as "asked for"
  std::optional<FrontReport> front = {};
};

class Assigner {
 public:
  Assigner() = default;
  Assigner(const Assigner&) = delete;
  Assigner& operator=(const Assigner&) = delete;
  virtual ~Assigner() = default;

  [[nodiscard]] virtual const Units& units() const noexcept = 0;
  // Gives every unit its cluster of least cost + offset. `present` decides ties.
  [[nodiscard]] virtual Assignment sweep(const Execution& execution, const Components& clusters,
                                         std::span<const double> offsets, const Labels& present) = 0;
  // From here on clusters of another family or prior: counts begin anew, and nothing that was learned is used.
  virtual void forget() {}
  // Over a tree: whether every sweep must go down its nodes, even where taking rows one by one is less work.
  [[nodiscard]] virtual bool keeps_to_nodes() const noexcept { return false; }
  [[nodiscard]] virtual AssignReport report() const = 0;
};

enum class AssignRule : std::uint8_t { automatic, naive, kdtree, bounds };

// How the rows of a fit are to find their clusters.
struct AssignChoice {
  AssignRule rule = AssignRule::automatic;
  // Clusters share rows (a mixture's expectations): a tree then ties the rows of every leaf together, which is an
  // approximation, so that it has to be asked for.
  bool is_soft = false;
  std::size_t k = 0;  // the number of clusters, if it stays the same and they are centres: for distance bounds
};
// By the words auto, naive, kdtree and bounds.
[[nodiscard]] AssignRule assign_rule(std::string_view word);

// The rows as the choice wants them: as they are, or in a kd-tree that is built here, if it is asked for or pays. A
// stop on the way leaves the rows as they are. Keep the rows while the assigner is in use.
[[nodiscard]] std::unique_ptr<Assigner> make_assigner(const Execution& execution, const Rows& rows,
                                                      const Components& family, const AssignChoice& choice = {});

// Units that are there already: one by one, or, in a tree, down its nodes as long as that is less work.
[[nodiscard]] std::unique_ptr<Assigner> make_assigner(const Units& units);

// Some rows of units in content order, from which splits of heavy clusters start; none if there is no time for that.
[[nodiscard]] std::vector<std::size_t> sample_of(const Execution& execution, const Units& units);

}  // namespace coppice
