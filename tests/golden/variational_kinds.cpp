// SPDX-License-Identifier: BSD-3-Clause
// Variational Dirichlet processes: one cycle of updates from given shares, of points or of tied nodes.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "coppice/infer/variational_step.hpp"
#include "coppice/kernels/log_sum_exp.hpp"
#include "coppice/partition/sticks.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "inputs.hpp"

namespace coppice::golden {
using namespace internal;

namespace {

using Matrix = std::vector<std::vector<double>>;

// Points, or groups of points that share alike, as summaries.
class Cycle {
 public:
  explicit Cycle(const Json& inputs)
      : family_(to_components(inputs.at("family"))),
        rows_(to_rows(inputs.at("X"))),
        alpha_{inputs.at("alpha").at(0).get<double>(), inputs.at("alpha").at(1).get<double>()},
        partition_(make_sticks(alpha_.alpha1, alpha_.alpha2)) {
    Json groups = inputs.value("groups", Json::array());
    for (std::size_t row = 0; groups.size() < rows_.size() && !inputs.contains("groups"); ++row)
      groups.push_back({row});
    summaries_ = StatsArena(groups.size(), family_->stats_size());
    BlockBuffer buffer(rows_.n_columns());
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const auto members = groups[i].get<std::vector<std::size_t>>();
      RowBlock block(rows_, members, buffer);
      family_->add(summaries_[i], block, {});
    }
  }

  [[nodiscard]] const Components& family() const { return *family_; }
  [[nodiscard]] const StickPrior& alpha() const { return alpha_; }
  [[nodiscard]] const Rows& rows() const { return rows_; }

  [[nodiscard]] StatsArena statistics(const Matrix& shares, std::size_t k) const {
    StatsArena stats(k, family_->stats_size());
    for (std::size_t i = 0; i < shares.size(); ++i) {
      for (std::size_t c = 0; c < k; ++c) family_->add_scaled(stats[c], summaries_[i], shares[i][c]);
    }
    return stats;
  }
  // What the last column has, the tail.
  [[nodiscard]] double behind(const Matrix& shares) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < shares.size(); ++i) sum += summaries_.weight(i) * shares[i].back();
    return sum;
  }

  // E[log weight] of every component and of the tail.
  [[nodiscard]] std::vector<double> log_weights(std::span<const Stick> sticks) const {
    const StickWeights weights = expected_log_weights(sticks);
    std::vector<double> all = weights.of_components;
    all.push_back(weights.of_rest + log_tail(alpha_));
    return all;
  }
  // E[log weight] less the mean cost, of every unit; components that statistics lack are at the prior.
  [[nodiscard]] Matrix scores(const StatsArena& stats, std::span<const double> log_weights) const {
    StatsArena all = stats;
    while (all.size() < log_weights.size()) all.append(std::vector<double>(stats.stats_size(), 0.0));
    const std::unique_ptr<Components> clusters = family_->clone();
    clusters->update(all);
    Matrix scores;
    for (std::size_t i = 0; i < summaries_.size(); ++i) {
      std::vector<double> of_unit;
      for (std::size_t c = 0; c < all.size(); ++c) {
        of_unit.push_back(log_weights[c] - clusters->node_cost(c, summaries_[i]) / summaries_.weight(i));
      }
      scores.push_back(std::move(of_unit));
    }
    return scores;
  }
  [[nodiscard]] double kl_of_components(const StatsArena& stats) const {
    const std::unique_ptr<Components> clusters = family_->clone();
    clusters->update(stats);
    double sum = 0.0;
    for (std::size_t c = 0; c < stats.size(); ++c) sum += clusters->kl_to_prior(c);
    return sum;
  }
  // At any shares.
  [[nodiscard]] double free_energy(const StatsArena& stats, std::span<const Stick> sticks, const Matrix& shares) const {
    double sum = kl_to_prior(sticks, alpha_) + kl_of_components(stats);
    const Matrix all = scores(stats, log_weights(sticks));
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t c = 0; c < all[i].size(); ++c) {
        const double share = shares[i][c];
        if (share > 0.0) sum += summaries_.weight(i) * share * (std::log(share) - all[i][c]);
      }
    }
    return sum;
  }
  // What the library makes of them in one step.
  [[nodiscard]] VariationalStep step(const StatsArena& stats, const MixtureWeights& weights) const {
    LocalExecution local(1);
    const Units units(summaries_);
    const Problem problem{units, *family_, *partition_, static_cast<double>(rows_.size())};
    const std::unique_ptr<Components> clusters = family_->clone();
    return variational_step(local.get(), problem, *clusters, stats, weights, {});
  }
  [[nodiscard]] VariationalStep step(const StatsArena& stats, std::span<const Stick> sticks) const {
    return step(stats, MixtureWeights{log_weights(sticks), kl_to_prior(sticks, alpha_)});
  }
  // The same from statistics alone, components in the order of their sizes.
  [[nodiscard]] VariationalStep step(const StatsArena& stats) const {
    LocalExecution local(1);
    const Units units(summaries_);
    const Problem problem{units, *family_, *partition_, static_cast<double>(rows_.size())};
    const std::unique_ptr<Components> clusters = family_->clone();
    return variational_step(local.get(), problem, *clusters, stats);
  }

 private:
  std::unique_ptr<Components> family_;
  Rows rows_;
  StickPrior alpha_;
  std::unique_ptr<PartitionPrior> partition_;
  StatsArena summaries_;
};

Matrix softmax(Matrix scores) {
  for (std::vector<double>& row : scores) {
    const double total = kernels::log_sum_exp(row);
    for (double& value : row) value = std::exp(value - total);
  }
  return scores;
}

Json to_json(std::span<const Stick> sticks) {
  Json list = Json::array();
  for (const Stick& stick : sticks) list.push_back({stick.a, stick.b});
  return list;
}

std::vector<std::size_t> by_size(std::span<const double> sizes) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t c) { return sizes[c]; });
  return order;
}

// log sum_i w_i pred_i(x), what no component has being left to the prior.
Json log_predictive(const Cycle& cycle, StatsArena stats, std::span<const Stick> sticks, const Json& query) {
  const StickWeights weights = log_expected_weights(sticks);
  stats.append(std::vector<double>(stats.stats_size(), 0.0));
  const std::unique_ptr<Components> clusters = cycle.family().clone();
  clusters->update(stats);
  const Rows rows = to_rows(query);
  BlockBuffer buffer(rows.n_columns());
  RowBlock block(rows, 0, rows.size(), buffer);
  std::vector<double> densities(stats.size() * kernels::panel_stride);
  clusters->log_predictive({}, block, densities.data());
  Json result = Json::array();
  for (std::size_t row = 0; row < rows.size(); ++row) {
    std::vector<double> joint;
    for (std::size_t c = 0; c < stats.size(); ++c) {
      const double log_weight = c < sticks.size() ? weights.of_components[c] : weights.of_rest;
      joint.push_back(log_weight + densities[c * kernels::panel_stride + row]);
    }
    result.push_back(kernels::log_sum_exp(joint));
  }
  return result;
}

void expect_equal(const char* what, double a, double b) {
  if (!(std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b)))) {
    throw std::runtime_error(std::string(what) + ": the library's step differs from the definition");
  }
}

Json vdp_cycle(const Json& inputs) {
  const Cycle cycle(inputs);
  const auto shares = inputs.at("R").get<Matrix>();
  const std::size_t k = shares[0].size() - 1;
  const StatsArena stats = cycle.statistics(shares, k);
  const std::vector<Stick> sticks = sticks_of(cycle.alpha(), stats.weights(), cycle.behind(shares));
  const Matrix scores = cycle.scores(stats, cycle.log_weights(sticks));
  const Matrix new_shares = softmax(scores);
  const VariationalStep step = cycle.step(stats, sticks);

  Json result = {{"phi_v", to_json(sticks)},
                 {"F_after_params", cycle.free_energy(stats, sticks, shares)},
                 {"kl_sticks", kl_to_prior(sticks, cycle.alpha())},
                 {"kl_components", cycle.kl_of_components(stats)},
                 {"scores_with_log_tail", scores},
                 {"new_R", new_shares},
                 {"F_after_resp", step.bound}};
  result["components"] = Json::array();
  for (std::size_t c = 0; c < k; ++c) result["components"].push_back(posterior_of(inputs.at("family"), stats[c]));
  result["order"] = by_size(step.next.weights());
  Matrix ordered;
  for (const std::vector<double>& row : new_shares) {
    ordered.emplace_back();
    for (const std::size_t c : by_size(step.next.weights())) ordered.back().push_back(row[c]);
    ordered.back().push_back(row.back());
  }
  const StatsArena next = cycle.statistics(ordered, k);
  const std::vector<Stick> next_sticks = sticks_of(cycle.alpha(), next.weights(), cycle.behind(ordered));
  result["phi_v_reordered"] = to_json(next_sticks);
  result["F_after_reorder_and_params"] = cycle.free_energy(next, next_sticks, ordered);
  // From the statistics that the step left behind, in whatever order, the library goes on from there.
  expect_equal("the second step", cycle.step(step.next).bound, cycle.step(next, next_sticks).bound);
  if (!inputs.contains("query")) return result;
  const StickWeights weights = log_expected_weights(sticks);
  Json expected = Json::array();
  for (const double log_weight : weights.of_components) expected.push_back(std::exp(log_weight));
  expected.push_back(std::exp(weights.of_rest));
  result["expected_weights_and_rest"] = std::move(expected);
  result["log_predictive"] = log_predictive(cycle, stats, sticks, inputs.at("query"));
  return result;
}

// A stick that is broken once less than there are components.
Json bj_cycle(const Json& inputs) {
  const Cycle cycle(inputs);
  const auto shares = inputs.at("R").get<Matrix>();
  const std::size_t k = shares[0].size();
  const StatsArena stats = cycle.statistics(shares, k);
  const std::vector<double> sizes = stats.weights();
  const std::vector<Stick> sticks = sticks_of(cycle.alpha(), std::span(sizes).first(k - 1), sizes.back());
  StickWeights weights = expected_log_weights(sticks);
  weights.of_components.push_back(weights.of_rest);
  const VariationalStep step = cycle.step(stats, {weights.of_components, kl_to_prior(sticks, cycle.alpha())});
  const Matrix scores = cycle.scores(stats, weights.of_components);
  return {{"phi_v", to_json(sticks)}, {"scores", scores}, {"new_R", softmax(scores)}, {"F", step.bound}};
}

}  // namespace

void add_variational_kinds(Kinds& kinds) {
  kinds["vdp_cycle"] = vdp_cycle;
  kinds["bj_cycle"] = bj_cycle;
}

}  // namespace coppice::golden
