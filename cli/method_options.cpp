// SPDX-License-Identifier: BSD-3-Clause
#include "method_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <utility>

#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/error.hpp"
#include "flags.hpp"
#include "whole_number.hpp"

namespace coppice::cli {
using namespace internal;

namespace {

using Json = nlohmann::ordered_json;
template <class... Visits>
struct Overloaded : Visits... {
  using Visits::operator()...;
};
template <class... Visits>
Overloaded(Visits...) -> Overloaded<Visits...>;  // for Clang 14, which deduces no aggregates

std::string out_of_range(const std::string& text, const Range& range) {
  double value = 0.0;
  if (!CLI::detail::lexical_cast(text, value)) return fmt::format("'{}' is not a number", text);
  return range.contains(value) ? std::string{} : fmt::format("{} must be {}", text, range.to_string());
}

std::string unfit_k(const std::string& text, const Range& range) {
  try {
    const KRange k = KRange::parse(text);
    const std::string low = out_of_range(fmt::format("{}", k.low), range);
    return low.empty() ? out_of_range(fmt::format("{}", k.high), range) : low;
  } catch (const OptionError& error) {
    return with_flags(error.text());
  }
}

// Nothing if the text is no such number.
template <class Number>
std::optional<OptionValue> number_from(const std::string& text) {
  Number value{};
  if (!CLI::detail::lexical_cast(text, value)) return std::nullopt;
  return OptionValue(std::in_place_type<Number>, value);
}

std::optional<OptionValue> value_from(OptionKind kind, const std::string& text) {
  switch (kind) {
    case OptionKind::whole_number:
      return number_from<std::uint64_t>(text);
    case OptionKind::number:
      return number_from<double>(text);
    case OptionKind::clusters:
      return KRange::parse(text);
    default:
      return text;
  }
}

// What stands behind the option in the help.
std::string type_of(const OptionDescription& option) {
  switch (option.kind) {
    case OptionKind::clusters:
      return "N|A..B";
    case OptionKind::word:
      return fmt::format("{}", fmt::join(option.words, "|"));
    case OptionKind::table:
      return "FILE";
    case OptionKind::model:
      return "MODEL";
    default:
      return "NUMBER";
  }
}

class AddOptions {
 public:
  AddOptions(CLI::App& command, Options& options, TableFiles& files)
      : command_(command), options_(options), files_(files) {}

  CLI::Option* add(const OptionDescription& option) const {
    switch (option.kind) {
      case OptionKind::flag:
        return add_flag(option);
      case OptionKind::table:
      case OptionKind::model:
        return add_file(option)->type_name(type_of(option));
      default:
        return add_value(option)->type_name(type_of(option));
    }
  }

 private:
  // A flag is off until it is given.
  CLI::Option* add_flag(const OptionDescription& option) const {
    return command_.add_flag_callback(
        option_flag(option.key), [&options = options_, key = option.key] { options.set(key, true); },
        with_flags(option.help));
  }
  CLI::Option* add_value(const OptionDescription& option) const {
    const auto take = [&options = options_, key = option.key, kind = option.kind](const CLI::results_t& texts) {
      std::optional<OptionValue> value = value_from(kind, texts.front());
      if (value) options.set(key, std::move(*value));
      return value.has_value();
    };
    CLI::Option* added = command_.add_option(option_flag(option.key), take, with_flags(option.help));
    if (!option.is_optional) added->default_str(value_text(option.standard));
    const Range range = option.range;
    if (option.kind == OptionKind::clusters) {
      added->check([range](const std::string& text) { return unfit_k(text, range); });
    } else if (option.kind != OptionKind::word) {
      added->check(number_in(range, option.kind == OptionKind::whole_number));
    }
    return added;
  }
  CLI::Option* add_file(const OptionDescription& option) const {
    const bool is_table = option.kind == OptionKind::table;
    const std::string flag = option_flag(option.key);
    const auto set = [&options = options_, key = option.key](OptionValue value) { options.set(key, std::move(value)); };
    const auto note = [&files = files_, flag, set, is_table](const std::string& path) {
      is_table ? files.want(flag, path, set) : files.want_model(path, set);
    };
    std::string help = with_flags(option.help);
    if (is_table) help += fmt::format("; a file: {}", option.shape);
    return command_.add_option_function<std::string>(flag, note, help);
  }

  CLI::App& command_;
  Options& options_;
  TableFiles& files_;
};

Json to_json(const OptionValue& value) {
  return std::visit(
      Overloaded{[](std::monostate) { return Json(); }, [](const auto& plain) { return Json(plain); },
                 [](const KRange& k) { return k.is_one() ? Json(k.low) : Json(k.to_string()); },
                 [](const Table& table) { return Json(fmt::format("{} x {}", table.n_rows, table.n_columns)); },
                 [](const Model& model) {
                   return Json(fmt::format("{}, {}", model.method(), counted(model.k(), "cluster")));
                 }},
      value);
}

}  // namespace

std::string value_text(const OptionValue& value) {
  return std::visit(
      Overloaded{[](const auto&) { return std::string(); },
                 [](std::uint64_t number) { return fmt::format("{}", number); },
                 [](double number) { return fmt::format("{}", number); }, [](const std::string& word) { return word; },
                 [](const KRange& k) { return k.to_string(); }},
      value);
}

void add_options(CLI::App& command, Options& options, TableFiles& files, const std::string& group) {
  const AddOptions adder(command, options, files);
  for (const OptionDescription& option : options.descriptions()) adder.add(option)->group(group);
}

std::function<std::string(const std::string&)> number_in(const Range& range, bool is_whole) {
  return [range, is_whole](const std::string& text) {
    std::string complaint = out_of_range(text, range);
    return complaint.empty() && is_whole ? unfit_whole_number(text) : complaint;
  };
}

std::string options_json(const Options& options) {
  Json json = Json::object();
  for (const OptionDescription& option : options.descriptions()) json[option.key] = to_json(options.get(option.key));
  return json.dump();
}

}  // namespace coppice::cli
