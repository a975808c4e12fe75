// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The options of a method as data: what its describe() says, and its values by name. Whoever lists, sets or prints
// options without knowing the method goes by this: command lines, other languages, documentation.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "coppice/methods/describe.hpp"
#include "coppice/runtime/text.hpp"

namespace coppice {

// Nothing where an option is left to the method.
using OptionValue = std::variant<std::monostate, bool, std::uint64_t, double, std::string, KRange, Table, Model>;

enum class OptionKind { flag, whole_number, number, clusters, word, table, model };
[[nodiscard]] std::string_view to_string(OptionKind kind) noexcept;

// The name that an option goes by in Python, where scikit-learn has one for it: k is n_clusters.
[[nodiscard]] std::string_view python_name(std::string_view key) noexcept;

struct OptionDescription {
  std::string key;  // "max_iterations"
  OptionKind kind = OptionKind::flag;
  bool is_optional = false;        // without a value the method finds one itself
  Range range = {};                // of numbers, and of numbers of clusters
  std::vector<std::string> words;  // to choose from
  std::string shape;               // of a table
  Text help;
  OptionValue standard;
};

// The values of one set of options.
class Options {
 public:
  virtual ~Options() = default;

  [[nodiscard]] virtual const std::vector<OptionDescription>& descriptions() const = 0;
  // OptionError if there is no such option, or if it takes another kind of value. Whether the method accepts the value
  // is for check() to say.
  virtual void set(std::string_view key, OptionValue value) = 0;
  [[nodiscard]] virtual OptionValue get(std::string_view key) const = 0;
  // OptionError if a value lies outside what its option accepts.
  virtual void check() const = 0;

  [[nodiscard]] bool has(std::string_view key) const;
};

}  // namespace coppice
