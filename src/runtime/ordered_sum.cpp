// SPDX-License-Identifier: BSD-3-Clause
// Sums of floating-point numbers hang on their order, so the order is fixed: blocks of a fixed size, combined in a
// binary tree over their numbers, 0 with 1, 2 with 3, then those two, and so on. Threads decide who adds and when,
// never what to what. Whoever finishes the second of two siblings combines them and climbs: few accumulators are alive
// at a time, and nobody waits. Ranks do the same as far as their own complete subtrees go, exchange those, and climb
// the rest, each by itself.

#include "coppice/runtime/ordered_sum.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "coppice/runtime/assert.hpp"
#include "runtime/global_blocks.hpp"

namespace coppice {
using namespace internal;

namespace {

using Accumulator = std::vector<double>;

// A node of the binary tree over blocks: covers blocks index * 2^level up to (index + 1) * 2^level.
struct TreeNode {
  std::size_t level = 0;
  std::size_t index = 0;
  auto operator<=>(const TreeNode&) const = default;

  [[nodiscard]] std::size_t first() const noexcept { return index << level; }
  [[nodiscard]] bool is_left() const noexcept { return index % 2 == 0; }
  [[nodiscard]] TreeNode parent() const noexcept { return {level + 1, index / 2}; }
  [[nodiscard]] TreeNode sibling() const noexcept { return {level, is_left() ? index + 1 : index - 1}; }
  [[nodiscard]] TreeNode left() const noexcept { return {level - 1, 2 * index}; }
  [[nodiscard]] TreeNode right() const noexcept { return {level - 1, 2 * index + 1}; }
};

// The largest complete subtrees inside a range of blocks, from left to right.
std::vector<TreeNode> complete_subtrees(std::size_t first, std::size_t last) {
  std::vector<TreeNode> nodes;
  while (first < last) {
    const auto most = static_cast<std::size_t>(std::bit_width(last - first)) - 1;
    // A subtree of 2^level blocks begins at a multiple of that.
    const std::size_t level = first == 0 ? most : std::min(most, static_cast<std::size_t>(std::countr_zero(first)));
    nodes.push_back({level, first >> level});
    first += std::size_t{1} << level;
  }
  return nodes;
}

using Subtrees = std::map<TreeNode, Accumulator>;

// Combines the blocks of this process as far as complete subtrees go.
class Combiner {
 public:
  explicit Combiner(const GrowingSum& sum) : sum_(sum) {}

  // An empty accumulator, re-used when one is free.
  Accumulator take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return {};
    Accumulator accumulator = std::move(free_.back());
    free_.pop_back();
    accumulator.clear();
    return accumulator;
  }

  // Combines a finished block with whatever neighbours are finished too, and parks the result for the next one. What
  // stays parked for good has its sibling in another process, or none.
  void finish(std::size_t block, Accumulator accumulator) {
    TreeNode node{0, block};
    while (std::optional<Accumulator> other = park_or_take(node, accumulator)) {
      // The left one first, whoever came last: merging need not be symmetric to the last bit.
      if (!node.is_left()) std::swap(accumulator, *other);
      sum_.merge(accumulator, *other);
      give_back(std::move(*other));
      node = node.parent();
    }
  }

  Subtrees subtrees() { return std::move(parked_); }

 private:
  std::optional<Accumulator> park_or_take(TreeNode node, Accumulator& accumulator) {
    const std::lock_guard lock(mutex_);
    const auto other = parked_.find(node.sibling());
    if (other == parked_.end()) {
      parked_.emplace(node, std::move(accumulator));
      return std::nullopt;
    }
    Accumulator taken = std::move(other->second);
    parked_.erase(other);
    return taken;
  }

  void give_back(Accumulator accumulator) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(accumulator));
  }

  const GrowingSum& sum_;
  std::mutex mutex_;
  Subtrees parked_;
  std::vector<Accumulator> free_;
};

// The sum of a node, whose complete subtrees are given; what is beyond the last block does not exist.
Accumulator climb(TreeNode node, std::size_t n_blocks, Subtrees& subtrees, const GrowingSum& sum) {
  if (const auto found = subtrees.find(node); found != subtrees.end()) return std::move(found->second);
  COPPICE_ASSERT(node.level > 0);
  Accumulator total = climb(node.left(), n_blocks, subtrees, sum);
  if (node.right().first() < n_blocks) sum.merge(total, climb(node.right(), n_blocks, subtrees, sum));
  return total;
}

// The subtrees of this process, each behind its length.
std::vector<double> message_of(const Subtrees& subtrees, const GlobalBlocks::Range& mine) {
  std::vector<double> message;
  for (const TreeNode& node : complete_subtrees(mine.first, mine.last)) {
    const Accumulator& accumulator = subtrees.at(node);
    message.push_back(static_cast<double>(accumulator.size()));
    message.insert(message.end(), accumulator.begin(), accumulator.end());
  }
  return message;
}

void take_message(std::span<const double> message, const GlobalBlocks::Range& range, Subtrees& subtrees) {
  for (const TreeNode& node : complete_subtrees(range.first, range.last)) {
    const auto values = message.subspan(1, static_cast<std::size_t>(message.front()));
    subtrees[node].assign(values.begin(), values.end());
    message = message.subspan(1 + values.size());
  }
}

}  // namespace

std::vector<double> ordered_sum(const Execution& execution, const Blocks& blocks, const GrowingSum& sum) {
  const GlobalBlocks global(execution, blocks);
  if (global.count() == 0) return {};
  Combiner combiner(sum);
  std::optional<StopReason> reason;
  try {
    execution.pool.run(blocks.count(), [&](std::size_t block, std::size_t worker) {
      throw_if_stopped(execution.stop);
      Accumulator accumulator = combiner.take();
      sum.add(accumulator, block, worker);
      combiner.finish(global.mine().first + block, std::move(accumulator));
    });
  } catch (const Stopped& stopped) {
    if (execution.communicator.is_alone()) throw;
    reason = stopped.reason();  // for all to hear
  }
  Subtrees subtrees = combiner.subtrees();
  if (!execution.communicator.is_alone()) {
    const std::vector<double> message = reason ? std::vector<double>{} : message_of(subtrees, global.mine());
    const Communicator::Gathered all = execution.communicator.gather(message, reason);
    // This rank's own as well: all ranks climb from the same numbers.
    for (std::size_t rank = 0; rank < all.size(); ++rank) take_message(all[rank], global.of_rank(rank), subtrees);
  }
  return climb({static_cast<std::size_t>(std::bit_width(global.count() - 1)), 0}, global.count(), subtrees, sum);
}

std::vector<double> ordered_sum(const Execution& execution, const Blocks& blocks, const OrderedSum& sum) {
  const auto add = [&](Accumulator& accumulator, std::size_t block, std::size_t worker) {
    accumulator.assign(sum.size, 0.0);
    sum.add(accumulator, block, worker);
  };
  std::vector<double> total = ordered_sum(execution, blocks, GrowingSum{.add = add, .merge = sum.merge});
  total.resize(sum.size);  // there may be no blocks
  return total;
}

}  // namespace coppice
