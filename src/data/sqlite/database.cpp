// SPDX-License-Identifier: BSD-3-Clause
#include "data/sqlite/database.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "coppice/runtime/error.hpp"

namespace coppice::sqlite {
using namespace internal;

namespace {

// What a file may hold, or a query may say, must not make SQLite trust it.
void make_careful(sqlite3* database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
}

// Bytes that are no file of their own are viewed where they are; they stay as they are.
int view_bytes(sqlite3* database, std::string_view bytes) {
  auto* first = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  return sqlite3_deserialize(database, "main", first, size, size, SQLITE_DESERIALIZE_READONLY);
}

}  // namespace

Database open(const Input& input) {
  const bool is_file = !input.path.empty();
  sqlite3* raw = nullptr;
  // Absolute, since ":memory:" and the like are no files to SQLite.
  const std::string name = is_file ? std::filesystem::absolute(input.path).string() : ":memory:";
  int status = sqlite3_open_v2(name.c_str(), &raw, is_file ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE, nullptr);
  Database database(raw);  // also what could not be opened must be closed
  if (status == SQLITE_OK && !is_file) status = view_bytes(raw, input.content.bytes);
  if (status != SQLITE_OK) {
    throw IoError(fmt::format("{}: SQLite cannot open the database: {}", input.content.name,
                              raw == nullptr ? sqlite3_errstr(status) : sqlite3_errmsg(raw)));
  }
  make_careful(raw);
  return database;
}

Query prepare(const Database& database, const std::string& sql, const std::string& file) {
  sqlite3_stmt* raw = nullptr;
  const char* rest = nullptr;
  const int status = sqlite3_prepare_v2(database.get(), sql.c_str(), -1, &raw, &rest);
  Query query(raw);
  if (status == SQLITE_CORRUPT || status == SQLITE_NOTADB || status == SQLITE_CANTOPEN) {
    throw DataError(fmt::format("{}: damaged SQLite database: {}", file, sqlite3_errmsg(database.get())));
  }
  if (status != SQLITE_OK) {
    throw OptionError(fmt::format("{}: the query '{}' does not work: {}", file, sql, sqlite3_errmsg(database.get())));
  }
  const bool is_one = rest == nullptr || std::string_view(rest).find_first_not_of("; \t\r\n") == std::string_view::npos;
  if (!query || !is_one || sqlite3_stmt_readonly(raw) == 0 || sqlite3_column_count(raw) == 0) {
    throw OptionError(
        fmt::format("{}: the query '{}' is not one statement that reads; expected one SELECT", file, sql));
  }
  return query;
}

bool step(const Query& query, const std::string& file) {
  const int status = sqlite3_step(query.get());
  if (status == SQLITE_ROW || status == SQLITE_DONE) return status == SQLITE_ROW;
  throw DataError(fmt::format("{}: SQLite cannot read on: {}", file, sqlite3_errmsg(sqlite3_db_handle(query.get()))));
}

std::vector<std::string> table_names(const Database& database, const std::string& file) {
  const Query query = prepare(database,
                              "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' "
                              "ESCAPE '\\' ORDER BY name",
                              file);
  std::vector<std::string> names;
  while (step(query, file)) {
    const unsigned char* text = sqlite3_column_text(query.get(), 0);
    if (text != nullptr) names.emplace_back(reinterpret_cast<const char*>(text));
  }
  return names;
}

}  // namespace coppice::sqlite
