// SPDX-License-Identifier: BSD-3-Clause
#include "data/words.hpp"

#include <algorithm>

#include "coppice/data/word_gaps.hpp"

namespace coppice::internal {

std::pair<std::int32_t, bool> Words::code(std::string_view word) {
  const auto found = index_.find(word);
  if (found != index_.end()) return {found->second, false};
  const auto next = static_cast<std::int32_t>(levels_.size());
  levels_.emplace_back(word);
  index_.emplace(levels_.back(), next);
  return {next, true};
}

std::vector<std::string> make_common(std::span<const CodedWords> pieces) {
  std::vector<std::string_view> all;
  for (const CodedWords& piece : pieces) {
    all.insert(all.end(), piece.words->levels().begin(), piece.words->levels().end());
  }
  // Sorted, so that codes do not depend on where the file was cut.
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::vector<std::int32_t> common_code;
  for (const CodedWords& piece : pieces) {
    common_code.clear();
    for (const std::string& level : piece.words->levels()) {
      common_code.push_back(static_cast<std::int32_t>(std::ranges::lower_bound(all, level) - all.begin()));
    }
    for (std::int32_t& code : piece.codes) {
      if (code != no_word) code = common_code[static_cast<std::size_t>(code)];
    }
  }
  return {all.begin(), all.end()};
}

}  // namespace coppice::internal
