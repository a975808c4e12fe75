// SPDX-License-Identifier: BSD-3-Clause
// Who decides how rows find their clusters. By counts alone, never by the clock (docs/architecture.md, "Choices come
// from counts"): the same table takes the same way on every machine. Ways that cannot pay say why, since that is what
// the summary of a fit tells.

#include "coppice/assign/assigner.hpp"

#include <fmt/format.h>

#include <optional>

#include "assign/row_assigner.hpp"
#include "assign/tree_assigner.hpp"
#include "assign/tree_ground.hpp"
#include "coppice/assign/bounds.hpp"
#include "coppice/data/row_draw.hpp"
#include "coppice/runtime/format_text.hpp"

namespace coppice {
using namespace internal;

namespace {

// The heaviest clusters draw from as many (data/row_draw.hpp).
constexpr std::size_t sample_size = 10000;
constexpr std::size_t least_values = 256;  // K times D: with fewer, a row's distances cost less than its bounds

const char* const asked_for_naive = "asked for: every row against every cluster";
const char* const was_stopped = "the fit was stopped before a tree was built";

// Sweeps over a tree that is made for them.
class OwnTreeAssigner final : public Assigner {
 public:
  OwnTreeAssigner(const Execution& execution, const Rows& rows, const Components& family, bool keeps_to_nodes)
      : ground_(execution, rows, family), sweeps_(Units(ground_.units()), keeps_to_nodes) {}

  [[nodiscard]] const Units& units() const noexcept override { return sweeps_.units(); }
  [[nodiscard]] Assignment sweep(const Execution& execution, const Components& clusters,
                                 std::span<const double> offsets, const Labels& present) override {
    return sweeps_.sweep(execution, clusters, offsets, present);
  }
  void forget() override { sweeps_.forget(); }
  [[nodiscard]] bool keeps_to_nodes() const noexcept override { return sweeps_.keeps_to_nodes(); }
  [[nodiscard]] AssignReport report() const override { return sweeps_.report(); }

 private:
  TreeGround ground_;
  TreeAssigner sweeps_;
};

// Rows that the leaves of a tree tie together.
class TiedAssigner final : public Assigner {
 public:
  TiedAssigner(const Execution& execution, const Rows& rows, const Components& family)
      : ground_(execution, rows, family),
        tied_{ground_.units(), std::make_shared<const Front>(Front::of_leaves(ground_.tree()))},
        units_(tied_) {}

  [[nodiscard]] const Units& units() const noexcept override { return units_; }
  [[nodiscard]] Assignment sweep(const Execution& execution, const Components& clusters,
                                 std::span<const double> offsets, const Labels& present) override {
    return assign(execution, Subset(units_), clusters, offsets, present);
  }
  [[nodiscard]] AssignReport report() const override {
    return {"kdtree", fmt::format("asked for: approximate, the {} rows are tied into {} leaves, whose rows share alike",
                                  ground_.tree().n_rows(), units_.size())};
  }

 private:
  TreeGround ground_;
  FrontUnits tied_;
  Units units_;
};

std::unique_ptr<Assigner> rows_one_by_one(const Rows& rows, Text why) {
  return std::make_unique<RowAssigner>(Units(rows), std::move(why));
}

std::unique_ptr<Assigner> make_soft(const Execution& execution, const Rows& rows, const Components& family,
                                    AssignRule rule) {
  if (rule == AssignRule::naive) return rows_one_by_one(rows, asked_for_naive);
  if (rule != AssignRule::kdtree) {
    return rows_one_by_one(
        rows, format_text("every cluster has a share in every row; {assign=kdtree} would approximate that"));
  }
  try {
    return std::make_unique<TiedAssigner>(execution, rows, family);
  } catch (const Stopped&) {  // the fit that follows is stopped, too
    return rows_one_by_one(rows, was_stopped);
  }
}

}  // namespace

AssignRule assign_rule(std::string_view word) {
  if (word == "naive") return AssignRule::naive;
  if (word == "kdtree") return AssignRule::kdtree;
  return word == "bounds" ? AssignRule::bounds : AssignRule::automatic;
}

std::unique_ptr<Assigner> make_assigner(const Execution& execution, const Rows& rows, const Components& family,
                                        const AssignChoice& choice) {
  if (choice.is_soft) return make_soft(execution, rows, family, choice.rule);
  // The order matters: what was asked for comes before what would pay.
  if (choice.rule == AssignRule::bounds) return make_bounds(rows, BoundsStart::at_once, {});
  if (choice.rule == AssignRule::naive) return rows_one_by_one(rows, asked_for_naive);
  if (family.weighs_members()) {
    return rows_one_by_one(rows, "these clusters weigh every row by itself, so that a tree is of no use");
  }
  const std::string why_rows = why_no_tree(rows, family);
  // A tree that is asked for is built however little it promises, and its nodes are then kept to. Sparse rows cannot
  // have one.
  const bool is_asked_for = choice.rule == AssignRule::kdtree;
  if (rows.data().is_sparse() || (!is_asked_for && !why_rows.empty())) {
    const bool are_bounds_worth_it = !is_asked_for && choice.k * rows.n_columns() >= least_values;
    if (are_bounds_worth_it) return make_bounds(rows, BoundsStart::late, why_rows);
    return rows_one_by_one(rows, why_rows);
  }
  try {
    return std::make_unique<OwnTreeAssigner>(execution, rows, family, is_asked_for);
  } catch (const Stopped&) {
    return rows_one_by_one(rows, was_stopped);
  }
}

std::unique_ptr<Assigner> make_assigner(const Units& units) {
  if (units.are_in_tree()) return std::make_unique<TreeAssigner>(units, false);
  return std::make_unique<RowAssigner>(units, "");
}

std::vector<std::size_t> sample_of(const Execution& execution, const Units& units) {
  try {
    return content_sample(execution, units.rows().data(), sample_size);
  } catch (const Stopped&) {
    return {};
  }
}

}  // namespace coppice
