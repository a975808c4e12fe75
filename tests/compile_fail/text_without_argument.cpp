// SPDX-License-Identifier: BSD-3-Clause
// A message that lacks one of its values would fail when somebody needs it.
#include "coppice/runtime/format_text.hpp"

#ifdef COPPICE_MISUSE
coppice::Text text = coppice::internal::format_text("{k} is {}, but {max_k} is {}", 7);
#else
coppice::Text text = coppice::internal::format_text("{k} is {}, but {max_k} is {}", 7, 5);
#endif
