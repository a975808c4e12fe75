// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the user named: the bytes and, for a file that holds several tables, which one.

#include <string>

#include "coppice/data/mapped_file.hpp"

namespace coppice::internal {

struct Input {
  Content content;
  std::string path;  // of the file whose bytes these are as they stand; empty for standard input
  std::string part;  // "/name" of "file.npz:/name", else empty
};

// A name that exists as such is a file, whatever colons it has. IoError as load().
[[nodiscard]] Input open_input(const std::string& name);

}  // namespace coppice::internal
