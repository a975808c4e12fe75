// SPDX-License-Identifier: BSD-3-Clause
// One family by itself: posterior, evidence, costs and predictive densities.
#include <algorithm>
#include <cmath>
#include <concepts>
#include <numbers>

#include "coppice/assign/assign.hpp"
#include "coppice/family/adapter.hpp"
#include "coppice/kernels/moments.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "inputs.hpp"

namespace coppice::golden {
using namespace internal;

namespace {

template <class F>
StatsArena statistics_of_all(const F& family, const Rows& rows) {
  LocalExecution execution(1);
  const FamilyAdapter<F> components(family);
  const Units units(rows);
  return statistics_of(execution.get(), units, components, one_label(units), 1);
}

// Calls a block function of the family, costs or log_predictive, for one cluster and all rows.
template <class BlockFunction>
Json for_rows(const Rows& rows, const BlockFunction& function) {
  BlockBuffer buffer(rows.n_columns());
  std::vector<double> out(kernels::panel_stride);
  Json result = Json::array();
  for (std::size_t first = 0; first < rows.size(); first += kernels::panel_rows) {
    RowBlock block(rows, first, std::min(kernels::panel_rows, rows.size() - first), buffer);
    function(block, out.data());
    for (std::size_t row = 0; row < block.n_rows(); ++row) result.push_back(out[row]);
  }
  return result;
}

// What all families have; `describe(posterior, stats)` adds what one of them has.
template <class F, class Describe>
Json summary_of(const F& family, const Json& inputs, const Describe& describe) {
  using Posterior = typename F::Posterior;
  const Rows rows = to_rows(inputs.at("X"), inputs.value("weights", Json()));
  const Rows query = to_rows(inputs.at("query"));
  const StatsArena stats = statistics_of_all(family, rows);
  const Posterior posterior = family.posterior(stats[0]);

  const auto log_predictive = [&](const Posterior& q) {
    return for_rows(query, [&](RowBlock& block, double* out) { family.log_predictive({&q, 1}, block, out); });
  };
  Json result = describe(posterior, stats[0]);
  result["log_evidence"] = family.log_evidence(stats[0]);
  result["cost"] = for_rows(query, [&](RowBlock& block, double* out) { family.costs({&posterior, 1}, block, out); });
  result["log_predictive"] = log_predictive(posterior);
  if constexpr (!std::same_as<F, UninformativeGaussian>) {  // its prior is no density
    const StatsArena nothing(1, family.stats_size());
    result["kl_posterior_prior"] = family.kl_to_prior(posterior);
    result["log_predictive_prior"] = log_predictive(family.posterior(nothing[0]));
  }
  return result;
}

// What all Normal-Wishart posteriors have; `b` is their inverse scale, row by row.
Json wishart_parts(const WishartPosterior& q, const std::vector<double>& b) {
  const std::size_t d = q.m.size();
  return {{"posterior", {{"m", q.m}, {"xi", q.xi}, {"eta", q.eta}, {"B", to_matrix(b, d)}}},
          {"cost_matrix_A", to_matrix(q.w.matrix(), d)},
          {"cost_constant_a", q.a},
          {"paper_constant_without_weight_term", q.a - static_cast<double>(d) / 2.0 * std::log(std::numbers::pi)}};
}

Json gaussian_summary(const Json& inputs) {
  const Gaussian family = to_gaussian(inputs.at("family"));
  return summary_of(family, inputs, [&](const WishartPosterior& q, ConstStatsRef stats) {
    return wishart_parts(q, family.posterior_b(stats));
  });
}

Json uninformative_summary(const Json& inputs) {
  const UninformativeGaussian family = to_uninformative(inputs.at("family"));
  const std::size_t d = family.n_columns();
  return summary_of(family, inputs, [&](const WishartPosterior& q, ConstStatsRef stats) {
    std::vector<double> scatter(d * d);
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j < d; ++j) {
        scatter[i * d + j] = stats[1 + d + kernels::packed_index(std::max(i, j), std::min(i, j))];
      }
    }
    return wishart_parts(q, scatter);
  });
}

Json multinomial_summary(const Json& inputs) {
  const Multinomial family = to_multinomial(inputs.at("family"));
  return summary_of(family, inputs, [&](const Multinomial::Posterior& q, ConstStatsRef stats) -> Json {
    return {{"posterior", posterior_of(inputs.at("family"), stats)},
            {"cost_linear_a", q.cost.a},
            {"cost_linear_b", q.cost.b}};
  });
}

Json bernoulli_summary(const Json& inputs) {
  const Bernoulli family = to_bernoulli(inputs.at("family"));
  return summary_of(family, inputs, [&](const Bernoulli::Posterior& q, ConstStatsRef stats) -> Json {
    return {{"posterior", posterior_of(inputs.at("family"), stats)},
            {"cost_linear_a", q.cost.a},
            {"cost_linear_b", q.cost.b}};
  });
}

Json family_summary(const Json& inputs) {
  const auto type = inputs.at("family").at("type").get<std::string>();
  if (type == "multinomial") return multinomial_summary(inputs);
  if (type == "bernoulli") return bernoulli_summary(inputs);
  if (type == "gauss_flat") return uninformative_summary(inputs);
  return gaussian_summary(inputs);
}

}  // namespace

void add_family_kinds(Kinds& kinds) { kinds["family_summary"] = family_summary; }

}  // namespace coppice::golden
