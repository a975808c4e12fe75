// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// COPPICE_ASSERT(condition): a promise between parts of this library, checked in the builds that tests run
// (option COPPICE_ASSERTIONS) and free otherwise. Never for user input: that gets an Error.

#ifdef COPPICE_ASSERTIONS
#include <cstdio>
#include <cstdlib>
#define COPPICE_ASSERT(condition)                                                            \
  do {                                                                                       \
    if (!(condition)) {                                                                      \
      std::fprintf(stderr, "%s:%d: assertion failed: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                          \
    }                                                                                        \
  } while (false)
#else
#define COPPICE_ASSERT(condition) static_cast<void>(0)
#endif
