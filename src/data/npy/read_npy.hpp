// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coppice/data/dataset.hpp"
#include "data/mapped_file.hpp"

namespace coppice::npy {

// The table in the bytes of an .npy file. Little-endian f4 and f8 in C order are viewed, all else is converted.
[[nodiscard]] Dataset read(const Content& content);

}  // namespace coppice::npy
