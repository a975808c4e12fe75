// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace coppice::kernels {

// The instruction set that the kernels run with on this machine, e.g. "AVX2".
[[nodiscard]] std::string simd_target();

}  // namespace coppice::kernels
