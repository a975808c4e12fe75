// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "method_choice.hpp"
#include "method_options.hpp"
#include "text_table.hpp"

namespace coppice::cli {

namespace {

// One line per option: flag, default, what it accepts, what it means.
class OptionLines {
 public:
  template <class Value>
  void operator()(std::string_view name, const Value& value, const Range& range, std::string_view help) {
    table.add({option_flag(name), fmt::format("{}", value), range.to_string(), std::string(help)});
  }
  template <class Value>
  void operator()(std::string_view name, const std::optional<Value>&, const Range& range, std::string_view help) {
    table.add({option_flag(name), "-", range.to_string(), std::string(help)});
  }
  void operator()(std::string_view name, const KRange& value, const Range& range, std::string_view help) {
    table.add({option_flag(name), value.to_string(), range.to_string() + "; or A..B", std::string(help)});
  }
  void operator()(std::string_view name, bool value, std::string_view help) {
    table.add({option_flag(name), value ? "on" : "off", "no value", std::string(help)});
  }
  void operator()(std::string_view name, const std::string& value, const Choices& choices, std::string_view help) {
    table.add({option_flag(name), value, choices.to_string(), std::string(help)});
  }
  void operator()(std::string_view name, const std::optional<Table>&, const AnyTable& shape, std::string_view help) {
    table.add({option_flag(name), "-", "file: " + shape.shape, std::string(help)});
  }
  void operator()(std::string_view name, const std::optional<Model>&, const AnyModel&, std::string_view help) {
    table.add({option_flag(name), "-", "file: a model", std::string(help)});
  }
  TextTable table{{"option", "default", "accepts", "meaning"}, "llll"};
};

void list_methods() {
  AllMethods::for_each([]<class Method>(const Method&) { fmt::print("{:<10} {}\n", Method::name, Method::summary); });
  fmt::print("\n'coppice methods NAME' shows a method's options.\n");
}

void show_method(const std::string& name) {
  with_method(name, []<class Method>(const Method& method) {
    OptionLines lines;
    describe(method, lines);
    fmt::print("{}: {}\n\n{}", Method::name, Method::summary, lines.table.to_string());
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
