// SPDX-License-Identifier: BSD-3-Clause
// Few columns straight from storage, against the same by panels.
#include "coppice/kernels/few_columns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "coppice/kernels/moments.hpp"
#include "coppice/runtime/random.hpp"
#include "unit/kernels/simd_targets.hpp"

namespace coppice::kernels {
using namespace internal;
namespace {

template <class Value>
StoredRows view(const std::vector<Value>& rows, std::size_t n_rows, const std::vector<double>& origin) {
  if constexpr (std::is_same_v<Value, float>) {
    return {rows.data(), nullptr, nullptr, n_rows, origin.data()};
  } else {
    return {nullptr, rows.data(), nullptr, n_rows, origin.data()};
  }
}

// Example: rows around (10, 20, ...), which is their origin too, give or take.
template <class Value>
struct Example {
  std::size_t n_rows;
  std::size_t n_columns;
  std::vector<double> origin;
  std::vector<Value> rows;
  std::vector<double> panel;

  Example(std::size_t rows_, std::size_t columns, std::uint64_t seed)
      : n_rows(rows_), n_columns(columns), panel(columns * panel_stride) {
    RandomStream random{seed, Purpose::test, columns};
    for (std::size_t c = 0; c < n_columns; ++c) origin.push_back(10.0 * static_cast<double>(c + 1) + 0.5);
    for (std::size_t i = 0; i < n_rows * n_columns; ++i) {
      rows.push_back(static_cast<Value>(origin[i % n_columns] + 2.0 * random.normal()));
    }
    load_panel(rows.data(), nullptr, n_rows, origin, panel.data());
  }
  [[nodiscard]] StoredRows few() const { return view(rows, n_rows, origin); }
};

struct Forms {
  std::vector<std::vector<double>> m;
  std::vector<BandedTriangle> w;
  std::vector<double> a;

  Forms(std::size_t k, std::size_t d) {
    RandomStream random{k, Purpose::test, d};
    for (std::size_t c = 0; c < k; ++c) {
      std::vector<double> mean(d);
      for (double& value : mean) value = random.normal();
      m.push_back(mean);
      BandedTriangle triangle(d);
      for (std::size_t i = 0; i < d; ++i) {
        for (std::size_t j = 0; j <= i; ++j) triangle.at(i, j) = (i == j ? 1.0 : 0.0) + 0.3 * random.normal();
      }
      w.push_back(triangle);
      a.push_back(random.normal());
    }
  }
  [[nodiscard]] QuadraticForm form(std::size_t c) const { return {m[c], &w[c], a[c]}; }
};

struct Found {
  std::vector<std::int32_t> winners;
  std::vector<std::uint32_t> doubtful;
};

template <class Value>
Found by_panel(const Example<Value>& example, const Forms& forms, const FewForms::Query& query) {
  std::vector<double> costs(query.competing.size() * panel_stride);
  std::vector<double> offsets;
  for (std::size_t i = 0; i < query.competing.size(); ++i) {
    const auto c = static_cast<std::size_t>(query.competing[i]);
    quadratic_costs({example.panel.data(), example.n_rows, example.n_columns}, forms.form(c),
                    costs.data() + i * panel_stride);
    offsets.push_back(query.offsets[c]);
  }
  RowMinima minima;
  update_minima(costs.data(), offsets, 0, example.n_rows, minima);
  Found found{std::vector<std::int32_t>(panel_rows), std::vector<std::uint32_t>(panel_rows)};
  found.doubtful.resize(
      take_winners(minima, example.n_rows, query.limits, found.winners.data(), found.doubtful.data()));
  found.winners.resize(example.n_rows);
  for (std::int32_t& winner : found.winners) winner = query.competing[static_cast<std::size_t>(winner)];
  return found;
}

template <class Value>
void check_nearest(std::size_t n_rows, std::size_t d, std::vector<std::int32_t> competing) {
  const Example<Value> example(n_rows, d, n_rows);
  const Forms forms(9, d);
  FewForms few(d);
  std::vector<double> offsets;
  for (std::size_t c = 0; c < 9; ++c) {
    few.append(forms.form(c));
    offsets.push_back(0.2 * static_cast<double>(c));
  }
  // So wide that some rows are in doubt and others are not.
  const FewForms::Query query{example.few(), competing, offsets, {0.05, 0.01, 0.02, -1.0}};
  const Found want = by_panel(example, forms, query);
  Found got{std::vector<std::int32_t>(n_rows + 1, -7), std::vector<std::uint32_t>(n_rows)};
  got.doubtful.resize(few.nearest(query, got.winners.data(), got.doubtful.data()));
  EXPECT_EQ(got.winners.back(), -7) << "wrote behind the last row";
  got.winners.pop_back();
  EXPECT_EQ(got.winners, want.winners);
  // The panel's list may hold a few rows more.
  EXPECT_TRUE(std::ranges::includes(want.doubtful, got.doubtful));
  EXPECT_LE(got.doubtful.size(), n_rows);
}

constexpr std::size_t row_counts[] = {1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 100, 256};

TEST(FewColumns, NearestEqualsThePanels) {
  for_each_target([] {
    for (std::size_t d = 1; d <= most_few_columns; ++d) {
      for (const std::size_t n_rows : row_counts) {
        check_nearest<double>(n_rows, d, {0, 1, 2, 3, 4, 5, 6, 7, 8});
        check_nearest<double>(n_rows, d, {7, 2, 5});
        check_nearest<float>(n_rows, d, {8, 0});
        check_nearest<double>(n_rows, d, {4});
      }
    }
  });
}

// Equal forms: the first in the list wins, and every row is in doubt.
TEST(FewColumns, TiesAreInDoubt) {
  for_each_target([] {
    const Example<double> example(13, 2, 1);
    const Forms forms(1, 2);
    FewForms few(2);
    for (int copy = 0; copy < 3; ++copy) few.append(forms.form(0));
    const std::vector<double> offsets(3, 0.0);
    const std::vector<std::int32_t> competing{2, 0, 1};
    std::vector<std::int32_t> winners(13);
    std::vector<std::uint32_t> doubtful(13);
    const std::size_t n =
        few.nearest({example.few(), competing, offsets, {1e-12, 1e-12, 1e-12, 0.0}}, winners.data(), doubtful.data());
    EXPECT_EQ(winners, std::vector<std::int32_t>(13, 2));
    std::vector<std::uint32_t> everyone(13);
    std::iota(everyone.begin(), everyone.end(), 0U);
    EXPECT_EQ(n, 13U);
    EXPECT_EQ(doubtful, everyone);
  });
}

template <class Value>
void check_moments(std::size_t n_rows, std::size_t d, const std::vector<double>& weights) {
  Example<Value> example(n_rows, d, 3 * n_rows);
  std::vector<double> mean(d, 9.0);
  std::vector<double> scatter(packed_size(d), 9.0);
  std::vector<double> panel_mean(d);
  std::vector<double> panel_scatter(packed_size(d));
  const double weight = few_moments(example.few(), weights, mean, scatter);
  const double want = panel_moments(example.panel.data(), n_rows, weights, panel_mean, panel_scatter);
  ASSERT_NEAR(weight, want, 1e-13 * want);
  for (std::size_t c = 0; c < d; ++c) ASSERT_NEAR(mean[c], panel_mean[c], 1e-14);
  for (std::size_t i = 0; i < scatter.size(); ++i) ASSERT_NEAR(scatter[i], panel_scatter[i], 1e-11);
}

TEST(FewColumns, MomentsEqualThePanels) {
  for_each_target([] {
    for (std::size_t d = 1; d <= most_few_columns; ++d) {
      for (const std::size_t n_rows : row_counts) {
        RandomStream random{n_rows, Purpose::test};
        std::vector<double> weights;
        for (std::size_t row = 0; row < n_rows; ++row) weights.push_back(row % 3 == 1 ? 0.0 : random.uniform(0.1, 2.0));
        check_moments<double>(n_rows, d, {});
        check_moments<double>(n_rows, d, weights);
        check_moments<float>(n_rows, d, weights);
        check_moments<double>(n_rows, d, std::vector<double>(n_rows, 0.0));
      }
    }
  });
}

// A far row of weight 0 leaves no trace, not even in the last digits of the scatter.
TEST(FewColumns, MomentsIgnoreWhatWeighsNothing) {
  for_each_target([] {
    const std::vector<double> origin{0.0, 0.0};
    const std::vector<double> rows{1e9, -1e9, 1.0, 2.0, 1.0 + 1e-6, 2.0, 1.0, 2.0 + 1e-6};
    std::vector<double> mean(2);
    std::vector<double> scatter(3);
    const double weight = few_moments(view(rows, 4, origin), std::vector<double>{0.0, 1.0, 1.0, 1.0}, mean, scatter);
    EXPECT_EQ(weight, 3.0);
    EXPECT_NEAR(scatter[0], 2.0 / 3.0 * 1e-12, 1e-20);
    EXPECT_NEAR(scatter[1], -1.0 / 3.0 * 1e-12, 1e-20);
    EXPECT_NEAR(scatter[2], 2.0 / 3.0 * 1e-12, 1e-20);
  });
}

}  // namespace
}  // namespace coppice::kernels
