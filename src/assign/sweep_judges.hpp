// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Judges of a sweep over a tree (tree_sweep.hpp): the cost of clusters, or the sides of a plane.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "assign/plane_sides.hpp"
#include "assign/tree_sweep.hpp"

namespace coppice::internal {

class ClusterJudge {
 public:
  ClusterJudge(const Components& components, std::span<const double> offsets)
      : components_(components), offsets_(offsets), boxes_(components.box_test(offsets)) {}

  [[nodiscard]] std::size_t n_candidates() const { return components_.size(); }
  void prune(const KdTree& tree, std::span<NodeCandidates> nodes, std::vector<double>& scratch) const {
    // A family without a test of boxes leaves every candidate in: every node is opened, and labels are right all the
    // same.
    if (boxes_) prune_boxes(*boxes_, 0.0, tree, nodes, scratch);
  }
  void rows(RowBlock& block, std::span<const std::int32_t> candidates, const Nearest& out,
            SweepWorkspace& workspace) const {
    components_.nearest(offsets_, candidates, block, out, workspace.nearest);
  }

 private:
  const Components& components_;
  std::span<const double> offsets_;
  std::unique_ptr<BoxTest> boxes_;
};

class PlaneJudge {
 public:
  explicit PlaneJudge(const Plane& plane) : sides_(plane) {}

  [[nodiscard]] static std::size_t n_candidates() { return 2; }
  void prune(const KdTree& tree, std::span<NodeCandidates> nodes, std::vector<double>& /*scratch*/) const {
    for (NodeCandidates& at : nodes) {
      const PlaneSides::Reach reach = sides_.reach(tree.box(at.node));
      // The same comparison as for rows, >= 0 is side 0, so that a box and its rows agree.
      const bool is_cut = reach.low < 0.0 && reach.high >= 0.0;
      if (!is_cut) at.candidates[0] = reach.low >= 0.0 ? 0 : 1;
      at.n = is_cut ? 2 : 1;
    }
  }
  void rows(RowBlock& block, std::span<const std::int32_t> /*candidates*/, const Nearest& out,
            SweepWorkspace& /*workspace*/) const {
    sides_.rows(block, out.labels);
  }

 private:
  PlaneSides sides_;
};

}  // namespace coppice::internal
