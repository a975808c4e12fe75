// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the library says to people: messages of errors, warnings, reasons, help. Options are named by their keys, since
// only a front end knows what they are called there: the command line writes --max-k for max_k.
//
//   try { ... } catch (const Error& error) { show(error.text().render(my_spelling)); }
//
// plain() shows bare keys.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace coppice {

// An option, perhaps with a value to give it.
struct OptionName {
  std::string key;                        // "max_k"
  std::optional<std::string> value = {};  // as it is meant, without the quotes that a front end may want
  bool operator==(const OptionName&) const = default;
};

// Something else that front ends can be asked for, such as "predict".
struct CommandName {
  std::string name;
  bool operator==(const CommandName&) const = default;
};

[[nodiscard]] OptionName option(std::string_view key);
[[nodiscard]] OptionName option(std::string_view key, std::string value);
[[nodiscard]] OptionName option(std::string_view key, std::uint64_t value);
[[nodiscard]] CommandName command(std::string_view name);

// How a front end writes options and commands.
class Spelling {
 public:
  virtual ~Spelling() = default;
  [[nodiscard]] virtual std::string of(const OptionName& option) const = 0;
  [[nodiscard]] virtual std::string of(const CommandName& command) const = 0;
};

class Text {
 public:
  using Part = std::variant<std::string, OptionName, CommandName>;

  Text() = default;
  // Words as they are, whatever characters they hold.
  Text(std::string words);    // NOLINT(google-explicit-constructor): most texts are words alone
  Text(const char* words);    // NOLINT(google-explicit-constructor)
  Text(OptionName option);    // NOLINT(google-explicit-constructor)
  Text(CommandName command);  // NOLINT(google-explicit-constructor)

  // One string with its options in braces, {max_k} or {assign=kdtree}, and its commands as {predict()}; braces among
  // the words are doubled. std::invalid_argument if it is written otherwise.
  [[nodiscard]] static Text from_template(std::string_view text);
  [[nodiscard]] std::string to_template() const;

  Text& operator+=(const Text& more);

  [[nodiscard]] const std::vector<Part>& parts() const noexcept { return parts_; }
  [[nodiscard]] bool empty() const noexcept { return parts_.empty(); }
  [[nodiscard]] std::string render(const Spelling& spelling) const;
  [[nodiscard]] std::string plain() const;  // "max_k", "assign kdtree", "predict"

  bool operator==(const Text&) const = default;

 private:
  void add(const Part& part);

  std::vector<Part> parts_;  // no empty words, nor words behind words: texts that say the same are equal
};

}  // namespace coppice
