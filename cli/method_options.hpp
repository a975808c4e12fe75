// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Turns a description of options (coppice/methods/describe.hpp) into command-line options, JSON and help.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <concepts>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "coppice/methods/describe.hpp"
#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/error.hpp"
#include "table_files.hpp"
#include "whole_number.hpp"

namespace coppice::cli {

// Adds one option per field. Tables are given as files; `files` remembers which one goes where until they are read.
class AddOptions {
 public:
  AddOptions(CLI::App& command, TableFiles& files, std::string group)
      : command_(command), files_(files), group_(std::move(group)) {}

  template <class Value>
  void operator()(std::string_view name, Value& value, const Range& range, std::string_view help) const {
    CLI::Option* option = command_.add_option(option_flag(name), value, std::string(help));
    finish(option, "NUMBER");
    if constexpr (std::integral<Value> || std::floating_point<Value>) option->default_str(fmt::format("{}", value));
    option->check([range](const std::string& text) {
      constexpr bool is_whole = std::same_as<Value, std::uint64_t> || std::same_as<Value, std::optional<std::uint64_t>>;
      std::string complaint = out_of_range(text, range);
      return complaint.empty() && is_whole ? unfit_whole_number(text) : complaint;
    });
  }
  void operator()(std::string_view name, KRange& value, const Range& range, std::string_view help) const {
    CLI::Option* option = command_.add_option_function<std::string>(
        option_flag(name), [&value](const std::string& text) { value = KRange::parse(text); }, std::string(help));
    finish(option, "N|A..B");
    option->default_str(value.to_string());
    option->check([range](const std::string& text) { return unfit_k(text, range); });
  }
  // A flag is off until it is given.
  void operator()(std::string_view name, bool& value, std::string_view help) const {
    command_.add_flag(option_flag(name), value, std::string(help))->group(group_);
  }
  void operator()(std::string_view name, std::string& value, const Choices& choices, std::string_view help) const {
    CLI::Option* option = command_.add_option(option_flag(name), value, std::string(help));
    finish(option, fmt::format("{}", fmt::join(choices.words, "|")));
    option->default_str(value);
  }
  void operator()(std::string_view name, std::optional<Table>& value, const AnyTable& table,
                  std::string_view help) const {
    CLI::Option* option = command_.add_option_function<std::string>(
        option_flag(name),
        [this_files = &files_, &value, flag = option_flag(name)](const std::string& path) {
          this_files->want(flag, path, value);
        },
        fmt::format("{}; a file: {}", help, table.shape));
    finish(option, "FILE");
  }
  void operator()(std::string_view name, std::optional<Model>& value, const AnyModel&, std::string_view help) const {
    CLI::Option* option = command_.add_option_function<std::string>(
        option_flag(name),
        [this_files = &files_, &value](const std::string& path) { this_files->want_model(path, value); },
        std::string(help));
    finish(option, "MODEL");
  }

 private:
  void finish(CLI::Option* option, const std::string& type) const { option->type_name(type)->group(group_); }

  static std::string out_of_range(const std::string& text, const Range& range) {
    double value = 0.0;
    if (!CLI::detail::lexical_cast(text, value)) return fmt::format("'{}' is not a number", text);
    return range.contains(value) ? std::string{} : fmt::format("{} must be {}", text, range.to_string());
  }

  static std::string unfit_k(const std::string& text, const Range& range) {
    try {
      const KRange k = KRange::parse(text);
      const std::string low = out_of_range(fmt::format("{}", k.low), range);
      return low.empty() ? out_of_range(fmt::format("{}", k.high), range) : low;
    } catch (const OptionError& error) {
      return error.what();
    }
  }

  CLI::App& command_;
  TableFiles& files_;
  std::string group_;
};

// The options and their values as JSON, tables by their shape.
class OptionsToJson {
 public:
  template <class Value, class Constraint>
  void operator()(std::string_view name, const Value& value, const Constraint&, std::string_view) {
    json[std::string(name)] = value;
  }
  template <class Value, class Constraint>
  void operator()(std::string_view name, const std::optional<Value>& value, const Constraint&, std::string_view) {
    if (value) {
      json[std::string(name)] = *value;
    } else {
      json[std::string(name)] = nullptr;
    }
  }
  void operator()(std::string_view name, const std::optional<Table>& value, const AnyTable&, std::string_view) {
    json[std::string(name)] = value ? nlohmann::ordered_json(fmt::format("{} x {}", value->n_rows, value->n_columns))
                                    : nlohmann::ordered_json();
  }
  void operator()(std::string_view name, const std::optional<Model>& value, const AnyModel&, std::string_view) {
    json[std::string(name)] =
        value ? nlohmann::ordered_json(fmt::format("{}, {}", value->method(), counted(value->k(), "cluster")))
              : nlohmann::ordered_json();
  }

  void operator()(std::string_view name, const KRange& value, const Range&, std::string_view) {
    json[std::string(name)] =
        value.is_one() ? nlohmann::ordered_json(value.low) : nlohmann::ordered_json(value.to_string());
  }
  void operator()(std::string_view name, bool value, std::string_view) { json[std::string(name)] = value; }

  nlohmann::ordered_json json = nlohmann::ordered_json::object();
};

template <class Method>
[[nodiscard]] std::string options_json(const Method& method) {
  OptionsToJson visitor;
  describe(method, visitor);
  return visitor.json.dump();
}

}  // namespace coppice::cli
