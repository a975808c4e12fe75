// SPDX-License-Identifier: BSD-3-Clause
#include "infer/moving_groups.hpp"

#include <algorithm>

namespace coppice::internal {

MovingGroups::MovingGroups(const Problem& problem, const MovingRows& rows)
    : problem_(problem),
      rows_(rows),
      k_(rows.stats.size() + rows.others.size()),
      buffer_(problem.components.n_columns()) {
  if (rows.outside != nullptr && rows.outside->weight > 0.0) ++k_;
}

// Groups that have died since the moves began have no share.
void MovingGroups::begin_pass(const Execution& execution) {
  log_evidence_ = problem_.components.log_evidences(execution, rows_.stats);
  std::vector<double> sizes;
  place_.assign(size(), 0);
  for (std::size_t group = 0; group < size(); ++group) {
    place_[group] = sizes.size();
    if (weight(group) > 0.0) sizes.push_back(weight(group));
  }
  sizes.insert(sizes.end(), rows_.others.begin(), rows_.others.end());
  shares_ = problem_.partition.share_table(sizes, problem_.total_weight);
  if (rows_.outside != nullptr) {
    log_evidence_.push_back(log_evidence(n_clusters(), std::span(&rows_.outside->weight, 1)));
  }
}

std::optional<double> MovingGroups::log_share_without(std::size_t group, double row_weight) const {
  if (dies(group, row_weight)) return std::nullopt;
  return shares_->log_share_if(place_[group], weight(group) - row_weight);
}

double MovingGroups::change_of_shares(std::size_t from, std::size_t to, std::optional<double> log_share_left) const {
  if (!log_share_left) return partition_change(from, to, 0.0, 0.0);
  return *log_share_left - shares_->log_share(place_[to]);
}

MovingGroups::Move MovingGroups::move(std::size_t position, std::size_t to, double least_gain) {
  const std::size_t from = of(position);
  const std::size_t unit = rows_.subset.unit(position);
  const double row_weight = problem_.units.weight(unit);
  if (!may_lose(from, row_weight) || !(weight(to) > 0.0)) return {};

  take_row(unit, row_weight);
  copy_changed(from, -row_weight, without_);
  copy_changed(to, row_weight, with_);
  const bool is_death = dies(from, row_weight);
  const double evidence_without = is_death ? 0.0 : log_evidence(from, without_);
  const double evidence_with = log_evidence(to, with_);
  const double change = log_evidence_[from] + log_evidence_[to] - evidence_without - evidence_with +
                        partition_change(from, to, is_death ? 0.0 : without_[0], with_[0]);
  if (!(change < -least_gain)) return {};
  if (is_death) {
    std::ranges::fill(without_, 0.0);
    --k_;
  }
  assign(from, without_, evidence_without);
  assign(to, with_, evidence_with);
  rows_.labels[position] = is_outside(to) ? background_label : static_cast<std::int32_t>(to);
  return {change, is_death};
}

// What rounding leaves of a weight is no group.
bool MovingGroups::dies(std::size_t group, double row_weight) const {
  return !(weight(group) - row_weight > 1e-9 * weight(group));
}

// The background may lose all of its rows.
bool MovingGroups::may_lose(std::size_t group, double row_weight) const {
  if (is_outside(group)) return true;
  return dies(group, row_weight) ? rows_.deaths == Deaths::allowed : weight(group) - row_weight >= rows_.min_size;
}

void MovingGroups::take_row(std::size_t unit, double row_weight) {
  row_.assign(problem_.components.stats_size(), 0.0);
  RowBlock block(problem_.units.rows(), {&unit, 1}, buffer_);
  problem_.components.add(row_, block, {&row_weight, 1});
}

void MovingGroups::copy_changed(std::size_t group, double row_weight, std::vector<double>& changed) const {
  if (is_outside(group)) {
    changed.assign(1, weight(group) + row_weight);
    return;
  }
  changed.assign(rows_.stats[group].begin(), rows_.stats[group].end());
  if (row_weight < 0.0) {
    problem_.components.subtract(changed, row_);
  } else {
    problem_.components.merge(changed, row_);
  }
}

double MovingGroups::log_evidence(std::size_t group, std::span<const double> stats) const {
  return is_outside(group) ? -stats[0] * rows_.outside->log_volume : problem_.components.log_evidence(stats);
}

void MovingGroups::assign(std::size_t group, std::span<const double> stats, double log_evidence) {
  if (is_outside(group)) {
    rows_.outside->weight = stats[0];
  } else {
    rows_.stats.assign(group, stats);
  }
  log_evidence_[group] = log_evidence;
}

// Change of the partition's part of the objective if two groups have other sizes. Two groups merged, and the same two
// with other sizes: the difference of two merges is that of the sizes.
double MovingGroups::partition_change(std::size_t from, std::size_t to, double size_from, double size_to) const {
  const MergeTerms& merges = problem_.partition.merges();
  const double merged = merges.pair(weight(from), weight(to));
  // For a death the two become one: the whole gain of a merge, and one group less.
  if (size_from > 0.0) return merged - merges.pair(size_from, size_to);
  return merged + merges.level(problem_.total_weight, k_);
}

}  // namespace coppice::internal
