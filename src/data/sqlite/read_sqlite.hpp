// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// SQLite: the result of a query, or the only table of a database.

#include <string_view>

#include "coppice/data/format.hpp"

namespace coppice::sqlite {

[[nodiscard]] bool looks_like_sqlite(std::string_view bytes) noexcept;

// Columns of text become categories. The database is opened for reading only. DataError if this library was built
// without SQLite.
[[nodiscard]] internal::StoredTable read(const internal::Input& input, const ReadOptions& options);

}  // namespace coppice::sqlite
