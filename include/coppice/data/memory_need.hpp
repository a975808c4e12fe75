// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Whether a table will fit, asked before it is read.

#include <cstddef>
#include <string>

#include "coppice/data/read.hpp"

namespace coppice::internal {

// What this process may still allocate: what the system has to give, or less if its control group says so.
[[nodiscard]] std::size_t available_memory();

// Announces needs of a gigabyte and more. LimitError if `bytes` are more than is available; `name` is the input's.
void require_memory(std::size_t bytes, const std::string& name, const ReadOptions& options);

}  // namespace coppice::internal
