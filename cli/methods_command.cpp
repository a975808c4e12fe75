// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "commands.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/write/methods_json.hpp"
#include "flags.hpp"
#include "labels_output.hpp"
#include "method_choice.hpp"
#include "method_options.hpp"
#include "terminal.hpp"
#include "text_table.hpp"

namespace coppice::cli {
using namespace internal;

namespace {

std::string default_of(const OptionDescription& option) {
  if (option.is_optional) return "-";
  if (const bool* is_on = std::get_if<bool>(&option.standard)) return *is_on ? "on" : "off";
  return value_text(option.standard);
}

std::string accepted_by(const OptionDescription& option) {
  switch (option.kind) {
    case OptionKind::flag:
      return "no value";
    case OptionKind::clusters:
      return option.range.to_string() + "; or A..B";
    case OptionKind::word:
      return Choices{option.words}.to_string();
    case OptionKind::table:
      return "file: " + option.shape;
    case OptionKind::model:
      return "file: a model";
    default:
      return option.range.to_string();
  }
}

// Per option: flag, default, what it accepts, what it means.
class OptionLines {
 public:
  explicit OptionLines(const std::vector<OptionDescription>& options) {
    for (const OptionDescription& option : options) {
      lines_.push_back({option_flag(option.key), default_of(option), accepted_by(option), with_flags(option.help)});
    }
  }

  // A table if its last column has room, else option by option.
  [[nodiscard]] std::string text(std::size_t width) const {
    constexpr std::size_t least_meaning = 60;
    constexpr std::size_t indent = 6;
    TextTable table({"option", "default", "accepts", "meaning"}, "llll");
    TextTable without_meaning({"option", "default", "accepts"}, "lll");
    for (const auto& [flag, value, accepted, meaning] : lines_) {
      table.add({flag, value, accepted, meaning});
      without_meaning.add({flag, value, accepted});
    }
    if (without_meaning.width() + least_meaning <= width) return table.to_string(width);
    std::string text;
    for (const auto& [flag, value, accepted, meaning] : lines_) {
      const std::string about =
          fmt::format("{}{}: {}", accepted, value == "-" ? "" : fmt::format("; default {}", value), meaning);
      text += fmt::format("  {}\n{:{}}{}\n", flag, "", indent, wrapped(about, {text_width(), indent, indent}));
    }
    return text;
  }

 private:
  struct Line {
    std::string flag;
    std::string value;
    std::string accepted;
    std::string meaning;
  };
  std::vector<Line> lines_;
};

constexpr std::size_t name_width = 11;  // with a blank behind it

void list_methods() {
  for (const MethodEntry& method : methods()) {
    fmt::print("{:<10} {}\n", method.facts.name, wrapped(method.facts.summary, {text_width(), name_width, name_width}));
  }
  fmt::print("\n'coppice methods NAME' shows a method's options.\n");
}

void show_method(const MethodEntry& method) {
  const std::string title = fmt::format("{}: {}", method.facts.name, method.facts.summary);
  fmt::print("{}\n\n{}", wrapped(title, {.width = text_width()}),
             OptionLines(method.options).text(terminal_width(Stream::output).value_or(TextTable::unlimited)));
}

}  // namespace

void add_methods(CLI::App& program) {
  CLI::App* command = program.add_subcommand("methods", "The methods, or one method's options");
  const auto name = std::make_shared<std::string>();
  command->add_option("NAME", *name, "a method")->type_name(" ");
  const auto is_json = std::make_shared<bool>(false);
  command->add_flag("--json", *is_json, "all methods and their options as JSON, for programs");
  command->callback([=] {
    if (*is_json && !name->empty()) throw OptionError("--json lists all methods; leave out the name");
    if (*is_json) return print_text(methods_json());
    name->empty() ? list_methods() : show_method(method_named(*name));
  });
}

}  // namespace coppice::cli
