// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/ordered_sum.hpp"

#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "runtime/assert.hpp"

namespace coppice {

namespace {

using Accumulator = std::vector<double>;

// A node of the binary tree over blocks: covers blocks index * 2^level up to (index + 1) * 2^level.
struct TreeNode {
  std::size_t level = 0;
  std::size_t index = 0;
  bool operator<(const TreeNode& other) const noexcept {
    return level != other.level ? level < other.level : index < other.index;
  }

  [[nodiscard]] bool is_left() const noexcept { return index % 2 == 0; }
  [[nodiscard]] TreeNode parent() const noexcept { return {level + 1, index / 2}; }
  [[nodiscard]] TreeNode sibling() const noexcept { return {level, is_left() ? index + 1 : index - 1}; }
  [[nodiscard]] bool exists(std::size_t n_blocks) const noexcept { return (index << level) < n_blocks; }
  [[nodiscard]] bool is_root(std::size_t n_blocks) const noexcept { return index == 0 && (1ULL << level) >= n_blocks; }
};

class Combiner {
 public:
  Combiner(std::size_t n_blocks, const OrderedSum& sum) : n_blocks_(n_blocks), sum_(sum) {}

  // A zeroed accumulator, re-used when one is free.
  Accumulator take() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        Accumulator accumulator = std::move(free_.back());
        free_.pop_back();
        std::ranges::fill(accumulator, 0.0);
        return accumulator;
      }
    }
    return Accumulator(sum_.size, 0.0);
  }

  // Combines a finished block with whatever neighbours are finished too, and parks the result for the next one.
  void finish(std::size_t block, Accumulator accumulator) {
    TreeNode node{0, block};
    while (!node.is_root(n_blocks_)) {
      if (node.sibling().exists(n_blocks_)) {
        std::optional<Accumulator> other = park_or_take(node, accumulator);
        if (!other) return;
        if (!node.is_left()) std::swap(accumulator, *other);
        sum_.merge(accumulator, *other);
        give_back(std::move(*other));
      }
      node = node.parent();
    }
    total_ = std::move(accumulator);
  }

  Accumulator total() {
    COPPICE_ASSERT(parked_.empty());
    return std::move(total_);
  }

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

  std::size_t n_blocks_;
  const OrderedSum& sum_;
  std::mutex mutex_;
  std::map<TreeNode, Accumulator> parked_;
  std::vector<Accumulator> free_;
  Accumulator total_;
};

}  // namespace

std::vector<double> ordered_sum(const Execution& execution, const Blocks& blocks, const OrderedSum& sum) {
  if (blocks.count() == 0) return std::vector<double>(sum.size, 0.0);
  Combiner combiner(blocks.count(), sum);
  execution.pool.run(blocks.count(), [&](std::size_t block, std::size_t worker) {
    throw_if_stopped(execution.stop);
    Accumulator accumulator = combiner.take();
    sum.add(accumulator, block, worker);
    combiner.finish(block, std::move(accumulator));
  });
  return combiner.total();
}

}  // namespace coppice
