// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace coppice::cli {

// The candidate spelled most like the word, for "did you mean"; empty if none comes close.
[[nodiscard]] std::string nearest_word(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace coppice::cli
