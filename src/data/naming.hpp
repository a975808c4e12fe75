// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>

#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"

namespace coppice::internal {

// Calls the function; what it says about a table gets the name of the file in front.
template <class Function>
auto naming(const std::string& file, Function&& function) {
  try {
    return std::forward<Function>(function)();
  } catch (const DataError& error) {
    throw DataError(format_text("{}: {}", file, error.text()));
  } catch (const LimitError& error) {
    throw LimitError(format_text("{}: {}", file, error.text()));
  }
}

}  // namespace coppice::internal
