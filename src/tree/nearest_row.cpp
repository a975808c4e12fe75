// SPDX-License-Identifier: BSD-3-Clause
// Depth first, the nearer child first, and no node whose box is no nearer than what has been found. Branch and bound
// finds nearest neighbours in a few leaves with few columns, and looks at nearly all rows with many.

#include "coppice/tree/nearest_row.hpp"

#include <algorithm>
#include <utility>

#include "coppice/kernels/least_distance.hpp"

namespace coppice::internal {

namespace {

class Query {
 public:
  Query(const KdTree& tree, std::span<const double> point, double limit)
      : tree_(tree), rows_(tree.rows()), point_(point), limit_(limit) {}

  double run() {
    visit(0, distance_to_box(0));
    return limit_;
  }

 private:
  void visit(std::size_t node, double distance) {
    if (distance >= limit_) return;
    if (tree_.is_leaf(node)) return visit_rows(node);
    std::pair near{distance_to_box(tree_.left(node)), tree_.left(node)};
    std::pair far{distance_to_box(tree_.right(node)), tree_.right(node)};
    if (far.first < near.first) std::swap(near, far);
    visit(near.second, near.first);
    visit(far.second, far.first);
  }

  void visit_rows(std::size_t leaf) {
    // Rows that are all equal are one leaf, however many: without this a query at such a place would go through every
    // copy in vain.
    const Box box = tree_.box(leaf);
    if (std::ranges::equal(box.low, point_) && std::ranges::equal(box.high, point_)) return;  // copies of the query
    const std::size_t first = tree_.node(leaf).first;
    const std::size_t skipped = first * point_.size();
    const Dataset& data = rows_.data();
    const double* weights = rows_.are_weighted() ? data.weights().data() + first : nullptr;
    const auto least = [&](const auto* values) {
      return kernels::least_distance(values + skipped, tree_.n_rows(leaf), rows_.origin(), point_, weights, limit_);
    };
    limit_ = data.storage() == Storage::float32 ? least(data.floats().data()) : least(data.doubles().data());
  }

  [[nodiscard]] double distance_to_box(std::size_t node) const {
    const Box box = tree_.box(node);
    double sum = 0.0;
    for (std::size_t c = 0; c < point_.size(); ++c) {
      const double t = std::max({box.low[c] - point_[c], point_[c] - box.high[c], 0.0});
      sum += t * t;
    }
    return sum;
  }

  const KdTree& tree_;
  const Rows& rows_;
  std::span<const double> point_;
  double limit_;
};

}  // namespace

double nearest_different_row(const KdTree& tree, std::span<const double> point, double limit) {
  return Query(tree, point, limit).run();
}

}  // namespace coppice::internal
