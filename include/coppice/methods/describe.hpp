// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A method says its options once, beside its struct:
//
//   template <class Self, class Visit>
//     requires std::same_as<std::remove_const_t<Self>, MyMethod>
//   void describe(Self& o, Visit&& visit) {
//     visit("max_iterations", o.max_iterations, Range::at_least(1), "sweeps over the data at most");
//   }
//
// The command line, `coppice methods`, summary.json and the checks below all walk that list. Help names other options
// in braces, "not with {hard}" (Text::from_template), since every front end writes them in its own way.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "coppice/model/model.hpp"

namespace coppice {

// Which numbers an option accepts.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool is_low_excluded = false;

  static constexpr Range any() { return {}; }
  static constexpr Range positive() { return {0.0, std::numeric_limits<double>::infinity(), true}; }
  static constexpr Range between(double low, double high) { return {low, high, false}; }
  // Rows that a prior is worth: a trillion and one cannot be told apart, nor next to nothing from less.
  static constexpr Range pseudo_count() { return {1e-100, 1e12, false}; }
  // The numbers of a Beta distribution whose logarithms' means are told apart in double precision.
  static constexpr Range stick() { return {1e-6, 1e6, false}; }
  static constexpr Range at_least(double low) { return {low, std::numeric_limits<double>::infinity(), false}; }

  [[nodiscard]] bool contains(double value) const noexcept;
  [[nodiscard]] std::string to_string() const;  // "greater than 0"
};

// Which words an option accepts.
struct Choices {
  std::vector<std::string> words;
  [[nodiscard]] std::string to_string() const;  // "auto, paper"
};

// An option whose value is a small table: a file on the command line, an array elsewhere.
struct Table {
  std::size_t n_rows = 0;
  std::size_t n_columns = 0;
  std::vector<double> values;  // row by row
  bool operator==(const Table&) const = default;
};

struct AnyTable {
  std::string shape;  // what is expected, for the help
};

// An option whose value is a fitted model: a file on the command line.
struct AnyModel {};

// A number of clusters, or several to choose from.
struct KRange {
  std::uint64_t low;
  std::uint64_t high;

  constexpr KRange(std::uint64_t k = 1) : low(k), high(k) {}  // NOLINT(google-explicit-constructor): .k = 5
  constexpr KRange(std::uint64_t lowest, std::uint64_t highest) : low(lowest), high(highest) {}

  // "5" or "2..10". OptionError for anything else, and for a range that runs backwards.
  static KRange parse(std::string_view text);
  [[nodiscard]] bool is_one() const noexcept { return low == high; }
  [[nodiscard]] std::string to_string() const;
  bool operator==(const KRange&) const = default;
};

// OptionError if an option lies outside what it accepts.
void check_option(std::string_view name, double value, const Range& range);
void check_option(std::string_view name, const std::string& value, const Choices& choices);
void check_order(const KRange& range);

// Checks every option of a method against its description.
template <class Method>
void check_options(const Method& method) {
  struct Check {
    void operator()(std::string_view name, double value, const Range& range, std::string_view) const {
      check_option(name, value, range);
    }
    void operator()(std::string_view name, const std::optional<double>& value, const Range& range,
                    std::string_view) const {
      if (value) check_option(name, *value, range);
    }
    void operator()(std::string_view name, std::uint64_t value, const Range& range, std::string_view) const {
      check_option(name, static_cast<double>(value), range);
    }
    void operator()(std::string_view name, const std::optional<std::uint64_t>& value, const Range& range,
                    std::string_view) const {
      if (value) check_option(name, static_cast<double>(*value), range);
    }
    void operator()(std::string_view name, const KRange& value, const Range& range, std::string_view) const {
      check_option(name, static_cast<double>(value.low), range);
      check_option(name, static_cast<double>(value.high), range);
      check_order(value);
    }
    void operator()(std::string_view, bool, std::string_view) const {}
    void operator()(std::string_view name, const std::string& value, const Choices& choices, std::string_view) const {
      check_option(name, value, choices);
    }
    void operator()(std::string_view, const std::optional<Table>&, const AnyTable&, std::string_view) const {}
    void operator()(std::string_view, const std::optional<Model>&, const AnyModel&, std::string_view) const {}
  };
  describe(method, Check{});
}

}  // namespace coppice
