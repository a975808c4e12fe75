// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/simd.hpp"

#include <hwy/highway.h>

namespace coppice::kernels {

std::string simd_target() {
  // The dispatcher takes the best of the targets that were compiled and are supported, which is the lowest bit.
  const auto supported = hwy::SupportedTargets() & HWY_TARGETS;
  return hwy::TargetName(supported & -supported);
}

}  // namespace coppice::kernels
