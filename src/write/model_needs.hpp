// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a reader has to know to understand a model file, in words. Whatever is added to the format later is one more
// word, which older readers refuse by its name, instead of one more version.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coppice/model/model.hpp"

namespace coppice::internal {

// The words of a model, in alphabetical order.
[[nodiscard]] std::vector<std::string> needs_of(const Model& model);
// Those that this program knows.
[[nodiscard]] std::span<const std::string_view> known_needs() noexcept;

}  // namespace coppice::internal
