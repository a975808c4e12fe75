// SPDX-License-Identifier: BSD-3-Clause
// How many vectors a kernel can keep at hand; included once for every instruction set.
#if defined(COPPICE_KERNELS_REGISTERS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef COPPICE_KERNELS_REGISTERS_INL
#undef COPPICE_KERNELS_REGISTERS_INL
#else
#define COPPICE_KERNELS_REGISTERS_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

// Thirty-two registers, or sixteen.
// It decides the shape of tiles, never what is summed up.
constexpr bool has_many_registers = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL;

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#endif
