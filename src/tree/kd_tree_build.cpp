// SPDX-License-Identifier: BSD-3-Clause
// Quickselect is not needed: a cut near the median serves as well as one at it, so the pivot is the median of up to 127
// values taken at regular steps, O(1) per node beside the partition. Every level goes through all rows once for the
// boxes and once for the partitions, O(N D + N) with log2(N / leaf) levels. Down to depth 6 all ranges of a level are
// cut side by side; below it every subtree is one task. Which thread does what is nowhere to be seen in the tree.
//
// Since steps go by the places of rows, shuffled rows may have another tree.

#include "tree/kd_tree_build.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "coppice/runtime/for_each_task.hpp"

namespace coppice::internal {

namespace {

struct Range {
  std::size_t first = 0;
  std::size_t last = 0;

  [[nodiscard]] std::size_t size() const noexcept { return last - first; }
};

// The rows on their way into the tree's order.
template <class Value>
class MovingRows {
 public:
  MovingRows(std::vector<Value>& values, std::vector<std::uint32_t>& order, std::size_t n_columns)
      : values_(values.data()), order_(order.data()), n_columns_(n_columns) {}

  [[nodiscard]] std::size_t n_columns() const noexcept { return n_columns_; }

  // Smallest and largest value of every column.
  // Tight boxes, of the rows and not of the cuts: what can be said about all rows in a box hangs on how small it is.
  void extent(const Range& range, Value* low, Value* high) const noexcept {
    const Value* row = values_ + range.first * n_columns_;
    std::copy_n(row, n_columns_, low);
    std::copy_n(row, n_columns_, high);
    for (std::size_t i = range.first + 1; i < range.last; ++i) {
      row += n_columns_;
      for (std::size_t c = 0; c < n_columns_; ++c) {
        low[c] = std::min(low[c], row[c]);
        high[c] = std::max(high[c], row[c]);
      }
    }
  }

  // Cuts the range near the median of a column that has at least two values; both sides get some rows.
  std::size_t cut(const Range& range, std::size_t column) noexcept {
    const Value pivot = median(range, column);
    const std::size_t below = partition(range, column, [&](Value value) { return value < pivot; });
    if (below - range.first >= std::max<std::size_t>(1, range.size() / 4)) return below;
    // Many rows share the pivot's value, or it is the smallest: they may as well go below.
    const std::size_t up_to = partition({below, range.last}, column, [&](Value value) { return value <= pivot; });
    const auto lighter_side = [&](std::size_t at) { return std::min(at - range.first, range.last - at); };
    return lighter_side(below) >= lighter_side(up_to) ? below : up_to;
  }

 private:
  // Exact for few rows, else of values taken at regular steps.
  [[nodiscard]] Value median(const Range& range, std::size_t column) const noexcept {
    constexpr std::size_t most = 127;
    std::array<Value, most> sample{};
    const std::size_t n = std::min(most, range.size());
    for (std::size_t i = 0; i < n; ++i) sample[i] = value(range.first + i * range.size() / n, column);
    const auto middle = sample.begin() + static_cast<std::ptrdiff_t>(n / 2);
    std::nth_element(sample.begin(), middle, sample.begin() + static_cast<std::ptrdiff_t>(n));
    return *middle;
  }

  // Rows for which the claim holds come first; returns where the others begin.
  template <class Claim>
  std::size_t partition(const Range& range, std::size_t column, const Claim& claim) noexcept {
    std::size_t first = range.first;
    std::size_t last = range.last;
    // Hoare's scheme: a row moves only if it is on the wrong side, and rows are long.
    for (;;) {
      while (first < last && claim(value(first, column))) ++first;
      while (first < last && !claim(value(last - 1, column))) --last;
      if (first == last) return first;
      swap_rows(first++, --last);
    }
  }

  [[nodiscard]] Value value(std::size_t row, std::size_t column) const noexcept {
    return values_[row * n_columns_ + column];
  }
  void swap_rows(std::size_t a, std::size_t b) noexcept {
    std::swap_ranges(values_ + a * n_columns_, values_ + (a + 1) * n_columns_, values_ + b * n_columns_);
    std::swap(order_[a], order_[b]);
  }

  Value* values_;
  std::uint32_t* order_;
  std::size_t n_columns_;
};

// Cuts one range after the other, each thread with memory of its own.
template <class Value>
class Cutter {
 public:
  Cutter(MovingRows<Value> rows, std::span<const double> origin, const CutRule& rule)
      : rows_(rows), origin_(origin), rule_(rule), low_(origin.size()), high_(origin.size()), box_(2 * origin.size()) {}

  // Appends the range's node and box; returns where the range was cut, or range.last if it is a leaf.
  std::size_t append(const Range& range, TreeParts& parts) {
    rows_.extent(range, low_.data(), high_.data());
    parts.nodes.append({static_cast<std::uint32_t>(range.first), static_cast<std::uint32_t>(range.last), 0, 0}, box());
    if (range.size() <= rule_.leaf_capacity) return range.last;
    const std::size_t widest = widest_column();
    return low_[widest] < high_[widest] ? rows_.cut(range, widest) : range.last;  // equal rows: a leaf, however many
  }

  // Appends the whole subtree of a range.
  void append_subtree(const Range& range, std::size_t depth, TreeParts& parts) {
    parts.depth = std::max(parts.depth, depth);
    const std::size_t node = parts.nodes.size();
    const std::size_t middle = append(range, parts);
    if (middle == range.last) return;
    append_subtree({range.first, middle}, depth + 1, parts);
    // Known only now: the right child comes behind all that is below the left one.
    parts.nodes.set_children(node, node + 1, parts.nodes.size());
    append_subtree({middle, range.last}, depth + 1, parts);
  }

 private:
  // From low_ to high_, less the origin.
  [[nodiscard]] Box box() {
    const std::size_t d = origin_.size();
    for (std::size_t c = 0; c < d; ++c) {
      box_[c] = static_cast<double>(low_[c]) - origin_[c];
      box_[d + c] = static_cast<double>(high_[c]) - origin_[c];
    }
    return {{box_.data(), d}, {box_.data() + d, d}};
  }
  [[nodiscard]] std::size_t widest_column() const noexcept {
    const auto side = [&](std::size_t c) { return rule_.measured(static_cast<double>(high_[c] - low_[c]), c); };
    std::size_t widest = 0;
    for (std::size_t c = 1; c < low_.size(); ++c) {
      // Of equally wide sides the first, so that the tree is always the same one.
      if (side(c) > side(widest)) widest = c;
    }
    return widest;
  }

  MovingRows<Value> rows_;
  std::span<const double> origin_;
  const CutRule& rule_;
  std::vector<Value> low_;
  std::vector<Value> high_;
  std::vector<double> box_;
};

// The tree above the fixed subtrees: level by level, the ranges of a level side by side, then the subtrees.
template <class Value>
class TopDown {
 public:
  TopDown(const Execution& execution, MovingRows<Value> rows, std::span<const double> origin, const CutRule& rule)
      : execution_(execution), rows_(rows), origin_(origin), rule_(rule) {}

  TreeParts build(std::size_t n_rows) {
    branches_.push_back({{0, n_rows}, 0});
    std::size_t begin = 0;
    for (std::size_t depth = 0; depth < KdTree::subtree_depth; ++depth) begin = cut_level(begin, depth);
    for (Branch& branch : branches_) make_room(branch);
    run(0, branches_.size(), [&](Cutter<Value>& cutter, Branch& branch) {
      if (branch.is_subtree()) cutter.append_subtree(branch.range, branch.depth, branch.parts);
    });
    TreeParts tree;
    tree.nodes.reserve(n_nodes(), origin_.size());
    append_top(tree);
    graft_subtrees(0, tree);
    return tree;
  }

 private:
  // A range above the subtrees, or the root of one.
  struct Branch {
    Range range;
    std::size_t depth = 0;
    std::size_t middle = 0;
    std::size_t left = 0;  // the right branch follows; 0: none
    TreeParts parts = {};  // the branch's own node, or its whole subtree

    [[nodiscard]] bool is_subtree() const noexcept { return left == 0; }
  };

  // Cuts the branches of one depth, which begin at `begin`; returns where the next depth begins.
  std::size_t cut_level(std::size_t begin, std::size_t depth) {
    const std::size_t end = branches_.size();
    run(begin, end,
        [&](Cutter<Value>& cutter, Branch& branch) { branch.middle = cutter.append(branch.range, branch.parts); });
    for (std::size_t i = begin; i < end; ++i) {
      const Range range = branches_[i].range;
      const std::size_t middle = branches_[i].middle;
      if (middle == range.last) {  // a leaf: the subtree that it makes up is appended later
        branches_[i].parts = {};
        continue;
      }
      branches_[i].left = branches_.size();
      branches_.push_back({{range.first, middle}, depth + 1});
      branches_.push_back({{middle, range.last}, depth + 1});
    }
    return end;
  }

  template <class Work>
  void run(std::size_t begin, std::size_t end, const Work& work) {
    for_each_task(execution_, {.count = end - begin}, [&](std::size_t i) {
      Cutter<Value> cutter(rows_, origin_, rule_);
      work(cutter, branches_[begin + i]);
    });
  }

  // By the thread that wants the memory back: what others allocate and this one frees is of use to those others alone.
  // Leaves are half full at least, or hold equal rows.
  void make_room(Branch& branch) const {
    if (!branch.is_subtree()) return;
    const std::size_t most_leaves = 2 * (branch.range.last - branch.range.first) / rule_.leaf_capacity + 1;
    branch.parts.nodes.reserve(2 * most_leaves, origin_.size());
  }

  [[nodiscard]] std::size_t n_nodes() const {
    std::size_t n = 0;
    for (const Branch& branch : branches_) n += branch.parts.nodes.size();
    return n;
  }

  // Branches are there level by level: their number is that of their node.
  void append_top(TreeParts& tree) {
    tree.n_top_nodes = branches_.size();
    for (const Branch& branch : branches_) {
      tree.nodes.append(branch.parts.nodes.node(0), branch.parts.nodes.box(0));
      if (!branch.is_subtree()) tree.nodes.set_children(tree.nodes.size() - 1, branch.left, branch.left + 1);
    }
  }

  // What is below the branches, from left to right.
  void graft_subtrees(std::size_t i, TreeParts& tree) {
    Branch& branch = branches_[i];
    if (!branch.is_subtree()) {
      graft_subtrees(branch.left, tree);
      graft_subtrees(branch.left + 1, tree);
      return;
    }
    const auto begin = static_cast<std::uint32_t>(tree.nodes.size());
    tree.nodes.graft(i, branch.parts.nodes);
    tree.depth = std::max(tree.depth, branch.parts.depth);
    tree.subtrees.push_back({static_cast<std::uint32_t>(i), begin, static_cast<std::uint32_t>(tree.nodes.size())});
    branch.parts = {};  // its memory is wanted elsewhere
  }

  const Execution& execution_;
  MovingRows<Value> rows_;
  std::span<const double> origin_;
  const CutRule& rule_;
  std::vector<Branch> branches_;
};

}  // namespace

template <class Value>
TreeParts build_tree(const Execution& execution, std::vector<Value>& values, std::vector<std::uint32_t>& order,
                     std::span<const double> origin, const CutRule& rule) {
  const MovingRows<Value> rows(values, order, origin.size());
  return TopDown<Value>(execution, rows, origin, rule).build(order.size());
}

template TreeParts build_tree(const Execution&, std::vector<float>&, std::vector<std::uint32_t>&,
                              std::span<const double>, const CutRule&);
template TreeParts build_tree(const Execution&, std::vector<double>&, std::vector<std::uint32_t>&,
                              std::span<const double>, const CutRule&);

}  // namespace coppice::internal
