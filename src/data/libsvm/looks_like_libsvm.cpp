// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "data/libsvm/read_libsvm.hpp"

namespace coppice::libsvm {

namespace {

constexpr std::size_t lines_looked_at = 32;

// Cuts off and returns what comes before the first of these letters.
std::string_view take_until(std::string_view& text, std::string_view letters) noexcept {
  const std::size_t end = std::min(text.find_first_of(letters), text.size());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(end);
  return taken;
}

std::string_view next_word(std::string_view& line) noexcept {
  line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
  return take_until(line, " \t\r");
}

bool is_made_of(std::string_view text, std::string_view letters) noexcept {
  return !text.empty() && text.find_first_not_of(letters) == std::string_view::npos;
}

// 3:0.5 or qid:3. What stands behind the colon is checked when it is read, where a message can say more.
bool is_pair(std::string_view word) noexcept {
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos || word.find_first_of(":,;", colon + 1) != std::string_view::npos) return false;
  const std::string_view name = word.substr(0, colon);
  return name == "qid" || is_made_of(name, "0123456789");
}

// 1, -1.5e3, or a list 1,3 that is refused later.
bool is_label(std::string_view word) noexcept { return is_made_of(word, "0123456789+-.eE,"); }

}  // namespace

bool looks_like_libsvm(std::string_view bytes) noexcept {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  std::size_t n_pairs = 0;
  std::size_t n_others = 0;
  for (std::size_t n_rows = 0; n_rows < lines_looked_at && !bytes.empty();) {
    std::string_view line = take_until(bytes, "\n");
    bytes.remove_prefix(bytes.empty() ? 0 : 1);
    line = take_until(line, "#");
    std::string_view word = next_word(line);
    if (word.empty()) continue;
    ++n_rows;
    if (is_label(word)) word = next_word(line);
    for (; !word.empty(); word = next_word(line)) ++(is_pair(word) ? n_pairs : n_others);
  }
  return n_pairs > n_others;  // one that is wrong is refused with its place, not taken for another format
}

}  // namespace coppice::libsvm
