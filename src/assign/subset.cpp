// SPDX-License-Identifier: BSD-3-Clause
// Members of clusters, as lists of units or, where units are a tree's rows, as pieces of its order; labels likewise as
// a list or as runs. With runs, work goes by their number and not by that of the rows: clusters that own whole boxes
// have few.

#include "coppice/assign/subset.hpp"

#include <algorithm>

#include "coppice/runtime/assert.hpp"

namespace coppice {

Subset::Subset(const Units& units, std::span<const TreePiece> pieces) : units_(units), pieces_(pieces) {
  for (const TreePiece& piece : pieces) size_ += piece.size();
}

std::vector<std::size_t> Subset::members() const {
  std::vector<std::size_t> members(list_.begin(), list_.end());
  members.reserve(size_);
  for (std::size_t unit = 0; is_all_ && unit < size_; ++unit) members.push_back(unit);
  for (const TreePiece& piece : pieces_) {
    for (std::size_t row = piece.first; row < piece.last; ++row) members.push_back(row);
  }
  return members;
}

namespace {

// The labels with those of `units` first..last-1 replaced, asked for from left to right.
class RunPatcher {
 public:
  explicit RunPatcher(std::span<const LabelRun> runs) : runs_(runs) {}

  void replace(std::uint32_t first, std::uint32_t last, std::int32_t label) {
    keep_up_to(first);
    patched_.append(last - first, label);
  }
  std::vector<LabelRun> take() && {
    keep_up_to(runs_.back().end);
    return std::move(patched_).take();
  }

 private:
  void keep_up_to(std::uint32_t end) {
    while (patched_.size() < end) {
      while (runs_[run_].end <= patched_.size()) ++run_;
      patched_.append(std::min(end, runs_[run_].end) - patched_.size(), runs_[run_].label);
    }
  }

  std::span<const LabelRun> runs_;
  std::size_t run_ = 0;
  RunWriter patched_;
};

}  // namespace

void Subset::relabel(const Labels& sides, std::int32_t new_label, Labels& labels) const {
  COPPICE_ASSERT(sides.size() == size_);
  if (!labels.are_runs()) {
    for (std::size_t i = 0; i < size_; ++i) {
      if (sides.list()[i] == 1) labels.list()[unit(i)] = new_label;
    }
    return;
  }
  RunPatcher patcher(labels.runs());
  RunReader reader(sides.runs());
  std::size_t position = 0;
  // Pieces go from left to right, and so do the runs: both are gone through once.
  const auto patch = [&](std::uint32_t first, std::uint32_t last) {
    while (first < last) {
      const LabelRun run = reader.run_at(position);
      const auto n = static_cast<std::uint32_t>(std::min<std::size_t>(last - first, run.end - position));
      if (run.label == 1) patcher.replace(first, first + n, new_label);
      first += n;
      position += n;
    }
  };
  if (is_all()) patch(0, static_cast<std::uint32_t>(size_));
  for (const TreePiece& piece : pieces_) patch(piece.first, piece.last);
  labels.set_runs(std::move(patcher).take());
}

Members::Members(const Units& units, const Labels& labels, std::size_t k) : units_(units), begin_(k + 1, 0) {
  if (!units.are_in_tree()) {
    const auto list = labels.list();
    // A counting sort, O(N + K): the members of a cluster stay in the order of the units.
    for (const std::int32_t label : list) ++begin_[static_cast<std::size_t>(label) + 1];
    for (std::size_t c = 0; c < k; ++c) begin_[c + 1] += begin_[c];
    list_.resize(list.size());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for (std::size_t unit = 0; unit < list.size(); ++unit) list_[next[static_cast<std::size_t>(list[unit])]++] = unit;
    return;
  }
  const KdTree& tree = units.tree().tree;
  std::vector<std::vector<TreePiece>> of_cluster(k);
  RunReader reader(labels.runs());
  // Subtree by subtree and not from the root: pieces are to be summed up in the parts that threads share out, whatever
  // their number.
  for (std::uint32_t subtree = 0; subtree < tree.subtrees().size(); ++subtree) {
    for_each_piece(tree, subtree, reader, [&](const TreePiece& piece, std::int32_t label) {
      of_cluster[static_cast<std::size_t>(label)].push_back(piece);
    });
  }
  for (std::size_t c = 0; c < k; ++c) {
    pieces_.insert(pieces_.end(), of_cluster[c].begin(), of_cluster[c].end());
    begin_[c + 1] = pieces_.size();
  }
}

Subset Members::of(std::size_t cluster) const noexcept {
  const std::size_t begin = begin_[cluster];
  const std::size_t count = begin_[cluster + 1] - begin;
  if (units_.are_in_tree()) return {units_, std::span(pieces_).subspan(begin, count)};
  return {units_, std::span(list_).subspan(begin, count)};
}

namespace {

// Which clusters of two labellings meet where.
class Meetings {
 public:
  Meetings(std::size_t k_before, std::size_t k_now) : sizes_before_(k_before, 0), of_now_(k_now) {}

  void add(std::size_t n_units, std::int32_t before, std::int32_t now) {
    sizes_before_[static_cast<std::size_t>(before)] += n_units;
    Cluster& cluster = of_now_[static_cast<std::size_t>(now)];
    if (cluster.size > 0 && cluster.before != before) cluster.is_mixed = true;
    cluster.before = before;
    cluster.size += n_units;
  }

  [[nodiscard]] std::vector<std::int32_t> same() const {
    std::vector<std::int32_t> result;
    for (const Cluster& cluster : of_now_) {
      const bool is_same = cluster.size > 0 && !cluster.is_mixed &&
                           cluster.size == sizes_before_[static_cast<std::size_t>(cluster.before)];
      result.push_back(is_same ? cluster.before : -1);
    }
    return result;
  }

 private:
  struct Cluster {
    std::int32_t before = -1;
    std::size_t size = 0;
    bool is_mixed = false;
  };
  std::vector<std::size_t> sizes_before_;
  std::vector<Cluster> of_now_;
};

}  // namespace

std::vector<std::int32_t> same_clusters(const Units& units, const Labels& before, std::size_t k_before,
                                        const Labels& now, std::size_t k_now) {
  Meetings meetings(k_before, k_now);
  // Runs count rows. Where rows can be without weight, each has to be asked.
  const bool are_weighted = !units.are_rows() || units.rows().are_weighted();
  if (before.are_runs() && !are_weighted) {
    for_each_stretch(before.runs(), now.runs(), [&](std::size_t n, std::int32_t label_before, std::int32_t label_now) {
      meetings.add(n, label_before, label_now);
    });
    return meetings.same();
  }
  const std::vector<std::int32_t> by_unit_before = before.by_unit();
  const std::vector<std::int32_t> by_unit_now = now.by_unit();
  for (std::size_t unit = 0; unit < by_unit_now.size(); ++unit) {
    if (!are_weighted || units.weight(unit) > 0.0) meetings.add(1, by_unit_before[unit], by_unit_now[unit]);
  }
  return meetings.same();
}

}  // namespace coppice
