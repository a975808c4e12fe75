// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/simd.hpp"

#include <hwy/targets.h>

namespace coppice::kernels {

std::string simd_target() {
  // The dispatcher takes the best of the supported targets, which is the lowest bit.
  const auto supported = hwy::SupportedTargets();
  return hwy::TargetName(supported & -supported);
}

}  // namespace coppice::kernels
