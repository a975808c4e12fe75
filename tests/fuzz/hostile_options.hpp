// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Options of any method, drawn through its description: a new method or option is covered without a word here.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "coppice/methods/bayesian_kmeans.hpp"
#include "coppice/methods/describe.hpp"
#include "coppice/methods/fit.hpp"
#include "fuzz/hostile_numbers.hpp"

namespace coppice::fuzz {

class DrawOptions {
 public:
  DrawOptions(Draws& draws, const Dataset& data) : draws_(draws), data_(data) {}

  void operator()(std::string_view name, std::uint64_t& value, const Range& range, std::string_view) const {
    // An execution must end within milliseconds.
    const bool is_effort = name == "max_iterations" || name == "chain_length" || name == "restarts";
    if (is_effort) value = 1 + draws_.below(name == "restarts" ? 2 : 24);
    if (!is_effort && draws_.now_and_then()) value = whole(range);
  }
  void operator()(std::string_view, std::optional<std::uint64_t>& value, const Range& range, std::string_view) const {
    if (draws_.now_and_then()) value = whole(range);
  }
  void operator()(std::string_view, KRange& value, const Range& range, std::string_view) const {
    const std::uint64_t low = whole(range);
    value = {low, low + (draws_.now_and_then() ? draws_.below(4) : 0)};
  }
  void operator()(std::string_view, double& value, const Range& range, std::string_view) const {
    if (draws_.now_and_then()) value = within(range);
  }
  void operator()(std::string_view, std::optional<double>& value, const Range& range, std::string_view) const {
    if (draws_.now_and_then()) value = within(range);
  }
  void operator()(std::string_view, bool& value, std::string_view) const { value = draws_.now_and_then(); }
  void operator()(std::string_view, std::string& value, const Choices& choices, std::string_view) const {
    if (draws_.byte() >= 128) value = choices.words[draws_.below(choices.words.size())];
  }
  // A label per row, some rows of the table, or any numbers in the shape of the prior's tables.
  void operator()(std::string_view name, std::optional<Table>& value, const AnyTable&, std::string_view) const {
    if (!draws_.now_and_then()) return;
    const std::size_t d = data_.n_columns();
    const bool is_label = name == "init" && draws_.now_and_then();
    Table table{is_label       ? data_.n_rows()
                : name == "m0" ? 1
                : name == "b0" ? d
                               : 1 + draws_.below(3),
                is_label ? 1 : d,
                {}};
    for (std::size_t at = 0; at < table.n_rows * table.n_columns; ++at) {
      const bool is_diagonal = at / d == at % d;
      const double number = is_label                ? static_cast<double>(draws_.below(4))
                            : name == "b0"          ? (is_diagonal ? std::abs(draws_.hostile()) : 0.0)
                            : draws_.now_and_then() ? draws_.hostile()
                                                    : data_.value(draws_.below(data_.n_rows()), at % d);
      table.values.push_back(number);
    }
    value = std::move(table);
  }
  void operator()(std::string_view, std::optional<Model>& value, const AnyModel&, std::string_view) const {
    if (!draws_.now_and_then()) return;
    BayesianKMeans method;
    describe(method, DrawOptions(draws_, data_));
    value = fit(data_, method, {.threads = 1}).model;
  }

 private:
  std::uint64_t whole(const Range& range) const {
    const double high = std::min(range.high, range.low + 6.0);
    return static_cast<std::uint64_t>(range.low) + draws_.below(static_cast<std::size_t>(high - range.low) + 1);
  }
  double within(const Range& range) const {
    const double value = draws_.magnitude();
    return range.contains(value) ? value : 1.0;
  }

  Draws& draws_;
  const Dataset& data_;
};

}  // namespace coppice::fuzz
