// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Options of a struct that has a describe().

#include <concepts>
#include <optional>
#include <type_traits>
#include <utility>

#include "coppice/methods/options.hpp"

namespace coppice::internal {

[[noreturn]] void refuse_key(std::string_view key);
[[noreturn]] void refuse_kind(std::string_view key, OptionKind kind);

// What describe() says of every option, as a list.
class ListOptions {
 public:
  template <std::floating_point Value>
  void operator()(std::string_view key, Value value, const Range& range, std::string_view help) {
    add(key, OptionKind::number, help, value).range = range;
  }
  template <std::unsigned_integral Value>
  void operator()(std::string_view key, Value value, const Range& range, std::string_view help) {
    add(key, OptionKind::whole_number, help, value).range = range;
  }
  template <class Value>
  void operator()(std::string_view key, const std::optional<Value>& value, const Range& range, std::string_view help) {
    (*this)(key, value.value_or(Value{}), range, help);
    list.back().is_optional = true;
    if (!value) list.back().standard = std::monostate{};
  }
  void operator()(std::string_view key, const KRange& value, const Range& range, std::string_view help) {
    add(key, OptionKind::clusters, help, value).range = range;
  }
  void operator()(std::string_view key, bool value, std::string_view help) { add(key, OptionKind::flag, help, value); }
  void operator()(std::string_view key, const std::string& value, const Choices& choices, std::string_view help) {
    add(key, OptionKind::word, help, value).words = choices.words;
  }
  void operator()(std::string_view key, const std::optional<Table>&, const AnyTable& table, std::string_view help) {
    OptionDescription& option = add(key, OptionKind::table, help, std::monostate{});
    option.shape = table.shape;
    option.is_optional = true;
  }
  void operator()(std::string_view key, const std::optional<Model>&, const AnyModel&, std::string_view help) {
    add(key, OptionKind::model, help, std::monostate{}).is_optional = true;
  }

  std::vector<OptionDescription> list;

 private:
  template <class Value>
  OptionDescription& add(std::string_view key, OptionKind kind, std::string_view help, const Value& value) {
    OptionDescription& option = list.emplace_back();
    option.key = key;
    option.kind = kind;
    option.help = Text::from_template(help);
    option.standard.emplace<Value>(value);
    return option;
  }
};

template <class Described>
[[nodiscard]] std::vector<OptionDescription> list_options() {
  ListOptions visitor;
  const Described standard{};
  describe(standard, visitor);
  return std::move(visitor.list);
}

// What a value is to a field of this type; nothing if it is of another kind. A whole number is a number too, and a
// number of clusters.
template <class Value>
[[nodiscard]] std::optional<Value> value_for_field(OptionValue& value) {
  if (Value* held = std::get_if<Value>(&value)) return std::move(*held);
  if constexpr (std::same_as<Value, double>) {
    if (const auto* whole = std::get_if<std::uint64_t>(&value)) return static_cast<double>(*whole);
  }
  if constexpr (std::same_as<Value, KRange>) {
    if (const auto* whole = std::get_if<std::uint64_t>(&value)) return KRange(*whole);
  }
  return std::nullopt;
}

// The value of one option, to a field and from it.
template <class Value>
struct Field {
  static bool take(Value& field, OptionValue& value) {
    std::optional<Value> found = value_for_field<Value>(value);
    if (found) field = std::move(*found);
    return found.has_value();
  }
  static void give(const Value& field, OptionValue& value) { value.emplace<Value>(field); }
};
template <class Value>
struct Field<std::optional<Value>> {
  static bool take(std::optional<Value>& field, OptionValue& value) {
    field = value_for_field<Value>(value);
    return field.has_value() || std::holds_alternative<std::monostate>(value);
  }
  static void give(const std::optional<Value>& field, OptionValue& value) {
    value = std::monostate{};
    if (field) value.emplace<Value>(*field);
  }
};

// Of a struct that lives elsewhere.
template <class Described>
class OptionsOf final : public Options {
 public:
  explicit OptionsOf(Described& values) : values_(values) {}

  [[nodiscard]] const std::vector<OptionDescription>& descriptions() const override {
    static const std::vector<OptionDescription> list = list_options<Described>();
    return list;
  }
  void set(std::string_view key, OptionValue value) override {
    bool is_known = false;
    bool is_taken = false;
    describe(values_, [&]<class Value>(std::string_view name, Value& field, const auto&...) {
      if (name != key) return;
      is_known = true;
      is_taken = Field<Value>::take(field, value);
    });
    if (!is_known) refuse_key(key);
    if (!is_taken) refuse_kind(key, kind_of(key));
  }
  [[nodiscard]] OptionValue get(std::string_view key) const override {
    OptionValue value;
    bool is_known = false;
    describe(std::as_const(values_), [&]<class Value>(std::string_view name, const Value& field, const auto&...) {
      if (name != key) return;
      is_known = true;
      Field<Value>::give(field, value);
    });
    if (!is_known) refuse_key(key);
    return value;
  }
  void check() const override { check_options(std::as_const(values_)); }

 private:
  [[nodiscard]] OptionKind kind_of(std::string_view key) const {
    for (const OptionDescription& option : descriptions()) {
      if (option.key == key) return option.kind;
    }
    refuse_key(key);
  }

  Described& values_;
};

}  // namespace coppice::internal
