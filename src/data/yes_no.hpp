// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Words that stand for 1 and 0: yes and no (y, n), true and false (t, f), in any case.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "coppice/data/dataset.hpp"
#include "coppice/data/read.hpp"

namespace coppice::internal {

[[nodiscard]] std::optional<bool> yes_or_no(std::string_view word) noexcept;

// Whether a column holds nothing else, and either yes and no or true and false.
[[nodiscard]] bool is_yes_no(const CategoryColumn& column);

// Such columns as columns of 1 and 0, of kind binary, where they stand among the others; `names` are those of the file,
// in its order. Those that the options want as words stay words.
[[nodiscard]] Dataset with_yes_no_as_binary(const Dataset& table, std::span<const std::string> names,
                                            const ReadOptions& options);

}  // namespace coppice::internal
