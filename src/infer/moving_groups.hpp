// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The groups between which single rows move: the clusters, and after them the background beside them, if there is one.
// Their shares are those at the beginning of a pass; what a move changes in the objective is exact.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "coppice/infer/single_moves.hpp"

namespace coppice::internal {

class MovingGroups {
 public:
  MovingGroups(const Problem& problem, const MovingRows& rows);

  [[nodiscard]] std::size_t n_clusters() const noexcept { return rows_.stats.size(); }
  [[nodiscard]] std::size_t size() const noexcept { return n_clusters() + (rows_.outside != nullptr ? 1 : 0); }
  [[nodiscard]] bool is_outside(std::size_t group) const noexcept { return group == n_clusters(); }
  [[nodiscard]] std::size_t of(std::size_t position) const noexcept {
    const std::int32_t label = rows_.labels[position];
    return label == background_label ? n_clusters() : static_cast<std::size_t>(label);
  }
  [[nodiscard]] double weight(std::size_t group) const {
    return is_outside(group) ? rows_.outside->weight : rows_.stats.weight(group);
  }

  void begin_pass(const Execution& execution);
  // The log share of a group without a row of this weight; none if that is all it has.
  [[nodiscard]] std::optional<double> log_share_without(std::size_t group, double row_weight) const;
  // Of the partition's part of the objective, if a row leaves that share behind: as far as shares tell it, or exact.
  [[nodiscard]] double change_of_shares(std::size_t from, std::size_t to, std::optional<double> log_share_left) const;

  struct Move {
    double change = 0.0;  // of the objective; 0: the move would raise it, or is not allowed
    bool is_death = false;
  };
  // Makes the move if it lowers the objective by more than this.
  Move move(std::size_t position, std::size_t to, double least_gain);

 private:
  [[nodiscard]] bool dies(std::size_t group, double row_weight) const;
  [[nodiscard]] bool may_lose(std::size_t group, double row_weight) const;
  void take_row(std::size_t unit, double row_weight);
  // A group's statistics with the row or without it; of the background the weight alone.
  void copy_changed(std::size_t group, double row_weight, std::vector<double>& changed) const;
  [[nodiscard]] double log_evidence(std::size_t group, std::span<const double> stats) const;
  void assign(std::size_t group, std::span<const double> stats, double log_evidence);
  [[nodiscard]] double partition_change(std::size_t from, std::size_t to, double size_from, double size_to) const;

  const Problem& problem_;
  const MovingRows& rows_;
  std::size_t k_;                       // groups that are alive, those outside the subset included
  std::unique_ptr<ShareTable> shares_;  // of the groups that are alive
  std::vector<std::size_t> place_;      // of every group among the shares
  std::vector<double> log_evidence_;
  std::vector<double> row_;
  std::vector<double> without_;
  std::vector<double> with_;
  BlockBuffer buffer_;
};

}  // namespace coppice::internal
