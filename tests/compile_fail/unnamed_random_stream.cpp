// SPDX-License-Identifier: BSD-3-Clause
// A random stream has a purpose: a seed alone would let two tasks draw the same numbers.
#include "coppice/runtime/random.hpp"

#ifdef COPPICE_MISUSE
coppice::internal::RandomStream stream{7};
#else
coppice::internal::RandomStream stream{7, coppice::internal::Purpose::test};
#endif
