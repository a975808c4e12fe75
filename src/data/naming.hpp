// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

#include "coppice/runtime/error.hpp"

namespace coppice {

// Calls the function; what it says about a table gets the name of the file in front.
template <class Function>
auto naming(const std::string& file, Function&& function) {
  try {
    return std::forward<Function>(function)();
  } catch (const DataError& error) {
    throw DataError(fmt::format("{}: {}", file, error.what()));
  } catch (const LimitError& error) {
    throw LimitError(fmt::format("{}: {}", file, error.what()));
  }
}

}  // namespace coppice
