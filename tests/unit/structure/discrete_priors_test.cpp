// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/discrete_priors.hpp"

#include <gtest/gtest.h>

#include "coppice/family/adapter.hpp"
#include "coppice/family/bernoulli.hpp"
#include "coppice/family/multinomial.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "unit/family/discrete_examples.hpp"

namespace coppice::internal {
namespace {

const Bernoulli& bernoulli(const Components& components) {
  return dynamic_cast<const FamilyAdapter<Bernoulli>&>(components).get();
}
const Multinomial& multinomial(const Components& components) {
  return dynamic_cast<const FamilyAdapter<Multinomial>&>(components).get();
}

TEST(DiscretePriors, RatesAreSharesWithHalfACountMore) {
  LocalExecution local(1);
  const Rows bits = rows_from({1, 0, 1,  //
                               0, 0, 1,  //
                               1, 0, 1},
                              3);
  const std::vector<double> of_bits = bit_rates(local.get(), bits);
  EXPECT_DOUBLE_EQ(of_bits[0], 2.5 / 4.0);
  EXPECT_DOUBLE_EQ(of_bits[1], 0.5 / 4.0) << "never";
  EXPECT_DOUBLE_EQ(of_bits[2], 3.5 / 4.0) << "always";
  const std::vector<double> of_counts = count_rates(local.get(), rows_from({3, 0, 1, 2}, 2));
  EXPECT_DOUBLE_EQ(of_counts[0], 4.5 / 7.0);
  EXPECT_DOUBLE_EQ(of_counts[1], 2.5 / 7.0);
}

TEST(DiscretePriors, WeightsAreAsManyRows) {
  LocalExecution local(1);
  const Rows once = rows_of(Dataset::from_rows(std::vector<double>{1, 0, 0, 1}, 2, 2).with_weights({3.0, 1.0}));
  const Rows often = rows_from({1, 0, 1, 0, 1, 0, 0, 1}, 2);
  EXPECT_EQ(bit_rates(local.get(), once), bit_rates(local.get(), often));
  EXPECT_EQ(count_rates(local.get(), once), count_rates(local.get(), often));
}

TEST(DiscretePriors, ColumnsShareThePseudoCountByTheirRates) {
  const auto bits = make_centred_bernoulli_prior({0.25, 0.5});
  const auto at = bits->at(std::vector<double>{3.0});
  EXPECT_EQ(bernoulli(*at).prior()[0], (BetaCounts{4.5, 1.5}));
  EXPECT_EQ(bernoulli(*at).prior()[1], (BetaCounts{3.0, 3.0}))
      << "as by hand where zeros and ones are equally frequent";
  const auto counts = make_centred_multinomial_prior({0.5, 0.25, 0.25}, 8.0);
  const auto counts_at = counts->at(std::vector<double>{2.0});
  EXPECT_EQ(multinomial(*counts_at).psi0()[0], 3.0);
  EXPECT_EQ(multinomial(*counts_at).psi0()[1], 1.5);
  EXPECT_EQ(multinomial(*counts_at).total(), 8.0);
}

TEST(DiscretePriors, ByHandAllColumnsHaveTheSame) {
  const auto bits = make_bernoulli_prior(3, 0.7);
  EXPECT_EQ(bits->starts(), (std::vector<std::vector<double>>{{0.7}}));
  EXPECT_EQ(bits->numbers().front().low, bits->numbers().front().high) << "not to be fitted";
  EXPECT_EQ(bits->at(bits->starts().front())->prior_arrays(), Bernoulli(3, 0.7).to_arrays());
  const auto counts = make_multinomial_prior(3, 0.7, {});
  EXPECT_EQ(counts->at(counts->starts().front())->prior_arrays(), Multinomial(3, 0.7).to_arrays());
}

}  // namespace
}  // namespace coppice::internal
