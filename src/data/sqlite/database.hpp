// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// An SQLite database, open for reading only, and a query on it.

#include <sqlite3.h>

#include <memory>
#include <string>
#include <vector>

#include "coppice/data/input.hpp"

namespace coppice::sqlite {

struct CloseDatabase {
  void operator()(sqlite3* database) const noexcept { sqlite3_close(database); }
};
struct FinishQuery {
  void operator()(sqlite3_stmt* query) const noexcept { sqlite3_finalize(query); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;
using Query = std::unique_ptr<sqlite3_stmt, FinishQuery>;

// IoError if SQLite cannot open it. The input's bytes must outlive the database.
[[nodiscard]] Database open(const internal::Input& input);

// One statement that reads and gives rows; OptionError for any other. `file` is for messages.
[[nodiscard]] Query prepare(const Database& database, const std::string& sql, const std::string& file);

// The names of the tables that the user made.
[[nodiscard]] std::vector<std::string> table_names(const Database& database, const std::string& file);

// Goes to the next row; false behind the last. DataError if the database is damaged.
[[nodiscard]] bool step(const Query& query, const std::string& file);

}  // namespace coppice::sqlite
