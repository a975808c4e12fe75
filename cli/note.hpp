// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coppice/runtime/text.hpp"

namespace coppice::cli {

// One line on standard error that is no error: what nobody asked, but should know.
void print_note(const Text& text);

}  // namespace coppice::cli
