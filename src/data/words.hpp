// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Columns of words as they are read: every piece of a file numbers its own words, and the numbers are made common at
// the end.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "coppice/data/column.hpp"

namespace coppice::internal {

// Words by first appearance.
class Words {
 public:
  // The code of a word, and whether it is new.
  std::pair<std::int32_t, bool> code(std::string_view word);
  [[nodiscard]] const std::vector<std::string>& levels() const noexcept { return levels_; }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> index_;
  std::vector<std::string> levels_;
};

// The words of one piece, and the codes that it gave to its rows.
struct CodedWords {
  const Words* words = nullptr;
  std::span<std::int32_t> codes;
};

// All words, sorted; the codes are changed to number these.
[[nodiscard]] std::vector<std::string> make_common(std::span<const CodedWords> pieces);

}  // namespace coppice::internal
