// SPDX-License-Identifier: BSD-3-Clause
#include "terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "printable.hpp"

namespace coppice::cli {

namespace {

constexpr std::size_t least_width = 20;  // below it nothing can be laid out
constexpr std::size_t width_elsewhere = 104;
constexpr std::size_t most_text_width = 120;

std::optional<std::size_t> width_asked_for() {
  const char* value = std::getenv("COLUMNS");
  if (value == nullptr) return {};
  const std::string_view text = value;
  std::size_t width = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), width);
  if (error != std::errc{} || end != text.data() + text.size() || width == 0) return {};
  return width;
}

}  // namespace

std::optional<std::size_t> terminal_width(Stream stream) {
  std::optional<std::size_t> width = width_asked_for();
  if (!width) {
    winsize size{};
    const int descriptor = stream == Stream::output ? STDOUT_FILENO : STDERR_FILENO;
    if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) width = size.ws_col;
  }
  return width ? std::optional(std::max(*width, least_width)) : width;
}

std::size_t table_width() { return terminal_width(Stream::output).value_or(width_elsewhere); }

std::size_t text_width() { return std::min(table_width(), most_text_width); }

std::string wrapped(std::string_view text, const Margins& margins) {
  std::string result;
  std::size_t used = margins.first;
  bool is_line_empty = true;
  const auto end_line = [&] {
    result.erase(result.find_last_not_of(' ') + 1);
    result += '\n';
    result.append(margins.indent, ' ');
    used = margins.indent;
    is_line_empty = true;
  };
  while (!text.empty()) {
    if (text.front() == '\n') {
      end_line();
      text.remove_prefix(1);
      continue;
    }
    const std::size_t n_blanks = std::min(text.find_first_not_of(' '), text.size());
    const std::size_t end = std::min(text.find_first_of(" \n", n_blanks), text.size());
    const std::string_view word = text.substr(n_blanks, end - n_blanks);
    const std::size_t width = display_width(word);
    if (!is_line_empty && used + n_blanks + width > margins.width) {
      end_line();
    } else {
      result.append(n_blanks, ' ');
      used += n_blanks;
    }
    result += word;
    used += width;
    is_line_empty = false;
    text.remove_prefix(end);
  }
  return result;
}

}  // namespace coppice::cli
