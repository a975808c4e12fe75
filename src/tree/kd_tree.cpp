// SPDX-License-Identifier: BSD-3-Clause
// The rows themselves are copied and moved, not only their numbers: a node is then a run of neighbours in memory, which
// kernels take straight from there. That takes the table's memory once more, and is what makes leaves cheap.

#include "coppice/tree/kd_tree.hpp"

#include <algorithm>
#include <numeric>

#include "coppice/runtime/error.hpp"
#include "coppice/runtime/for_each_block.hpp"
#include "coppice/runtime/format_text.hpp"
#include "tree/kd_tree_build.hpp"

namespace coppice {
using namespace internal;

std::size_t leaf_capacity(std::size_t stats_size, const Dataset& data) {
  // A leaf fills several vectors of a kernel at least.
  constexpr std::size_t least = 32;
  const std::size_t bytes_per_value = data.storage() == Storage::float32 ? sizeof(float) : sizeof(double);
  const std::size_t bytes_per_row = data.n_columns() * bytes_per_value;
  // With L rows in a leaf, 2 N / L nodes of 8 S bytes are half of N rows of R bytes if L = 32 S / R. Twice that fits
  // into a leaf, since nodes are cut in half.
  return std::max(least, (64 * stats_size + bytes_per_row - 1) / bytes_per_row);
}

namespace {

template <class Value>
std::vector<Value> copy_of(const Execution& execution, std::span<const Value> values) {
  std::vector<Value> copy(values.size());
  const Blocks blocks{.n_items = values.size(), .items_per_block = std::size_t{1} << 20U};
  for_each_block(execution, blocks, [&](const BlockRange& block) {
    const std::size_t first = block.first;
    std::ranges::copy(values.subspan(first, block.last - first), copy.begin() + static_cast<std::ptrdiff_t>(first));
  });
  return copy;
}

std::vector<double> reordered(const std::vector<double>& weights, std::span<const std::uint32_t> order) {
  std::vector<double> result;
  if (weights.empty()) return result;
  result.reserve(order.size());
  for (const std::uint32_t row : order) result.push_back(weights[row]);
  return result;
}

template <class Value>
std::pair<Dataset, TreeParts> cut(const Execution& execution, const Rows& rows, std::span<const Value> table,
                                  KdTree::Order& order, const CutRule& rule) {
  auto values = std::make_shared<std::vector<Value>>(copy_of(execution, table));
  TreeParts parts = build_tree(execution, *values, order, rows.origin(), rule);
  const void* first = values->data();
  std::vector<double> weights = reordered(rows.data().weights(), order);
  return {rows.data().with_rows_reordered(std::move(values), first, std::move(weights)), std::move(parts)};
}

}  // namespace

KdTree::KdTree(const Execution& execution, const Rows& rows, std::size_t leaf_capacity, std::span<const double> lengths)
    : rows_(rows) {
  if (rows.size() > most_tree_rows) {
    throw LimitError(format_text("a kd-tree takes at most {} rows, the table has {}; use {assign=naive}",
                                 most_tree_rows, rows.size()));
  }
  const CutRule rule{leaf_capacity, lengths};
  Order order(rows.size());
  std::iota(order.begin(), order.end(), 0U);
  auto [data, parts] = rows.data().storage() == Storage::float32
                           ? cut(execution, rows, rows.data().floats(), order, rule)
                           : cut(execution, rows, rows.data().doubles(), order, rule);
  // The same origin: labels and statistics of the tree compare with those of the table.
  rows_ = Rows(std::move(data), {rows.origin().begin(), rows.origin().end()});
  order_ = std::make_shared<const Order>(std::move(order));
  nodes_ = std::move(parts.nodes);
  subtrees_ = std::move(parts.subtrees);
  n_top_nodes_ = parts.n_top_nodes;
  depth_ = parts.depth;
}

std::vector<std::size_t> KdTree::leaves() const {
  std::vector<std::size_t> leaves;
  for (const Subtree& subtree : subtrees_) {
    if (is_leaf(subtree.root)) leaves.push_back(subtree.root);
    for (std::size_t node = subtree.begin; node < subtree.end; ++node) {
      if (is_leaf(node)) leaves.push_back(node);
    }
  }
  return leaves;
}

}  // namespace coppice
