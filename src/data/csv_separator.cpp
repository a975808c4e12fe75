// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <vector>

#include "data/csv_cell.hpp"
#include "data/csv_layout.hpp"

namespace coppice::csv {

namespace {

constexpr std::size_t lines_looked_at = 32;
constexpr std::array<char, 4> candidates{'\t', ';', ',', blanks};  // the likeliest first

using Counts = std::array<std::size_t, candidates.size()>;

bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }

// How often each candidate stands outside quotes in the line that begins at `at`, which then moves past it.
Counts count_in_line(std::string_view bytes, std::size_t& at) {
  Counts counts{};
  bool is_in_quotes = false;
  char before = ',';  // a quote opens only at the beginning of a field
  for (; at < bytes.size() && (is_in_quotes || bytes[at] != '\n'); ++at) {
    const char c = bytes[at];
    const bool is_separator = is_blank(c) || c == ',' || c == ';';
    const bool is_after_separator = is_blank(before) || before == ',' || before == ';';
    if (c == '"') is_in_quotes = !is_in_quotes && is_after_separator;
    if (!is_in_quotes) {
      for (std::size_t which = 0; which < 3; ++which) counts[which] += c == candidates[which] ? 1U : 0U;
      counts[3] += !is_separator && c != '\r' && is_blank(before) ? 1U : 0U;  // a word after blanks
    }
    before = c;
  }
  ++at;
  return counts;
}

std::vector<Counts> count_in_lines(std::string_view bytes) {
  std::vector<Counts> lines;
  for (std::size_t at = 0; at < bytes.size() && lines.size() < lines_looked_at;) {
    const std::size_t first = std::min(bytes.find_first_not_of(" \t\r", at), bytes.size());
    const bool holds_something = first < bytes.size() && bytes[first] != '\n' && bytes[first] != '#';
    if (holds_something) {
      lines.push_back(count_in_line(bytes, at));
    } else {
      at = std::min(bytes.find('\n', first), bytes.size() - 1) + 1;
    }
  }
  return lines;
}

// "1,5 2,5": every word between blanks has one comma inside. Those are decimal commas, which are refused later.
bool has_decimal_commas_between_blanks(std::string_view bytes) {
  constexpr std::size_t enough = 1U << 16U;
  const std::string_view head = bytes.size() <= enough ? bytes : bytes.substr(0, bytes.rfind('\n', enough));
  if (head.find('"') != std::string_view::npos) return false;
  Scanner scanner(head, 1, blanks, "");
  std::size_t n_fields = 0;
  for (std::size_t line = 0; line < lines_looked_at && scanner.next_record(); ++line) {
    do {
      const Field field = scanner.field();
      if (classify(field).kind != CellKind::decimal_comma) return false;
      ++n_fields;
    } while (scanner.next_field());
    if (n_fields < 2) return false;
  }
  return n_fields > 1;
}

}  // namespace

char find_separator(std::string_view bytes) {
  const std::vector<Counts> lines = count_in_lines(bytes);
  if (lines.empty()) return ',';
  std::size_t best = 2;
  std::size_t best_lines = 0;
  for (std::size_t which = 0; which < candidates.size(); ++which) {
    const auto has_as_many = [&](const Counts& counts) { return counts[which] == lines.front()[which]; };
    const auto has_one = [&](const Counts& counts) { return counts[which] > 0; };
    const auto n_lines = static_cast<std::size_t>(std::ranges::count_if(lines, has_one));
    const bool cuts_evenly = candidates[which] != blanks && n_lines > 0 && std::ranges::all_of(lines, has_as_many);
    if (cuts_evenly || n_lines > best_lines) {
      best = which;
      best_lines = n_lines;
    }
    if (cuts_evenly) break;
  }
  if (candidates[best] == ',' && has_decimal_commas_between_blanks(bytes)) return blanks;
  return candidates[best];
}

}  // namespace coppice::csv
