// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/text.hpp"

#include <utility>

#include "coppice/runtime/format_text.hpp"

namespace coppice {
using namespace internal;

namespace {

// By their keys, which programs that use the library know.
class Bare : public Spelling {
 public:
  [[nodiscard]] std::string of(const OptionName& option) const override {
    return option.value ? option.key + " " + *option.value : option.key;
  }
  [[nodiscard]] std::string of(const CommandName& command) const override { return command.name; }
};

std::string with_doubled_braces(std::string_view words) {
  std::string doubled;
  for (const char c : words) doubled.append(c == '{' || c == '}' ? 2 : 1, c);
  return doubled;
}

// A value that holds braces itself, which no help has, stands behind its option like any words.
class InBraces : public Spelling {
 public:
  [[nodiscard]] std::string of(const OptionName& option) const override {
    if (!option.value) return "{" + option.key + "}";
    const bool has_braces = option.value->find_first_of("{}") != std::string::npos;
    if (has_braces) return "{" + option.key + "} " + with_doubled_braces(*option.value);
    return "{" + option.key + "=" + *option.value + "}";
  }
  [[nodiscard]] std::string of(const CommandName& command) const override { return "{" + command.name + "()}"; }
};

std::string written(const Text::Part& part, const Spelling& spelling) {
  if (const std::string* words = std::get_if<std::string>(&part)) return *words;
  if (const OptionName* option = std::get_if<OptionName>(&part)) return spelling.of(*option);
  return spelling.of(std::get<CommandName>(part));
}

}  // namespace

OptionName option(std::string_view key) { return {.key = std::string(key)}; }
OptionName option(std::string_view key, std::string value) {
  return {.key = std::string(key), .value = std::move(value)};
}
OptionName option(std::string_view key, std::uint64_t value) { return option(key, std::to_string(value)); }
CommandName command(std::string_view name) { return {.name = std::string(name)}; }

Text::Text(std::string words) { add(std::move(words)); }
Text::Text(const char* words) { add(std::string(words)); }
Text::Text(OptionName option) : parts_{std::move(option)} {}
Text::Text(CommandName command) : parts_{std::move(command)} {}

Text Text::from_template(std::string_view text) { return vformat_text(text, {}, {}); }

std::string Text::to_template() const {
  std::string result;
  const InBraces in_braces;
  for (const Part& part : parts_) {
    const std::string* words = std::get_if<std::string>(&part);
    result += words != nullptr ? with_doubled_braces(*words) : written(part, in_braces);
  }
  return result;
}

Text& Text::operator+=(const Text& more) {
  if (&more == this) return *this += Text(more);
  for (const Part& part : more.parts_) add(part);
  return *this;
}

std::string Text::render(const Spelling& spelling) const {
  std::string result;
  for (const Part& part : parts_) result += written(part, spelling);
  return result;
}

std::string Text::plain() const { return render(Bare()); }

void Text::add(const Part& part) {
  const std::string* words = std::get_if<std::string>(&part);
  if (words != nullptr && words->empty()) return;
  std::string* before = parts_.empty() ? nullptr : std::get_if<std::string>(&parts_.back());
  // Neighbouring words are one part, so that equal texts have equal parts.
  if (words != nullptr && before != nullptr) {
    *before += *words;
  } else {
    parts_.push_back(part);
  }
}

}  // namespace coppice
