// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coppice/data/mapped_file.hpp"

namespace coppice::internal {

// DataError if the first bytes are those of a known format that this library does not read: better to name it than to
// complain about its bytes.
void refuse_foreign_format(const Content& content);

}  // namespace coppice::internal
