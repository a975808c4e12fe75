// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/infer/variational_step.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "coppice/infer/shared_rows.hpp"
#include "coppice/kernels/log_sum_exp.hpp"
#include "unit/infer/mixture_examples.hpp"
#include "unit/structure/all_partitions.hpp"

namespace coppice::internal {
namespace {

template <class F>
class Mixtures : public testing::Test, public MixtureExample<F> {
 public:
  Mixtures() : MixtureExample<F>(60) {}
};
TYPED_TEST_SUITE(Mixtures, MixtureFamilies);

TYPED_TEST(Mixtures, TheFreeEnergyNeverRises) {
  StatsArena stats = this->start(4, 0.2);
  double last = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 40; ++i) {
    VariationalStep step = this->step(stats);
    EXPECT_LE(step.bound, last + 1e-11 * std::abs(last)) << i;
    last = step.bound;
    stats = std::move(step.next);
  }
}

// Nested in T: with one component more, which is at its prior, the free energy is the same.
TYPED_TEST(Mixtures, AComponentAtItsPriorAddsNothing) {
  StatsArena stats = this->start(3, 0.3);
  const auto clusters = this->family_.clone();
  std::vector<Stick> sticks = sticks_of(stick_prior, stats.weights(), 0.3 * this->total_);
  const auto bound = [&] {
    const StickWeights weights = expected_log_weights(sticks);
    MixtureWeights given{weights.of_components, kl_to_prior(sticks, stick_prior)};
    given.expected_logs.push_back(weights.of_rest + log_tail(stick_prior));
    return variational_step(this->execution(), this->problem(), *clusters, stats, given, {});
  };
  const VariationalStep before = bound();
  stats.append(std::vector<double>(stats.stats_size(), 0.0));
  sticks.push_back({stick_prior.alpha1, stick_prior.alpha2});
  const VariationalStep after = bound();
  EXPECT_NEAR(after.bound, before.bound, 1e-12 * std::abs(before.bound));
  EXPECT_NEAR(after.next.weight(3) + after.tail[0], before.tail[0], 1e-12);
  EXPECT_GT(before.tail[0], 1e-3) << "else there is nothing to show";
}

// Sum over all partitions of the rows, each with the evidence of its clusters.
TYPED_TEST(Mixtures, TheFreeEnergyBoundsTheEvidence) {
  constexpr std::size_t n_few = 7;
  const Rows few(this->rows_of(n_few, 9).data().with_weights(std::vector<double>(n_few, 1.0)),
                 std::vector<double>(this->d, 0.0));
  const Units units(few);
  const auto process = make_dirichlet_process(stick_prior.alpha2);
  std::vector<double> log_joints;
  for_each_partition(n_few, [&](const std::vector<std::int32_t>& labels) {
    log_joints.push_back(-labelling_objective(this->execution(), few, this->family_, *process, labels));
  });
  const double evidence = kernels::log_sum_exp(log_joints);
  const Problem problem{units, this->family_, *this->prior_, static_cast<double>(n_few)};
  const auto clusters = this->family_.clone();
  for (std::size_t k = 1; k <= 3; ++k) {
    StatsArena stats = labelling_statistics(this->execution(), few, this->family_, random_labels(n_few, k, 5));
    VariationalStep step;
    for (std::size_t i = 0; i < 30; ++i) {
      step = variational_step(this->execution(), problem, *clusters, stats);
      stats = std::move(step.next);
      EXPECT_GE(step.bound, -evidence) << k;
    }
    EXPECT_LT(step.bound, -evidence + 12.0) << "a bound of any use";
  }
}

// What two components share out between them changes the bound of these rows alone by as much as that of all: shares
// that others have stay.
TYPED_TEST(Mixtures, PartsOfOneComponentAreJudgedByWhatItHas) {
  const StatsArena stats = this->start(3, 0.1);
  const Problem problem = this->problem();
  // Shares of all at the posteriors of `stats`; component 1 is cut in two by the parity of the rows.
  const std::vector<SharedRows> shares = shared_rows(this->execution(), problem, stats, 0.0);
  const VariationalStep all = this->step(stats);
  std::vector<double> others = {all.next.weight(0), all.next.weight(2)};
  StatsArena halves(2, stats.stats_size());
  BlockBuffer buffer(this->d);
  for (std::size_t i = 0; i < shares[1].rows.size(); ++i) {
    RowBlock row(this->rows_, std::span(shares[1].rows).subspan(i, 1), buffer);
    this->family_.add(halves[shares[1].rows[i] % 2], row, std::span(shares[1].shares).subspan(i, 1));
  }
  StatsArena one(1, stats.stats_size());
  one.assign(0, halves[0]);
  this->family_.merge(one[0], halves[1]);
  const auto clusters = this->family_.clone();
  const StepScope scope{.others = others, .portion = shares[1].portion(), .has_tail = false};
  const double change = variational_step(this->execution(), problem, *clusters, halves, scope).bound -
                        variational_step(this->execution(), problem, *clusters, one, scope).bound;

  // The same by the definition: sum_n sum_i r_ni (log r_ni - S_ni) and the divergences.
  const auto free_energy = [&](const StatsArena& parts, bool is_cut) {
    StatsArena mixture(0, stats.stats_size());
    mixture.append(all.next[0]);
    mixture.append(all.next[2]);
    for (std::size_t c = 0; c < parts.size(); ++c) mixture.append(parts[c]);
    const MixtureWeights weights = weights_of(problem, mixture);
    mixture.append(std::vector<double>(stats.stats_size(), 0.0));
    clusters->update(this->execution(), mixture);
    double sum = weights.divergence;
    for (std::size_t c = 0; c + 1 < mixture.size(); ++c) sum += clusters->kl_to_prior(c);
    std::vector<double> costs(mixture.size() * kernels::panel_stride);
    RowBlock block(this->rows_, 0, this->n, buffer);
    clusters->costs({}, block, costs.data());
    const auto score = [&](std::size_t c, std::size_t row) {
      return weights.expected_logs[c] - costs[c * kernels::panel_stride + row];
    };
    std::vector<double> of_tail(this->n);
    for (std::size_t row = 0; row < this->n; ++row) of_tail[row] = this->rows_.weight(row);
    const auto add = [&](const SharedRows& has, std::size_t c, auto&& part) {
      for (std::size_t i = 0; i < has.rows.size(); ++i) {
        const std::size_t row = has.rows[i];
        const double mass = has.shares[i] * part(row);
        of_tail[row] -= mass;
        if (mass > 0.0) sum += mass * (std::log(mass / this->rows_.weight(row)) - score(c, row));
      }
    };
    const auto whole = [](std::size_t /*row*/) { return 1.0; };
    add(shares[0], 0, whole);
    add(shares[2], 1, whole);
    if (!is_cut) {
      add(shares[1], 2, whole);
    } else {  // at their best between the two
      for (const std::size_t half : {0U, 1U}) {
        add(shares[1], 2 + half,
            [&](std::size_t row) { return 1.0 / (1.0 + std::exp(score(3 - half, row) - score(2 + half, row))); });
      }
    }
    const std::size_t tail = mixture.size() - 1;
    for (std::size_t row = 0; row < this->n; ++row) {
      const double mass = std::max(0.0, of_tail[row]);
      if (mass > 1e-9) sum += mass * (std::log(mass / this->rows_.weight(row)) - score(tail, row));
    }
    return sum;
  };
  EXPECT_NEAR(change, free_energy(halves, true) - free_energy(one, false), 1e-6 * std::abs(all.bound));
}

}  // namespace
}  // namespace coppice::internal
