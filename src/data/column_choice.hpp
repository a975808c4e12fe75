// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Which columns of a file play which part. A column is called by its name, else by its number from 1.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coppice/data/read.hpp"

namespace coppice::internal {

// Numbers from 0.
struct ColumnChoice {
  std::vector<std::size_t> data;  // in the order asked for
  std::optional<std::size_t> id;
  std::optional<std::size_t> weights;
};

[[nodiscard]] std::optional<std::size_t> find_column(std::span<const std::string> names, std::string_view wanted);

[[noreturn]] void throw_unknown_column(std::span<const std::string> names, std::string_view wanted);

// Throws OptionError if a column is unknown or asked for twice. Weights may be the name of a file instead.
[[nodiscard]] ColumnChoice choose_columns(std::span<const std::string> names, const ReadOptions& options);

}  // namespace coppice::internal
