// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/csv/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "coppice/data/csv/cell.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"

namespace coppice::csv {
using namespace internal;

namespace {

std::size_t line_of(std::string_view bytes, std::size_t at) {
  return 1 + static_cast<std::size_t>(std::ranges::count(bytes.substr(0, at), '\n'));
}

// Enough to tell binary files, whatever else is wrong with them; the rest is looked at with the rows.
constexpr std::size_t head_checked = std::size_t{1} << 16U;

// The bytes without a byte-order mark; whatever cannot be text is refused here.
std::string_view checked_text(const Content& content) {
  std::string_view bytes = content.bytes;
  const std::string_view head = bytes.substr(0, 2);
  if (head == "\xFF\xFE" || head == "\xFE\xFF") {
    throw DataError(fmt::format("{}: looks like UTF-16 text, expected UTF-8; save the file in UTF-8", content.name));
  }
  const std::size_t nul = bytes.substr(0, head_checked).find('\0');
  if (nul != std::string_view::npos) throw_nul_byte(content, nul);
  // One at the very end of the file is that of a single line.
  const std::size_t lone_return =
      bytes.find('\n') == std::string_view::npos ? bytes.find('\r') : std::string_view::npos;
  if (lone_return < bytes.size() - 1) {
    throw DataError(
        fmt::format("{}: its lines end in carriage returns alone, expected newlines; save the file with Unix "
                    "or Windows line ends",
                    content.name));
  }
  if (bytes.substr(0, 3) == "\xEF\xBB\xBF") bytes.remove_prefix(3);
  return bytes;
}

// One field of the first line.
struct Title {
  std::string text;
  CellKind kind = CellKind::word;
  std::size_t line = 0;
};

std::vector<Title> read_titles(Scanner& scanner) {
  std::vector<Title> titles;
  do {
    const Field field = scanner.field();
    titles.push_back({std::string(field.text), classify(field).kind, field.line});
  } while (scanner.next_field());
  return titles;
}

bool is_data(const Title& title) { return title.kind != CellKind::word && title.kind != CellKind::empty; }

bool has_fraction(const Title& title) {
  return title.kind == CellKind::number && title.text.find('.') != std::string::npos;
}

bool is_header(const std::vector<Title>& titles) {
  return !std::ranges::all_of(titles, is_data) && std::ranges::none_of(titles, has_fraction);
}

std::string default_name(std::size_t column) { return fmt::format("x{}", column + 1); }

// Programs that write row numbers often leave the first name empty. It gets one that no other column has.
void name_the_nameless(std::vector<Title>& titles) {
  std::unordered_set<std::string> taken;
  for (const Title& title : titles) taken.insert(title.text);
  for (std::size_t column = 0; column < titles.size(); ++column) {
    Title& title = titles[column];
    if (title.kind != CellKind::empty) continue;
    title.text = default_name(column);
    while (!taken.insert(title.text).second) title.text += '_';
  }
}

std::vector<std::string> checked_names(std::vector<Title> titles, const std::string& file) {
  name_the_nameless(titles);
  std::vector<std::string> names;
  std::unordered_map<std::string, std::size_t> seen;
  for (std::size_t column = 0; column < titles.size(); ++column) {
    Title& title = titles[column];
    if (!is_utf8(title.text)) throw_not_utf8(file, {title.text, false, title.line, column + 1});
    const auto [first, is_new] = seen.emplace(title.text, column);
    if (!is_new) {
      throw DataError(
          format_text("{}:{}:{}: the column name {} appears twice (columns {} and {}), expected different "
                      "names; rename one (if this line is data: {header=no})",
                      file, title.line, column + 1, show(title.text), first->second + 1, column + 1));
    }
    names.push_back(std::move(title.text));
  }
  return names;
}

}  // namespace

void throw_nul_byte(const Content& content, std::size_t at) {
  throw DataError(
      fmt::format("{}:{}: a NUL byte (byte {} of the file) does not belong in a text table; expected text, "
                  "such as CSV or TSV",
                  content.name, line_of(content.bytes, at), at + 1));
}

Layout find_layout(const Content& content, HeaderRule header) {
  const std::string_view bytes = checked_text(content);
  Layout layout;
  layout.separator = find_separator(bytes);
  Scanner scanner(bytes, 1, layout.separator, content.name);
  if (!scanner.next_record()) {
    throw DataError(fmt::format("{}: {}, expected rows of numbers", content.name,
                                content.bytes.empty() ? "the file is empty" : "only blank lines and comments"));
  }
  const std::size_t first_record = scanner.offset();
  const std::size_t first_record_line = scanner.line();
  std::vector<Title> titles = read_titles(scanner);
  layout.has_header = header == HeaderRule::automatic ? is_header(titles) : header == HeaderRule::present;
  if (!layout.has_header) {
    for (std::size_t column = 0; column < titles.size(); ++column) layout.names.push_back(default_name(column));
    layout.are_made_up.assign(titles.size(), true);
    layout.rows = bytes.substr(first_record);
    layout.first_line = first_record_line;
    return layout;
  }
  // The header is read here alone; NUL bytes in the rows are found when these are scanned. Places count from the first
  // byte of the file, in front of a byte-order mark.
  const std::size_t nul = bytes.substr(0, scanner.offset()).find('\0');
  if (nul != std::string_view::npos) throw_nul_byte(content, nul + (content.bytes.size() - bytes.size()));
  layout.header_line = titles.front().line;
  for (const Title& title : titles) layout.are_made_up.push_back(title.kind == CellKind::empty);
  layout.names = checked_names(std::move(titles), content.name);
  if (!scanner.next_record()) {
    throw DataError(fmt::format("{}: only a header (line {}), no rows; expected at least one row of values below it",
                                content.name, layout.header_line));
  }
  layout.rows = bytes.substr(scanner.offset());
  layout.first_line = scanner.line();
  return layout;
}

}  // namespace coppice::csv
