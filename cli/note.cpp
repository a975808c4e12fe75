// SPDX-License-Identifier: BSD-3-Clause
#include "note.hpp"

#include <fmt/format.h>

#include "printable.hpp"

namespace coppice::cli {

void print_note(const std::string& text) { fmt::print(stderr, "coppice: note: {}\n", printable(text)); }

}  // namespace coppice::cli
