// SPDX-License-Identifier: BSD-3-Clause
#include "note.hpp"

#include <fmt/format.h>

#include "flags.hpp"
#include "printable.hpp"

namespace coppice::cli {

void print_note(const Text& text) { fmt::print(stderr, "coppice: note: {}\n", printable(with_flags(text))); }

}  // namespace coppice::cli
