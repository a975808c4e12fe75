// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The families of this library, as the catalogue has them.

#include <vector>

#include "coppice/structure/family_catalogue.hpp"

namespace coppice::internal {

[[nodiscard]] std::vector<FamilyEntry> known_families();

}  // namespace coppice::internal
