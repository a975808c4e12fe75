// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The Python dictionary in a .npy header: three keys in any order, and nothing else of the language.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace coppice::npy {

struct Dictionary {
  std::string descr;
  bool is_structured = false;  // descr is a list of fields
  bool fortran_order = false;
  std::vector<std::size_t> shape;
};

// DataError says what was expected, and where in the text.
[[nodiscard]] Dictionary parse_dictionary(std::string_view text);

// At most 60 bytes, with whatever is not printable ASCII as '?'.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace coppice::npy
