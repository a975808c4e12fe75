// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/column.hpp"

namespace coppice {

std::string_view to_string(ColumnKind kind) noexcept {
  switch (kind) {
    case ColumnKind::real:
      return "real";
    case ColumnKind::count:
      return "count";
    case ColumnKind::binary:
      return "binary";
    case ColumnKind::category:
      return "category";
  }
  return "real";
}

}  // namespace coppice
