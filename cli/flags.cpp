// SPDX-License-Identifier: BSD-3-Clause
#include "flags.hpp"

#include <fmt/format.h>

namespace coppice::cli {

namespace {

// In single quotes if a shell would take it apart.
std::string shell_quoted(const std::string& text) {
  return text.find_first_of("\" $&;|<>()*?#~`\\'") == std::string::npos ? text : fmt::format("'{}'", text);
}

class Flags : public Spelling {
 public:
  [[nodiscard]] std::string of(const OptionName& option) const override {
    const std::string flag = option_flag(option.key);
    return option.value ? fmt::format("{} {}", flag, shell_quoted(*option.value)) : flag;
  }
  [[nodiscard]] std::string of(const CommandName& command) const override { return "coppice " + command.name; }
};

}  // namespace

std::string option_flag(std::string_view key) {
  std::string flag = "--";
  for (const char letter : key) flag += letter == '_' ? '-' : letter;
  return flag;
}

std::string with_flags(const Text& text) { return text.render(Flags()); }

}  // namespace coppice::cli
