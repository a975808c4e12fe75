// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Small parts that the families of counts and of bits share.

#include <fmt/format.h>

#include <cmath>
#include <span>
#include <string_view>
#include <vector>

#include "coppice/family/family.hpp"
#include "coppice/kernels/linear.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"
#include "family/row_entries.hpp"

namespace coppice::internal {

inline void check_pseudo_count(const Text& name, double value) {
  if (!(value > 0.0) || !std::isfinite(value)) {
    throw OptionError(format_text("{} is {}, but must be positive and finite", name, value));
  }
}

// The weighted sums of the columns; returns the weight. `also(weight, entries)` sees every row that has some.
template <class Also>
double add_columns(const RowBlock& rows, Weights weights, std::span<double> sums, const Also& also) {
  double total = 0.0;
  for_each_row(rows, [&](std::size_t i, const auto& entries) {
    const double weight = weights.empty() ? 1.0 : weights[i];
    if (!(weight > 0.0)) return;
    total += weight;
    entries.for_each([&](std::size_t column, double x) { sums[column] += weight * x; });
    also(weight, entries);
  });
  return total;
}

template <class Posterior, class CostOf>
std::vector<kernels::LinearForm> linear_forms(std::span<const Posterior> clusters, const CostOf& cost_of) {
  std::vector<kernels::LinearForm> forms;
  forms.reserve(clusters.size());
  for (const Posterior& q : clusters) forms.push_back(cost_of(q).form());
  return forms;
}

// The one number of an array of a saved prior.
inline double saved_number(const NamedArrays& arrays, const char* name, std::string_view family) {
  const auto found = arrays.find(name);
  if (found == arrays.end() || found->second.values.size() != 1) {
    throw DataError(fmt::format("the {} family's prior lacks the number {}", family, name));
  }
  return found->second.values.front();
}

// An array of a saved prior: one number for all, or `n_numbers`.
inline std::vector<double> saved_numbers(const NamedArrays& arrays, const char* name, std::size_t n_numbers,
                                         std::string_view family) {
  const auto found = arrays.find(name);
  if (found == arrays.end() || (found->second.values.size() != 1 && found->second.values.size() != n_numbers)) {
    throw DataError(fmt::format("the {} family's prior needs one number {}, or {} of them", family, name, n_numbers));
  }
  return found->second.values;
}

inline std::size_t saved_columns(const NamedArrays& arrays, std::string_view family) {
  const double n = saved_number(arrays, "n_columns", family);
  if (!(n >= 1.0 && n < 0x1p32) || n != std::floor(n)) {
    throw DataError(fmt::format("the {} family's prior is for {} columns, which makes no sense", family, n));
  }
  return static_cast<std::size_t>(n);
}

}  // namespace coppice::internal
