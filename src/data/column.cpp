// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/column.hpp"

#include <fmt/format.h>

#include "coppice/runtime/error.hpp"

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

ColumnKind column_kind(std::string_view word) {
  for (const ColumnKind kind : {ColumnKind::real, ColumnKind::count, ColumnKind::binary, ColumnKind::category}) {
    if (word == to_string(kind)) return kind;
  }
  throw OptionError(fmt::format("'{}' is no kind of column; choose from real, count, binary, category", word));
}

}  // namespace coppice
