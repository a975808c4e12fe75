// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Options of any method, drawn through its description: a new method or option is covered without a word here.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "coppice/methods/catalogue.hpp"
#include "fuzz/hostile_numbers.hpp"

namespace coppice::fuzz {

class DrawOptions {
 public:
  DrawOptions(Draws& draws, const Dataset& data) : draws_(draws), data_(data) {}

  void set_all(Options& options) const {
    for (const OptionDescription& option : options.descriptions()) {
      if (std::optional<OptionValue> value = draw(option)) options.set(option.key, std::move(*value));
    }
  }

 private:
  // Nothing: as it is.
  std::optional<OptionValue> draw(const OptionDescription& option) const {
    switch (option.kind) {
      case OptionKind::flag:
        return draws_.now_and_then();
      case OptionKind::word:
        return draws_.byte() >= 128 ? std::optional<OptionValue>(option.words[draws_.below(option.words.size())])
                                    : std::nullopt;
      case OptionKind::clusters:
        return clusters(option.range);
      default:
        break;
    }
    // An execution must end within milliseconds.
    if (option.key == "restarts") return OptionValue(std::uint64_t{1} + draws_.below(2));
    if (option.key == "max_iterations" || option.key == "chain_length") {
      return OptionValue(std::uint64_t{1} + draws_.below(24));
    }
    if (!draws_.now_and_then()) return std::nullopt;
    switch (option.kind) {
      case OptionKind::whole_number:
        return whole(option.range);
      case OptionKind::number:
        return within(option.range);
      case OptionKind::table:
        return table(option.key);
      default:
        return model();
    }
  }

  KRange clusters(const Range& range) const {
    const std::uint64_t low = whole(range);
    return {low, low + (draws_.now_and_then() ? draws_.below(4) : 0)};
  }
  // A label per row, some rows of the table, or any numbers in the shape of the prior's tables.
  Table table(std::string_view key) const {
    const std::size_t d = data_.n_columns();
    const bool is_label = key == "init" && draws_.now_and_then();
    Table table{is_label      ? data_.n_rows()
                : key == "m0" ? 1
                : key == "b0" ? d
                              : 1 + draws_.below(3),
                is_label ? 1 : d,
                {}};
    for (std::size_t at = 0; at < table.n_rows * table.n_columns; ++at) {
      const bool is_diagonal = at / d == at % d;
      const double number = is_label                ? static_cast<double>(draws_.below(4))
                            : key == "b0"           ? (is_diagonal ? std::abs(draws_.hostile()) : 0.0)
                            : draws_.now_and_then() ? draws_.hostile()
                                                    : data_.value(draws_.below(data_.n_rows()), at % d);
      table.values.push_back(number);
    }
    return table;
  }
  Model model() const {
    const std::unique_ptr<AnyMethod> method = methods().front().make();
    set_all(method->options());
    return method->fit(data_, {.threads = 1}).model;
  }
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
