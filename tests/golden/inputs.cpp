// SPDX-License-Identifier: BSD-3-Clause
#include "inputs.hpp"

#include "coppice/family/adapter.hpp"

namespace coppice::golden {
using namespace internal;

Rows to_rows(const Json& matrix, const Json& weights) {
  const std::size_t n_columns = matrix.at(0).size();
  Dataset data = Dataset::from_rows(to_values(matrix), matrix.size(), n_columns);
  if (!weights.is_null()) data = data.with_weights(weights.get<std::vector<double>>());
  return Rows(std::move(data), std::vector<double>(n_columns, 0.0));
}

std::vector<double> to_values(const Json& list_or_matrix) {
  std::vector<double> values;
  for (const Json& entry : list_or_matrix) {
    if (entry.is_array()) {
      for (const Json& value : entry) values.push_back(value.get<double>());
    } else {
      values.push_back(entry.get<double>());
    }
  }
  return values;
}

Gaussian to_gaussian(const Json& family) {
  const auto type = family.at("type").get<std::string>();
  if (type != "gauss_nw") throw NotBuilt("family " + type + " is not built");
  return Gaussian({.m0 = to_values(family.at("m0")),
                   .xi0 = family.at("xi0").get<double>(),
                   .eta0 = family.at("eta0").get<double>(),
                   .b0 = to_values(family.at("B0"))});
}

UninformativeGaussian to_uninformative(const Json& family) {
  return {family.at("D").get<std::size_t>(), family.at("logV").get<double>()};
}

Multinomial to_multinomial(const Json& family) {
  return {family.at("D").get<std::size_t>(), family.at("psi0").get<double>()};
}

Bernoulli to_bernoulli(const Json& family) {
  return {family.at("D").get<std::size_t>(), family.at("omega0").get<double>()};
}

std::unique_ptr<Components> to_components(const Json& family) {
  const auto type = family.at("type").get<std::string>();
  if (type == "multinomial") return std::make_unique<FamilyAdapter<Multinomial>>(to_multinomial(family));
  if (type == "bernoulli") return std::make_unique<FamilyAdapter<Bernoulli>>(to_bernoulli(family));
  if (type == "gauss_flat") return std::make_unique<FamilyAdapter<UninformativeGaussian>>(to_uninformative(family));
  return std::make_unique<FamilyAdapter<Gaussian>>(to_gaussian(family));
}

std::unique_ptr<PartitionPrior> to_partition(const Json& prior) {
  const auto type = prior.at("type").get<std::string>();
  if (type == "dirichlet") return make_dirichlet(prior.at("phi0").get<double>());
  if (type == "crp") return make_dirichlet_process(prior.at("alpha").get<double>());
  throw NotBuilt("prior " + type + " is not built");
}

namespace {

Json bernoulli_posterior(const Bernoulli& family, const Bernoulli::Posterior& q) {
  std::vector<double> w0;
  std::vector<double> w1;
  for (std::size_t d = 0; d < q.ones.size(); ++d) {
    w0.push_back(family.prior()[d].zeros + q.weight - q.ones[d]);
    w1.push_back(family.prior()[d].ones + q.ones[d]);
  }
  return {{"w0", w0}, {"w1", w1}};
}

Json multinomial_posterior(const Multinomial& family, const Multinomial::Posterior& q) {
  std::vector<double> psi = q.sums;
  for (std::size_t d = 0; d < psi.size(); ++d) psi[d] += family.psi0()[d];
  return {{"psi", psi}};
}

}  // namespace

Json posterior_of(const Json& family, ConstStatsRef stats) {
  const auto type = family.at("type").get<std::string>();
  if (type == "bernoulli") {
    const Bernoulli bernoulli = to_bernoulli(family);
    return bernoulli_posterior(bernoulli, bernoulli.posterior(stats));
  }
  if (type == "multinomial") {
    const Multinomial multinomial = to_multinomial(family);
    return multinomial_posterior(multinomial, multinomial.posterior(stats));
  }
  const Gaussian gaussian = to_gaussian(family);
  const WishartPosterior q = gaussian.posterior(stats);
  return {{"m", q.m}, {"xi", q.xi}, {"eta", q.eta}, {"B", to_matrix(gaussian.posterior_b(stats), q.m.size())}};
}

Json to_matrix(std::span<const double> row_by_row, std::size_t n_columns) {
  Json matrix = Json::array();
  for (std::size_t at = 0; at < row_by_row.size(); at += n_columns) {
    const auto row = row_by_row.subspan(at, n_columns);
    matrix.push_back(Json(std::vector<double>(row.begin(), row.end())));
  }
  return matrix;
}

}  // namespace coppice::golden
