// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The families by name: what columns they take, what they can do, how their priors are made and how a saved model finds
// them again. Methods ask this table and compare no names. A program that brings its own family registers it once, and
// may then name it in a fit and load its models:
//
//   FamilyEntry mine = family_entry_of<MyFamily>("mine");
//   mine.columns = ColumnsTaken::counts;
//   mine.make_prior = [](const PriorSource& source) {
//     return make_fixed_prior(std::make_unique<FamilyAdapter<MyFamily>>(MyFamily(source.rows().n_columns())));
//   };
//   register_family(std::move(mine));
//   fit(points, BayesianKMeans{.family = "mine"});

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coppice/family/adapter.hpp"
#include "coppice/structure/adjustable_prior.hpp"
#include "coppice/structure/gaussian_priors.hpp"

namespace coppice {

// The rule for numbers of a prior that are not given by hand: fitted to the clusters, the best of a few, or published.
enum class PriorRule : std::uint8_t { fitted, grid, paper };

// Whether clusters are searched for, joined from single rows on, or the components of an infinite mixture, some of
// which are at the prior itself. In a search, Gaussian clusters of any shape may vary in scale
// (NormalWishart::multiples), which fast merges do not know. In agglomeration, fitted priors of counts and bits are
// centred on the columns' rates: they decide what the first merges join. (A search finds a lower objective under them,
// too, but more clusters: its labels come no closer to known classes.) And if there are few rows for columns that vary
// alike, Gaussian priors of a tree are the same along all axes.
enum class PriorUse : std::uint8_t { search, agglomeration, infinite_mixture };

// Which prior is wanted. Numbers that are not given follow the rule.
struct PriorRequest {
  PriorRule rule = PriorRule::fitted;
  PriorUse use = PriorUse::search;
  std::optional<double> xi0 = {};
  std::optional<double> eta0 = {};
  std::vector<double> m0 = {};  // in the data's own coordinates; empty: not given
  std::vector<double> b0 = {};  // columns x columns, row by row; empty: not given
  std::optional<double> psi0 = {};
  std::optional<double> omega0 = {};
  bool has_rivals = false;  // other families compete
};

// What priors are made from. What several families take from the rows is worked out once, when first asked for; on one
// thread. Keep execution and rows meanwhile.
class PriorSource {
 public:
  PriorSource(const Execution& execution, const Rows& rows, PriorRequest request);
  PriorSource(const PriorSource&) = delete;
  PriorSource& operator=(const PriorSource&) = delete;

  [[nodiscard]] const Execution& execution() const noexcept { return execution_; }
  // Goes on to the end: a prior is needed even if the fit is to stop.
  [[nodiscard]] const Execution& unstopped() const noexcept { return unstopped_; }
  [[nodiscard]] const Rows& rows() const noexcept { return rows_; }
  [[nodiscard]] const PriorRequest& request() const noexcept { return request_; }
  [[nodiscard]] const GaussianShape& shape() const;

 private:
  [[nodiscard]] bool has_little_to_tell_scales(const GaussianShape& shape) const;

  Execution execution_;
  Execution unstopped_;
  const Rows& rows_;
  PriorRequest request_;
  mutable std::optional<GaussianShape> shape_;
};

// The columns that a family takes. Counts and bits are taken as they are, without an origin; constant ones stay.
enum class ColumnsTaken : std::uint8_t { real, counts, bits };

using FamilyLoader = std::function<std::unique_ptr<Components>(const NamedArrays& prior)>;
using PriorMaker = std::function<std::unique_ptr<AdjustablePrior>(const PriorSource& source)>;

// What maximum likelihood has to know of a family without a prior.
struct PointEstimates {
  std::function<std::unique_ptr<Components>(std::vector<double> floors)>
      make;                                                       // from the least variance of every column
  std::function<double(double n_columns)> numbers_in_covariance;  // of one cluster
};

struct FamilyEntry {
  std::string name;            // as the class names itself
  FamilyLoader load;           // from the arrays of a model file
  PriorMaker make_prior = {};  // none: no fit can ask for this family by its name

  ColumnsTaken columns = ColumnsTaken::real;
  std::function<void(const Dataset&)> check_rows = {};  // DataError if it cannot take such numbers

  // What the class says of itself.
  bool takes_sparse_rows = false;
  bool has_density = true;
  bool weighs_members = false;  // heavy tails: members count for more or less by how well they fit
  bool moves_single_rows = false;
  bool has_box_test = false;

  // What methods may do with it.
  std::vector<std::string> numbers = {};  // of a prior that can be given by hand, as in PriorRequest
  bool has_fitted_prior = false;          // numbers of the prior that a search can fit
  bool has_paper_rule = false;            // PriorRule::paper means something
  bool may_have_background = false;       // a uniform background may stand beside its clusters
  bool starts_trees = false;              // single rows have an evidence, so that agglomeration can begin with them
  bool scales_columns = false;            // every column has a variance of its own, and no correlations
  bool has_one_scale = false;             // one variance for all columns, whose units matter then
  std::string grows_from = {};            // its clusters are found from those of this family; empty: by themselves
  double phi0 = 2.0;                      // of the finite Dirichlet prior, if nothing else is asked for
  std::optional<PointEstimates> point_estimates = {};

  [[nodiscard]] bool takes_number(std::string_view number) const;
};

// How the class is loaded, and what it says of itself; the rest is to be filled in.
template <Family F>
[[nodiscard]] FamilyEntry family_entry_of(std::string name) {
  FamilyEntry entry;
  entry.name = std::move(name);
  entry.load = [](const NamedArrays& prior) { return std::make_unique<FamilyAdapter<F>>(F::from_arrays(prior)); };
  if constexpr (requires { F::takes_sparse_rows; }) entry.takes_sparse_rows = F::takes_sparse_rows;
  if constexpr (requires { F::has_density; }) entry.has_density = F::has_density;
  entry.weighs_members = WeighsMembers<F>;
  entry.moves_single_rows = MovesSingleRows<F>;
  entry.has_box_test = BoxBounded<F>;
  return entry;
}

// OptionError if the name is taken.
void register_family(FamilyEntry entry);
// One that models are loaded with, but that fits cannot name.
void register_family(const std::string& name, FamilyLoader loader);

// Every family that there is, by name; nullptr for an unknown one. Entries stay as they are.
[[nodiscard]] const FamilyEntry* find_family(std::string_view name);
// The same for those who know that it is there: OptionError.
[[nodiscard]] const FamilyEntry& family_entry(std::string_view name);
[[nodiscard]] std::vector<std::string> family_names();
// The words given, and after them the families that a program has registered and that fits can name. With `for_trees`
// only those with which agglomeration can begin.
[[nodiscard]] std::vector<std::string> with_registered_families(std::vector<std::string> words, bool for_trees = false);

// The family with its prior, no clusters yet. DataError for an unknown name, or arrays that do not fit.
[[nodiscard]] std::unique_ptr<Components> make_family(const std::string& name, const NamedArrays& prior);

// OptionError if the family has no use for a number that is given, or knows no such rule.
void check_request(const FamilyEntry& family, const PriorRequest& request);

// The prior of one family, or of several that compete, in their order. If priors are the same along all axes, families
// that scale every column have no place beside others.
[[nodiscard]] std::unique_ptr<AdjustablePrior> make_prior(const FamilyEntry& family, const PriorSource& source);
[[nodiscard]] std::vector<std::unique_ptr<AdjustablePrior>> make_priors(std::span<const std::string> families,
                                                                        const PriorSource& source);

}  // namespace coppice
