// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "coppice/runtime/error.hpp"
#include "data/sqlite/read_sqlite.hpp"

namespace coppice::sqlite {
using namespace internal;

StoredTable read(const Input& input, const ReadOptions&) {
  throw DataError(
      fmt::format("{}: is an SQLite database, but coppice was built without the SQLite library; build it again with "
                  "COPPICE_SQLITE=ON, or save the table as CSV",
                  input.content.name));
}

}  // namespace coppice::sqlite
