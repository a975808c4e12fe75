// SPDX-License-Identifier: BSD-3-Clause
#include "data/sqlite/read_sqlite.hpp"

namespace coppice::sqlite {

bool looks_like_sqlite(std::string_view bytes) noexcept {
  using namespace std::string_view_literals;
  return bytes.starts_with("SQLite format 3\0"sv);
}

}  // namespace coppice::sqlite
