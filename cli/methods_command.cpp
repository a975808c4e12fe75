// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "method_choice.hpp"
#include "method_options.hpp"
#include "terminal.hpp"
#include "text_table.hpp"

namespace coppice::cli {

namespace {

// Per option: flag, default, what it accepts, what it means.
class OptionLines {
 public:
  template <class Value>
  void operator()(std::string_view name, const Value& value, const Range& range, std::string_view help) {
    add({option_flag(name), fmt::format("{}", value), range.to_string(), std::string(help)});
  }
  template <class Value>
  void operator()(std::string_view name, const std::optional<Value>&, const Range& range, std::string_view help) {
    add({option_flag(name), "-", range.to_string(), std::string(help)});
  }
  void operator()(std::string_view name, const KRange& value, const Range& range, std::string_view help) {
    add({option_flag(name), value.to_string(), range.to_string() + "; or A..B", std::string(help)});
  }
  void operator()(std::string_view name, bool value, std::string_view help) {
    add({option_flag(name), value ? "on" : "off", "no value", std::string(help)});
  }
  void operator()(std::string_view name, const std::string& value, const Choices& choices, std::string_view help) {
    add({option_flag(name), value, choices.to_string(), std::string(help)});
  }
  void operator()(std::string_view name, const std::optional<Table>&, const AnyTable& shape, std::string_view help) {
    add({option_flag(name), "-", "file: " + shape.shape, std::string(help)});
  }
  void operator()(std::string_view name, const std::optional<Model>&, const AnyModel&, std::string_view help) {
    add({option_flag(name), "-", "file: a model", std::string(help)});
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
  void add(Line line) { lines_.push_back(std::move(line)); }

  std::vector<Line> lines_;
};

constexpr std::size_t name_width = 11;  // with a blank behind it

void list_methods() {
  AllMethods::for_each([]<class Method>(const Method&) {
    fmt::print("{:<10} {}\n", Method::name, wrapped(Method::summary, {text_width(), name_width, name_width}));
  });
  fmt::print("\n'coppice methods NAME' shows a method's options.\n");
}

void show_method(const std::string& name) {
  with_method(name, []<class Method>(const Method& method) {
    OptionLines lines;
    describe(method, lines);
    const std::string title = fmt::format("{}: {}", Method::name, Method::summary);
    fmt::print("{}\n\n{}", wrapped(title, {.width = text_width()}),
               lines.text(terminal_width(Stream::output).value_or(TextTable::unlimited)));
  });
}

}  // namespace

void add_methods(CLI::App& program) {
  CLI::App* command = program.add_subcommand("methods", "The methods, or one method's options");
  const auto name = std::make_shared<std::string>();
  command->add_option("NAME", *name, "a method")->type_name(" ");
  command->callback([=] { name->empty() ? list_methods() : show_method(*name); });
}

}  // namespace coppice::cli
