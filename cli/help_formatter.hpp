// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace coppice::cli {

// Help that keeps to the width of the terminal: what an option means stands beside it where there is room, else below
// it, broken between words.
class HelpFormatter : public CLI::Formatter {
 public:
  [[nodiscard]] std::string make_option(const CLI::Option* option, bool is_positional) const override;
  [[nodiscard]] std::string make_option_opts(const CLI::Option* option) const override;
  [[nodiscard]] std::string make_subcommand(const CLI::App* command) const override;
  [[nodiscard]] std::string make_usage(const CLI::App* command, std::string name) const override;
  [[nodiscard]] std::string make_description(const CLI::App* command) const override;
  [[nodiscard]] std::string make_footer(const CLI::App* command) const override;
};

}  // namespace coppice::cli
