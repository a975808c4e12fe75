// SPDX-License-Identifier: BSD-3-Clause
// Formats are those of the arguments: words have no digits behind a point.
#include "coppice/runtime/format_text.hpp"

#ifdef COPPICE_MISUSE
coppice::Text text = coppice::internal::format_text("{k} is {:.1f}", "seven");
#else
coppice::Text text = coppice::internal::format_text("{k} is {:.1f}", 7.0);
#endif
