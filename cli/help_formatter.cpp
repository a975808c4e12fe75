// SPDX-License-Identifier: BSD-3-Clause
#include "help_formatter.hpp"

#include "printable.hpp"
#include "terminal.hpp"

namespace coppice::cli {

namespace {

constexpr std::size_t name_indent = 2;
constexpr std::size_t stacked_indent = 6;    // of meanings below their names
constexpr std::size_t least_text = 40;       // cells beside the names that are worth a column
constexpr std::size_t most_name_width = 28;  // with the indent; longer names stand on lines of their own

std::string blanks(std::size_t n) { return std::string(n, ' '); }

// A name with many choices, a|b|c, may be broken behind any bar.
std::string broken_name(const std::string& name, std::size_t width) {
  std::string text = blanks(name_indent);
  std::size_t used = name_indent;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t end = std::min(name.find('|', at), name.size() - 1) + 1;
    const std::string piece = name.substr(at, end - at);
    if (used > stacked_indent && used + display_width(piece) > width) {
      text += '\n';
      text += blanks(stacked_indent);
      used = stacked_indent;
    }
    text += piece;
    used += display_width(piece);
    at = end;
  }
  return text;
}

std::string entry(const std::string& name, const std::string& meaning, std::size_t name_width) {
  const std::size_t width = text_width();
  if (meaning.empty()) return broken_name(name, width) + "\n";
  if (width < name_width + least_text) {
    return broken_name(name, width) + "\n" + blanks(stacked_indent) +
           wrapped(meaning, {.width = width, .first = stacked_indent, .indent = stacked_indent}) + "\n";
  }
  std::string text = broken_name(name, width);
  const std::size_t used = display_width(text);
  text += used + 1 < name_width ? blanks(name_width - used) : "\n" + blanks(name_width);
  return text + wrapped(meaning, {.width = width, .first = name_width, .indent = name_width}) + "\n";
}

std::string paragraph(const std::string& text) { return wrapped(text, {.width = text_width()}); }

}  // namespace

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  return entry(make_option_name(option, is_positional) + make_option_opts(option), make_option_desc(option),
               most_name_width);
}

// Positional arguments have a type of a blank, since their name says it all.
std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  return option->get_positional() ? "" : CLI::Formatter::make_option_opts(option);
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  constexpr std::size_t name_width = 14;
  return entry(command->get_name(), command->get_description(), name_width);
}

std::string HelpFormatter::make_usage(const CLI::App* command, std::string name) const {
  return wrapped(CLI::Formatter::make_usage(command, std::move(name)), {.width = text_width()});
}

std::string HelpFormatter::make_description(const CLI::App* command) const {
  return paragraph(command->get_description()) + "\n\n";
}

std::string HelpFormatter::make_footer(const CLI::App* command) const {
  const std::string footer = command->get_footer();
  return footer.empty() ? footer : paragraph(footer) + "\n";
}

}  // namespace coppice::cli
