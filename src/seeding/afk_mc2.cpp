// SPDX-License-Identifier: BSD-3-Clause
// AFK-MC2 (docs/references.md): k-means++ by Markov chains, O(m K^2 D) after one pass over the rows. The proposal q
// stays the same throughout, half the distance from the first centre and half uniform, so that every row can be
// proposed; only the distances from the centres change.

#include "coppice/seeding/afk_mc2.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "coppice/runtime/error.hpp"
#include "seeding/afk_chain.hpp"
#include "seeding/squared_masses.hpp"

namespace coppice::internal {

namespace {

// Draws by the D^2 law itself when a chain is of no help; learns only then of the centres chosen since the last time.
class ExactDraw {
 public:
  explicit ExactDraw(const SeedingTable& table) : table_(table) {}

  // Nothing if every row is at distance 0 from a centre.
  std::optional<std::size_t> draw(const Execution& execution, std::span<const double> centres, RandomStream& random) {
    if (!masses_) masses_.emplace(execution, table_);
    const std::size_t n_columns = table_.rows().n_columns();
    for (; n_known_ < centres.size() / n_columns; ++n_known_) {
      masses_->add_centre(execution, centres.subspan(n_known_ * n_columns, n_columns));
    }
    if (masses_->total() == 0) return std::nullopt;
    return masses_->draw(execution, 1, random).front();
  }

 private:
  const SeedingTable& table_;
  std::optional<SquaredMasses> masses_;
  std::size_t n_known_ = 0;
};

// The rows chosen so far and their points.
struct Chosen {
  void take(const SeedingTable& table, std::size_t row) {
    rows.push_back(row);
    points.resize(points.size() + table.rows().n_columns());
    table.copy_point(row, std::span(points).last(table.rows().n_columns()));
  }
  std::vector<std::size_t> rows;
  std::vector<double> points;
};

}  // namespace

std::vector<std::size_t> afk_mc2_rows(const Execution& execution, const ScaledRows& rows, std::size_t k,
                                      std::size_t chain_length, RandomStream& random) {
  if (chain_length == 0) throw OptionError("the chain length of AFK-MC2 is 0; choose 1 or more, 200 is usual");
  const SeedingTable table(execution, rows);
  Chosen chosen;
  if (k == 0 || table.n_present() == 0) return chosen.rows;
  ContentOrder order(execution, table);
  chosen.take(table, draw_by_weight(table, order, random));
  if (k == 1) return chosen.rows;
  const AfkProposal proposal(execution, table, std::move(order), chosen.rows.front());
  const AfkChain chain(table, proposal);
  ExactDraw exact(table);
  while (chosen.rows.size() < k) {
    const AfkChain::End end = chain.run(execution, chosen.points, chain_length, random);
    // A chain that ends on a chosen row has found nothing: where nearly all rows are copies, the law itself is drawn
    // from.
    const std::optional<std::size_t> next = end.squared > 0.0 ? end.row : exact.draw(execution, chosen.points, random);
    if (!next) break;
    chosen.take(table, *next);
  }
  return chosen.rows;
}

std::vector<double> afk_proposal(const Execution& execution, const Rows& rows, std::size_t first) {
  const SeedingTable table(execution, rows);
  std::vector<double> law(rows.size(), 0.0);
  if (table.n_present() == 0) return law;
  const AfkProposal proposal(execution, table, ContentOrder(execution, table), first);
  const PointDistances distances(table);
  PointDistances::Workspace work(distances);
  for (std::size_t row = 0; row < law.size(); ++row) {
    distances.of_run(row, 1, proposal.first_point(), work);
    law[row] = proposal.probability(work.squared.front(), rows.weight(row));
  }
  return law;
}

double acceptance(const ChainState& from, const ChainState& to) noexcept {
  // Anything is better than a row that is a centre already.
  if (!(from.squared > 0.0)) return 1.0;
  return std::min(1.0, to.squared * from.proposal / (from.squared * to.proposal));
}

std::vector<double> chain_law(std::span<const ChainState> states, std::size_t chain_length) {
  std::vector<double> law(states.size());
  std::ranges::transform(states, law.begin(), &ChainState::proposal);
  for (std::size_t move = 1; move < chain_length; ++move) {
    std::vector<double> next(law.size(), 0.0);
    for (std::size_t from = 0; from < law.size(); ++from) {
      // What is not moved stays: rows of the transition matrix add up to one.
      double stays = 1.0;
      for (std::size_t to = 0; to < law.size(); ++to) {
        if (to == from) continue;
        const double moves = states[to].proposal * acceptance(states[from], states[to]);
        next[to] += law[from] * moves;
        stays -= moves;
      }
      next[from] += law[from] * stays;
    }
    law = std::move(next);
  }
  return law;
}

}  // namespace coppice::internal
