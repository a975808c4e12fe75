// SPDX-License-Identifier: BSD-3-Clause
// Labels over a tree are runs of equal labels, since clusters own whole stretches of its order: comparing, renumbering
// and overlaying two labellings then take time by the number of runs and not of rows. Runs are always the longest there
// are (RunWriter joins equal neighbours), so that equal labellings have equal runs.

#include "coppice/assign/labels.hpp"

#include <algorithm>

#include "coppice/runtime/assert.hpp"

namespace coppice {

namespace {

std::size_t run_of(std::span<const LabelRun> runs, std::size_t unit) noexcept {
  const auto found = std::ranges::upper_bound(runs, unit, {}, [](const LabelRun& run) { return std::size_t{run.end}; });
  return static_cast<std::size_t>(found - runs.begin());
}

}  // namespace

std::int32_t label_at(std::span<const LabelRun> runs, std::size_t unit) noexcept {
  return runs.empty() ? -1 : runs[run_of(runs, unit)].label;
}

std::int32_t Labels::at(std::size_t unit) const noexcept { return are_runs() ? label_at(runs_, unit) : by_unit_[unit]; }

std::vector<std::int32_t> Labels::by_unit() const {
  if (!are_runs()) return by_unit_;
  std::vector<std::int32_t> labels(size());
  RunReader(runs_).copy(0, labels);
  return labels;
}

std::vector<std::int32_t> Labels::by_row() const {
  // Three forms: a label per unit of a front, runs in a tree's order, or one label per row.
  if (front_) return front_->by_row(by_unit_);
  if (!order_) return by_unit();
  std::vector<std::int32_t> labels(size());
  std::size_t at = 0;
  for (const LabelRun& run : runs_) {
    for (; at < run.end; ++at) labels[(*order_)[at]] = run.label;
  }
  return labels;
}

void Labels::renumber(std::span<const std::int32_t> new_label) {
  for (std::int32_t& label : by_unit_) label = new_label[static_cast<std::size_t>(label)];
  if (!are_runs()) return;
  RunWriter renumbered;
  for (const LabelRun& run : runs_) {
    renumbered.append(run.end - renumbered.size(), new_label[static_cast<std::size_t>(run.label)]);
  }
  runs_ = std::move(renumbered).take();
}

void Labels::overlay(const Labels& other, const std::vector<bool>& is_chosen) {
  COPPICE_ASSERT(other.size() == size() && other.are_runs() == are_runs());
  const auto choose = [&](std::int32_t own, std::int32_t others) {
    return is_chosen[static_cast<std::size_t>(others)] ? others : own;
  };
  for (std::size_t i = 0; i < by_unit_.size(); ++i) by_unit_[i] = choose(by_unit_[i], other.by_unit_[i]);
  if (!are_runs()) return;
  RunWriter chosen;
  for_each_stretch(runs_, other.runs_, [&](std::size_t n, std::int32_t own, std::int32_t others) {
    chosen.append(n, choose(own, others));
  });
  runs_ = std::move(chosen).take();
}

Labels in_runs(std::span<const std::int32_t> labels, std::shared_ptr<const KdTree::Order> order) {
  RunWriter runs;
  runs.append(labels);
  return Labels(std::move(runs).take(), std::move(order));
}

std::size_t count_changes(const Labels& a, const Labels& b) {
  COPPICE_ASSERT(a.size() == b.size() && a.are_runs() == b.are_runs());
  std::size_t n_changed = 0;
  for (std::size_t i = 0; i < a.list().size(); ++i) n_changed += a.list()[i] != b.list()[i] ? 1 : 0;
  for_each_stretch(a.runs(), b.runs(), [&](std::size_t n, std::int32_t label_a, std::int32_t label_b) {
    if (label_a != label_b) n_changed += n;
  });
  return n_changed;
}

// Nobody can foretell where a run of single labels ends: every label is written as the end of one, over its
// predecessor if that is the same.
void RunWriter::append(std::span<const std::int32_t> labels) {
  if (labels.empty()) return;
  append(std::size_t{1}, labels.front());
  const std::size_t n_before = runs_.size();
  LabelRun run = runs_.back();
  runs_.resize(n_before + labels.size() - 1);
  LabelRun* last = &runs_[n_before - 1];
  for (const std::int32_t label : labels.subspan(1)) {
    last += run.label != label ? 1 : 0;
    run = {run.end + 1, label};
    *last = run;
  }
  runs_.resize(static_cast<std::size_t>(last - runs_.data()) + 1);
}

void RunWriter::append(std::span<const LabelRun> runs) {
  if (runs.empty()) return;
  const std::uint32_t begin = size();
  // The first run may continue the last one that is there.
  append(runs.front().end, runs.front().label);
  for (const LabelRun& run : runs.subspan(1)) runs_.push_back({begin + run.end, run.label});
}

RunReader::RunReader(std::span<const LabelRun> runs, std::size_t unit) : runs_(runs), run_(run_of(runs, unit)) {}

LabelRun RunReader::run_at(std::size_t unit) noexcept {
  if (runs_.empty()) return {0xffffffffU, -1};
  while (runs_[run_].end <= unit) ++run_;
  return runs_[run_];
}

void RunReader::copy(std::size_t unit, std::span<std::int32_t> labels) noexcept {
  for (std::size_t i = 0; i < labels.size();) {
    const LabelRun run = run_at(unit + i);
    const std::size_t end = std::min(labels.size(), run.end - unit);
    while (i < end) labels[i++] = run.label;
  }
}

}  // namespace coppice
