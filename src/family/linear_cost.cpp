// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/family/linear_cost.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "coppice/family/tie_rule.hpp"
#include "coppice/kernels/argmin.hpp"
#include "coppice/kernels/linear_bound.hpp"
#include "family/row_entries.hpp"

namespace coppice::internal {

LinearCost::LinearCost(std::vector<double> coefficients, double constant, double most)
    : a(std::move(coefficients)), b(constant), tie_floor(constant - std::abs(constant)) {
  double negative = 0.0;
  // Products of negative coefficients are what makes a sum smaller than its size: without them the size is the value
  // itself, beside the constant.
  for (const double value : a) negative += std::max(0.0, -value);
  if (negative > 0.0) tie_floor -= 2.0 * negative * most;
}

ExactCost LinearCost::exact(std::span<const double> row) const noexcept {
  const kernels::ExactLinear exact = kernels::exact_linear(row, form());
  return {exact.value, exact.scale};
}

ExactCost LinearCost::exact(const SparseRow& row) const noexcept {
  const kernels::ExactLinear exact = row.floats.empty() ? kernels::exact_linear(row.columns, row.doubles, form())
                                                        : kernels::exact_linear(row.columns, row.floats, form());
  return {exact.value, exact.scale};
}

double LinearCost::of_sums(double weight, std::span<const double> sums) const noexcept {
  // The sum of the costs of rows is the cost of their sums, at the price of one row.
  return kernels::exact_linear(sums, {a, weight * b}).value;
}

void linear_costs(std::span<const kernels::LinearForm> forms, RowBlock& rows, double* out) {
  if (!rows.are_sparse()) return kernels::linear_costs(rows.panel(), forms, out);
  for_each_row(rows, [&](std::size_t row, const auto& entries) {
    for (std::size_t c = 0; c < forms.size(); ++c) {
      double cost = forms[c].b;
      // Columns in increasing order, as for dense rows.
      entries.for_each([&](std::size_t column, double x) { cost += forms[c].a[column] * x; });
      out[c * kernels::panel_stride + row] = cost;
    }
  });
}

std::optional<std::size_t> LinearFinder::find(RowBlock& rows, const NearestQuery& query, std::int32_t* winners,
                                              std::uint32_t* doubtful) const {
  return rows.are_sparse() ? find_sparse(rows, query, winners, doubtful) : find_dense(rows, query, winners, doubtful);
}

std::size_t LinearFinder::find_sparse(const RowBlock& rows, const NearestQuery& query, std::int32_t* winners,
                                      std::uint32_t* doubtful) const {
  thread_local std::vector<double> values;  // of all clusters
  values.resize(table_.stride());
  std::size_t n_doubtful = 0;
  for (std::size_t row = 0; row < rows.n_rows(); ++row) {
    const SparseRow entries = rows.sparse_row(row);
    // For all clusters, though not all may compete: lanes are clusters, and a list would scatter them.
    if (entries.floats.empty()) {
      table_.at(entries.columns, entries.doubles, values.data());
    } else {
      table_.at(entries.columns, entries.floats, values.data());
    }
    double best = std::numeric_limits<double>::infinity();
    double second = best;
    winners[row] = query.competing.front();
    for (const std::int32_t c : query.competing) {
      const double cost = values[static_cast<std::size_t>(c)] + query.offsets[static_cast<std::size_t>(c)];
      if (cost < best) winners[row] = c;
      second = std::min(second, std::max(best, cost));
      best = std::min(best, cost);
    }
    const double limit = query.limits.base + query.limits.per_size * std::abs(best) +
                         query.limits.per_excess * std::max(best - query.limits.floor, 0.0);
    // A gap that is not a number is doubtful, too.
    if (!(second - best > limit)) doubtful[n_doubtful++] = static_cast<std::uint32_t>(row);
  }
  return n_doubtful;
}

std::size_t LinearFinder::find_dense(RowBlock& rows, const NearestQuery& query, std::int32_t* winners,
                                     std::uint32_t* doubtful) const {
  struct Workspace {
    std::vector<kernels::LinearForm> forms;
    std::vector<double> offsets;
    std::vector<double> costs;
    kernels::RowMinima minima;
    std::array<std::int32_t, kernels::panel_rows> places;  // of the winners, in the list
  };
  constexpr std::size_t tile = 64;  // clusters at a time: their costs stay in the cache
  thread_local Workspace work;
  const std::span<const std::int32_t> competing = query.competing;
  work.costs.resize(std::min(tile, competing.size()) * kernels::panel_stride);
  for (std::size_t first = 0; first < competing.size(); first += tile) {
    work.forms.clear();
    work.offsets.clear();
    for (const std::int32_t c : competing.subspan(first, std::min(tile, competing.size() - first))) {
      work.forms.push_back(forms_[static_cast<std::size_t>(c)]);
      work.offsets.push_back(query.offsets[static_cast<std::size_t>(c)]);
    }
    kernels::linear_costs(rows.panel(), work.forms, work.costs.data());
    kernels::update_minima(work.costs.data(), work.offsets, first, rows.n_rows(), work.minima);
  }
  const std::size_t n_doubtful =
      kernels::take_winners(work.minima, rows.n_rows(), query.limits, work.places.data(), doubtful);
  for (std::size_t row = 0; row < rows.n_rows(); ++row) {
    winners[row] = competing[static_cast<std::size_t>(work.places[row])];
  }
  return n_doubtful;
}

namespace {

class LinearBoxTest final : public BoxTest {
 public:
  LinearBoxTest(std::span<const kernels::LinearForm> forms, std::span<const double> offsets, std::size_t n_columns,
                std::optional<double> total)
      : forms_(n_columns, total), band_(widest_band(n_columns)) {
    for (std::size_t c = 0; c < forms.size(); ++c) forms_.append(forms[c], offsets[c]);
  }
  void prune(std::span<kernels::ContestedBox> boxes, double lead, std::vector<double>& scratch) const override {
    for (kernels::ContestedBox& box : boxes) {
      box.n = forms_.drop_beaten(box.low, box.high, {lead, band_}, box.list(), scratch);
    }
  }

 private:
  kernels::LinearTester forms_;
  double band_;
};

}  // namespace

std::unique_ptr<BoxTest> linear_box_test(std::span<const kernels::LinearForm> forms, std::span<const double> offsets,
                                         std::size_t n_columns, std::optional<double> total) {
  return std::make_unique<LinearBoxTest>(forms, offsets, n_columns, total);
}

}  // namespace coppice::internal
