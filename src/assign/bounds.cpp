// SPDX-License-Identifier: BSD-3-Clause
// Distance bounds (bounds.hpp), in three steps per panel of rows, each for fewer of them:
//
// 1. All bounds move along with the centres, and rows whose own centre nobody can have reached keep their labels. 2. Of
// those left, the upper bound becomes the true distance to the row's own centre; that often is enough. 3. The rest ask
// the groups that their lower bounds do not rule out, all rows that ask a group together, by the same single-precision
// product as without bounds. What that leaves in doubt is settled by the exact rule.
//
// Labels are therefore those of the plain assignment, ties included. What must stay true at any time: upper_[row] is
// not less than the distance from the centre of labels_[row], and lower(row, g) not more than the least distance from
// any other centre of group g; every rounding goes the safe way.

#include "coppice/assign/bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>

#include "assign/bounds_forecast.hpp"
#include "assign/centre_groups.hpp"
#include "assign/centre_ties.hpp"
#include "assign/data_term.hpp"
#include "coppice/assign/accumulators.hpp"
#include "coppice/assign/naive.hpp"
#include "coppice/kernels/distance_bounds.hpp"
#include "coppice/runtime/assert.hpp"
#include "coppice/runtime/for_each_block.hpp"

namespace coppice::internal {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

// Squared distances in single precision and how far they may be from the truth (nearest_centres.hpp).
struct Rounding {
  double squared_length;
  double roundings;

  // As DoubtfulRows of nearest_centres.hpp has it: a centre at that distance has ||c||^2 <= 2 ||x||^2 + 2 d.
  [[nodiscard]] double error(double squared_distance) const {
    const double size = 3.0 * squared_length + 2.0 * std::max(squared_distance, 0.0);
    return 1.5 * roundings * (0x1p-24 * size + 4.0 * least_float);
  }
  // 0 where single precision overflows.
  [[nodiscard]] float lower(double squared_distance) const {
    if (!std::isfinite(squared_distance)) return 0.0F;
    return rounded_down(std::sqrt(std::max(squared_distance - error(squared_distance), 0.0)));
  }
};

// What a group had to say about a row: its nearest centre, and the squared distances of that one and of the next.
struct GroupAnswer {
  std::int32_t nearest = -1;  // not asked
  double best = 0.0;
  double second = 0.0;
};

// What one thread works in.
struct BoundsWorkspace {
  explicit BoundsWorkspace(std::size_t n_columns) : buffer(n_columns) {}
  BlockBuffer buffer;
  NearestWorkspace nearest;
  kernels::FloatRows rows;                       // the open rows
  kernels::FloatRows asking;                     // those that ask a group
  kernels::NearestCentres found;                 // by the group
  std::array<float, kernels::panel_rows> least;  // lower bound of every row of a panel
  std::array<std::uint32_t, kernels::panel_rows> reached;
  std::vector<std::size_t> tightened;  // rows, their labels and squared distances
  std::vector<std::int32_t> own;
  std::vector<double> squared;
  std::vector<std::size_t> open;     // rows whose centre may have been overtaken
  std::vector<std::size_t> askers;   // places in `open`
  std::vector<GroupAnswer> answers;  // of every open row, group by group
  std::vector<std::size_t> unsure;   // rows for which single precision does not tell
  std::vector<std::int32_t> exact;   // and their labels
  std::uint64_t distances = 0;
};

class Bounds final : public Assigner {
 public:
  Bounds(const Rows& rows, BoundsStart start, std::string why_rows)
      : rows_(rows),
        units_(rows),
        why_rows_(std::move(why_rows)),
        starts_late_(start == BoundsStart::late),
        are_kept_(start == BoundsStart::at_once) {}

  [[nodiscard]] const Units& units() const noexcept override { return units_; }

  Assignment sweep(const Execution& execution, const Components& components, std::span<const double> offsets,
                   const Labels& present) override {
    COPPICE_ASSERT(!components.centres().empty());
    // Offsets would be no distances, and the triangle inequality knows nothing of them.
    COPPICE_ASSERT(std::ranges::count(offsets, 0.0) == std::ssize(offsets));
    Assignment result = are_kept_ ? sweep_by_bounds(execution, components, present)
                                  : sweep_without(execution, components, offsets, present);
    ++n_sweeps_;
    distances_ += result.distances;
    full_distances_ += rows_.size() * components.size();
    return result;
  }

  void forget() override {
    n_sweeps_ = n_informed_sweeps_ = 0;
    distances_ = full_distances_ = 0;
    are_kept_ = !starts_late_;
    were_in_vain_ = false;
    most_changes_ = std::numeric_limits<std::size_t>::max();
    previous_centres_.clear();
    labels_.clear();  // so that nothing is taken for known
  }

  [[nodiscard]] AssignReport report() const override {
    if (starts_late_ && n_informed_sweeps_ == 0) return {"naive", why_rows_};
    return {"bounds",
            fmt::format("{}{} of {} iterations could rely on distance bounds; all took {} distances, {} for every row "
                        "and centre",
                        starts_late_ ? "" : "asked for: ", n_informed_sweeps_, n_sweeps_, distances_, full_distances_)};
  }

 private:
  Assignment sweep_without(const Execution& execution, const Components& components, std::span<const double> offsets,
                           const Labels& present) {
    Assignment result = assign(execution, Subset(units_), components, offsets, present);
    decide(rows_, components, result, count_changes(result.labels, present));
    return result;
  }

  Assignment sweep_by_bounds(const Execution& execution, const Components& components, const Labels& present) {
    prepare(rows_, components);
    std::vector<std::int32_t> labels(present.list().begin(), present.list().end());
    Assignment result;
    result.distances = label_all(execution, rows_, components, labels);
    // Bounds belong to these labels. If a row comes back with another one, move_bounds drops its bounds.
    labels_ = labels;
    result.stats = statistics_of_list(execution, Subset(units_), components, labels, components.size());
    result.labels = Labels(std::move(labels));
    set_data_term(components, std::vector<double>(components.size(), 0.0), result);
    if (starts_late_) give_up_if_in_vain(result.distances, rows_.size() * components.size());
    return result;
  }

  // After a sweep without bounds: whether the next one is to have them. If they would not have paid this time, they are
  // not thought of again until half as many labels change.
  void decide(const Rows& rows, const Components& components, const Assignment& result, std::size_t n_changed) {
    if (!were_in_vain_ && n_changed <= tolerable_changes(rows.size())) {
      are_kept_ = would_bounds_have_paid(rows, previous_centres_, components, result.labels.list());
      most_changes_ = n_changed / 2;
    }
    const std::span<const double> centres = components.centres();
    previous_centres_.assign(centres.begin(), centres.end());
  }

  [[nodiscard]] std::size_t tolerable_changes(std::size_t n_rows) const { return std::min(most_changes_, n_rows / 50); }

  // Where distances hardly differ, as in many columns, bounds are broken as soon as they are set.
  void give_up_if_in_vain(std::uint64_t distances, std::uint64_t all_distances) {
    if (n_informed_sweeps_ == 0 || 2 * distances < all_distances) return;
    were_in_vain_ = true;
    are_kept_ = false;
  }

  void prepare(const Rows& rows, const Components& components) {
    ties_ = CentreTies(components);
    // As many centres as before are taken for the same ones, moved. If they are others, their drifts are long and most
    // bounds break: slower, but never wrong.
    if (groups_.n_centres() == components.size() && labels_.size() == rows.size()) {
      groups_.move_to(components.centres());
      take_drifts();
      ++n_informed_sweeps_;
      return;
    }
    groups_ = CentreGroups(components.centres(), rows.n_columns());
    take_drifts();
    labels_.assign(rows.size(), -1);
    upper_.assign(rows.size(), infinity);
    lower_.assign(rows.size() * groups_.size(), 0.0F);
  }

  void take_drifts() {
    const auto rounded = [](std::span<const double> drifts, std::vector<float>& out) {
      out.resize(drifts.size());
      std::ranges::transform(drifts, out.begin(), rounded_up);
    };
    rounded(groups_.drifts(), drifts_);
    rounded(groups_.group_drifts(), group_drifts_);
  }

  // Returns the number of distances computed.
  std::uint64_t label_all(const Execution& execution, const Rows& rows, const Components& components,
                          std::vector<std::int32_t>& labels) {
    const Blocks blocks{.n_items = labels.size()};
    Workspaces<BoundsWorkspace> workspaces(execution.n_threads());
    std::atomic<std::uint64_t> distances{0};
    for_each_block(execution, blocks, [&](const BlockRange& block) {
      BoundsWorkspace& workspace =
          workspaces.of(block.worker, [&] { return std::make_unique<BoundsWorkspace>(components.n_columns()); });
      workspace.distances = 0;
      for (std::size_t first = block.first; first < block.last; first += kernels::panel_rows) {
        const std::size_t last = std::min(first + kernels::panel_rows, block.last);
        list_open_rows(rows, first, last - first, labels, workspace);
        if (!workspace.open.empty()) label_open_rows(rows, components, labels, workspace);
      }
      distances += workspace.distances;
    });
    return distances;
  }

  [[nodiscard]] float& lower(std::size_t row, std::size_t g) { return lower_[g * labels_.size() + row]; }

  // Moves the bounds of a run of rows along with the centres, and lists those whose centre may have been overtaken.
  void list_open_rows(const Rows& rows, std::size_t first, std::size_t n_rows, std::span<const std::int32_t> labels,
                      BoundsWorkspace& workspace) {
    const std::size_t n_reached = kernels::move_bounds(
        {&upper_[first], &lower_[first], labels_.size(), groups_.size()}, n_rows, {&labels[first], &labels_[first]},
        {drifts_.data(), group_drifts_.data()}, ties_.in_floats(), workspace.least.data(), workspace.reached.data());
    workspace.open.clear();
    workspace.tightened.clear();
    for (std::size_t i = 0; i < n_reached; ++i) {
      const std::size_t row = first + workspace.reached[i];
      // Without lower bounds a shorter upper one would spare nothing: the row asks all groups.
      const bool has_lower_bounds = labels[row] >= 0 && labels[row] == labels_[row];
      (has_lower_bounds ? workspace.tightened : workspace.open).push_back(row);
    }
    if (workspace.tightened.empty()) return;
    tighten(rows, workspace.tightened, labels, workspace);
    for (const std::size_t row : workspace.tightened) {
      if (!ties_.is_beaten(workspace.least[row - first], upper_[row])) workspace.open.push_back(row);
    }
    // In the order of memory again, for the rows that are loaded next.
    std::ranges::sort(workspace.open);
  }

  // Upper bounds become the distances from the rows' own centres.
  void tighten(const Rows& rows, std::span<const std::size_t> chosen, std::span<const std::int32_t> labels,
               BoundsWorkspace& workspace) {
    // Wider than what a sum over thousands of columns rounds by; the float is rounded up once more.
    constexpr double round_up = 1.0 + 0x1p-40;
    workspace.own.clear();
    for (const std::size_t row : chosen) workspace.own.push_back(labels[row]);
    workspace.squared.resize(chosen.size());
    const RowBlock block(rows, chosen, workspace.buffer);
    kernels::squared_distances_from_own(block.stored(), rows.n_columns(), groups_.centres().data(),
                                        workspace.own.data(), workspace.squared.data());
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      upper_[chosen[i]] = rounded_up(std::sqrt(workspace.squared[i]) * round_up);
    }
    workspace.distances += chosen.size();
  }

  void label_open_rows(const Rows& rows, const Components& components, std::vector<std::int32_t>& labels,
                       BoundsWorkspace& workspace) {
    RowBlock block(rows, workspace.open, workspace.buffer);
    kernels::load_floats(block.stored(), rows.n_columns(), workspace.rows);
    workspace.answers.assign(workspace.open.size() * groups_.size(), GroupAnswer{});
    for (std::size_t g = 0; g < groups_.size(); ++g) ask_group(g, rows.n_columns(), workspace);
    workspace.unsure.clear();
    for (std::size_t i = 0; i < workspace.open.size(); ++i) {
      if (!take_leader(i, rows, labels, workspace)) workspace.unsure.push_back(i);
    }
    if (!workspace.unsure.empty()) settle_exactly(rows, components, labels, workspace);
  }

  // The nearest centre of a group, for all open rows that it may hold a nearer one for.
  void ask_group(std::size_t g, std::size_t n_columns, BoundsWorkspace& workspace) {
    choose_askers(g, n_columns, workspace);
    if (workspace.askers.empty()) return;
    const std::vector<std::int32_t>& members = groups_.members(g);
    groups_.packed(g).nearest(workspace.asking, workspace.found);
    workspace.distances += workspace.askers.size() * members.size();
    for (std::size_t a = 0; a < workspace.askers.size(); ++a) {
      const double squared_length = workspace.asking.squared_lengths[a];
      workspace.answers[workspace.askers[a] * groups_.size() + g] = {
          members[static_cast<std::size_t>(workspace.found.nearest[a])], squared_length - 2.0 * workspace.found.best[a],
          squared_length - 2.0 * workspace.found.second[a]};
    }
  }

  void choose_askers(std::size_t g, std::size_t n_columns, BoundsWorkspace& workspace) {
    kernels::FloatRows& asking = workspace.asking;
    workspace.askers.clear();
    asking.values.clear();
    asking.squared_lengths.clear();
    for (std::size_t i = 0; i < workspace.open.size(); ++i) {
      const std::size_t row = workspace.open[i];
      if (ties_.is_beaten(lower(row, g), upper_[row])) continue;
      workspace.askers.push_back(i);
      const auto values = workspace.rows.values.begin() + static_cast<std::ptrdiff_t>(i * n_columns);
      asking.values.insert(asking.values.end(), values, values + static_cast<std::ptrdiff_t>(n_columns));
      asking.squared_lengths.push_back(workspace.rows.squared_lengths[i]);
    }
    asking.n_rows = workspace.askers.size();
  }

  // Gives an open row its nearest centre; false if single precision leaves that in doubt.
  bool take_leader(std::size_t i, const Rows& rows, std::vector<std::int32_t>& labels, BoundsWorkspace& workspace) {
    const std::size_t row = workspace.open[i];
    const std::span<const GroupAnswer> answers(&workspace.answers[i * groups_.size()], groups_.size());
    const std::int32_t present = labels[row];
    const Rounding rounding{workspace.rows.squared_lengths[i], kernels::float_roundings(rows.n_columns())};
    double best = std::numeric_limits<double>::infinity();
    double second = best;
    std::int32_t leader = -1;
    const auto take = [&](std::int32_t centre, double squared_distance) {
      if (squared_distance < best) {
        second = best;
        best = squared_distance;
        leader = centre;
      } else if (!(squared_distance >= second)) {  // not a number counts as close
        second = squared_distance;
      }
    };
    // The own group was not asked: what is known of the present centre is its distance, which step 2 has made exact.
    if (present >= 0 && answers[groups_.group_of(present)].nearest < 0) {
      take(present, static_cast<double>(upper_[row]) * upper_[row]);
    }
    for (const GroupAnswer& answer : answers) {
      if (answer.nearest < 0) continue;
      take(answer.nearest, answer.best);
      // Who the second of a group is does not matter, only how near it is. It cannot be the leader, since the group's
      // best came first.
      take(-1, answer.second);
    }
    const double limit = 2.0 * rounding.error(best) + ties_.width(best);
    if (!(second - best > limit) || leader < 0) return false;
    if (leader != present) {
      release(row, present, answers);
      upper_[row] = rounded_up(std::sqrt(std::max(best, 0.0) + rounding.error(best)));
      labels[row] = leader;
    }
    set_lower_bounds(row, leader, answers, rounding);
    return true;
  }

  // A row leaves its centre, which its group's bound has to reckon with from now on.
  void release(std::size_t row, std::int32_t present, std::span<const GroupAnswer> answers) {
    if (present < 0) return;
    const std::size_t g = groups_.group_of(present);
    if (answers[g].nearest >= 0) return;
    constexpr float round_down = 1.0F - 0x1p-20F;
    lower(row, g) = std::min(lower(row, g), upper_[row] * round_down);
  }

  // Groups that were not asked keep their bounds, which hold for all their centres; only where the row's old centre was
  // in one of them must it be let in (release).
  void set_lower_bounds(std::size_t row, std::int32_t label, std::span<const GroupAnswer> answers,
                        const Rounding& rounding) {
    for (std::size_t g = 0; g < answers.size(); ++g) {
      const GroupAnswer& answer = answers[g];
      if (answer.nearest < 0) continue;
      const bool is_alone = answer.nearest == label && groups_.members(g).size() == 1;
      lower(row, g) = is_alone ? infinity : rounding.lower(answer.nearest == label ? answer.second : answer.best);
    }
  }

  void settle_exactly(const Rows& rows, const Components& components, std::vector<std::int32_t>& labels,
                      BoundsWorkspace& workspace) {
    std::vector<std::size_t> chosen;
    for (const std::size_t i : workspace.unsure) chosen.push_back(workspace.open[i]);
    workspace.exact.resize(chosen.size());
    RowBlock block(rows, chosen, workspace.buffer);
    const std::vector<double> offsets(components.size(), 0.0);
    components.nearest(offsets, {}, block, {[&](std::size_t i) { return labels[chosen[i]]; }, workspace.exact},
                       workspace.nearest);
    workspace.distances += chosen.size() * components.size();
    for (std::size_t u = 0; u < chosen.size(); ++u) {
      const std::size_t i = workspace.unsure[u];
      const std::size_t row = chosen[u];
      const std::span<const GroupAnswer> answers(&workspace.answers[i * groups_.size()], groups_.size());
      if (workspace.exact[u] != labels[row]) {
        release(row, labels[row], answers);
        labels[row] = workspace.exact[u];
        tighten(rows, {&row, 1}, labels, workspace);
      }
      const Rounding rounding{workspace.rows.squared_lengths[i], kernels::float_roundings(rows.n_columns())};
      set_lower_bounds(row, labels[row], answers, rounding);
    }
  }

  const Rows& rows_;
  Units units_;
  std::string why_rows_;
  std::size_t n_sweeps_ = 0;
  std::uint64_t distances_ = 0;
  std::uint64_t full_distances_ = 0;
  bool starts_late_;
  bool are_kept_;
  bool were_in_vain_ = false;
  std::size_t most_changes_ = std::numeric_limits<std::size_t>::max();  // for bounds to be thought of
  std::vector<double> previous_centres_;                                // of the last sweep without bounds
  std::size_t n_informed_sweeps_ = 0;
  CentreTies ties_;
  CentreGroups groups_;
  std::vector<float> drifts_;
  std::vector<float> group_drifts_;
  std::vector<std::int32_t> labels_;  // as the last sweep left them
  std::vector<float> upper_;          // of the distance from the row's own centre
  std::vector<float> lower_;          // of every row and group: of the distances from all other centres
};

}  // namespace

std::unique_ptr<Assigner> make_bounds(const Rows& rows, BoundsStart start, std::string why_rows) {
  return std::make_unique<Bounds>(rows, start, std::move(why_rows));
}

}  // namespace coppice::internal
