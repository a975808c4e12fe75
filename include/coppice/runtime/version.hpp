// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace coppice::internal {

inline constexpr std::string_view version = "0.1.0";

}  // namespace coppice::internal
