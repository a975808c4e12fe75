// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A label for every unit, a plain value. Over rows, summaries or a front it is a list of numbers; over a kd-tree it is
// kept as runs of equal labels in the tree's order, so that a pass over a million rows touches only the borders of
// clusters.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "coppice/tree/front.hpp"
#include "coppice/tree/kd_tree.hpp"

namespace coppice {

// Units up to (not including) `end` have this label, from where the run before ended.
struct LabelRun {
  std::uint32_t end = 0;
  std::int32_t label = 0;
  bool operator==(const LabelRun&) const = default;
};

class Labels {
 public:
  Labels() = default;
  // `front`: the units are those of a front, and rows have the labels of their units.
  explicit Labels(std::vector<std::int32_t> by_unit, std::shared_ptr<const Front> front = {})
      : by_unit_(std::move(by_unit)), front_(std::move(front)) {}
  // Neighbouring runs must differ in their labels. `order`: the row that stands at every place; null: places are rows.
  explicit Labels(std::vector<LabelRun> runs, std::shared_ptr<const KdTree::Order> order = {})
      : runs_(std::move(runs)), order_(std::move(order)) {}

  [[nodiscard]] std::size_t size() const noexcept { return runs_.empty() ? by_unit_.size() : runs_.back().end; }
  [[nodiscard]] bool are_runs() const noexcept { return !runs_.empty(); }
  [[nodiscard]] std::span<const LabelRun> runs() const noexcept { return runs_; }
  [[nodiscard]] std::span<const std::int32_t> list() const noexcept { return by_unit_; }
  [[nodiscard]] std::span<std::int32_t> list() noexcept { return by_unit_; }

  // The label of one unit (over a tree: by its place there).
  [[nodiscard]] std::int32_t at(std::size_t unit) const noexcept;
  // All labels in the order of the units (over a tree: in its order), and of the table's rows.
  [[nodiscard]] std::vector<std::int32_t> by_unit() const;
  [[nodiscard]] std::vector<std::int32_t> by_row() const;

  // Label c becomes new_label[c].
  void renumber(std::span<const std::int32_t> new_label);
  // Other runs over the same units.
  void set_runs(std::vector<LabelRun> runs) { runs_ = std::move(runs); }
  // Takes the label of `other`, which is of the same kind, wherever that is a chosen one.
  void overlay(const Labels& other, const std::vector<bool>& is_chosen);

  // Equal labels of equal kind.
  bool operator==(const Labels&) const = default;

 private:
  std::vector<std::int32_t> by_unit_;
  std::shared_ptr<const Front> front_;
  std::vector<LabelRun> runs_;
  std::shared_ptr<const KdTree::Order> order_;
};

// Labels of neighbouring units, as runs.
[[nodiscard]] Labels in_runs(std::span<const std::int32_t> labels, std::shared_ptr<const KdTree::Order> order = {});

// Calls use(n, label_a, label_b) for every stretch on which both labellings are constant.
template <class Use>
void for_each_stretch(std::span<const LabelRun> a, std::span<const LabelRun> b, const Use& use) {
  std::uint32_t at = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const std::uint32_t end = std::min(a[i].end, b[j].end);
    use(end - at, a[i].label, b[j].label);
    at = end;
    if (a[i].end == end) ++i;
    if (b[j].end == end) ++j;
  }
}

// How many units two labellings of one kind label differently.
[[nodiscard]] std::size_t count_changes(const Labels& a, const Labels& b);

// Writes runs from left to right.
class RunWriter {
 public:
  void reserve(std::size_t n_runs) { runs_.reserve(n_runs); }
  void append(std::size_t n_units, std::int32_t label) {
    if (n_units == 0) return;
    const auto end = static_cast<std::uint32_t>(size() + n_units);
    if (!runs_.empty() && runs_.back().label == label) {
      runs_.back().end = end;
    } else {
      runs_.push_back({end, label});
    }
  }
  void append(std::span<const std::int32_t> labels);
  void append(std::span<const LabelRun> runs);  // which count from 0
  [[nodiscard]] std::uint32_t size() const noexcept { return runs_.empty() ? 0 : runs_.back().end; }
  [[nodiscard]] std::vector<LabelRun> take() && { return std::move(runs_); }
  [[nodiscard]] std::span<const LabelRun> runs() const noexcept { return runs_; }

 private:
  std::vector<LabelRun> runs_;
};

// The label of one unit; -1 if there are no runs.
[[nodiscard]] std::int32_t label_at(std::span<const LabelRun> runs, std::size_t unit) noexcept;

// Reads runs from left to right.
class RunReader {
 public:
  // Starts at a unit. No runs: every label is -1.
  explicit RunReader(std::span<const LabelRun> runs, std::size_t unit = 0);

  // The label of a unit that is not before the one asked for last, and where its run ends.
  [[nodiscard]] LabelRun run_at(std::size_t unit) noexcept;
  void copy(std::size_t unit, std::span<std::int32_t> labels) noexcept;

 private:
  std::span<const LabelRun> runs_;
  std::size_t run_ = 0;
};

}  // namespace coppice
