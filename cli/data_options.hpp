// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "cli11_names.hpp"
#include "coppice/data/read.hpp"

namespace coppice::cli {

// The options with which every command reads its table.
void add_data_options(CLI::App& command, ReadOptions& options);

}  // namespace coppice::cli
