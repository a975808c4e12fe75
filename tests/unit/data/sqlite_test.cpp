// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cmath>

#include "coppice/data/read.hpp"
#include "coppice/data/word_gaps.hpp"
#include "coppice/runtime/error.hpp"
#include "data/sqlite/read_sqlite.hpp"
#include "unit/data/temporary_file.hpp"

namespace coppice::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A database that SQLite makes of these statements.
class DatabaseFile : public TemporaryFile {
 public:
  explicit DatabaseFile(const std::string& sql) : TemporaryFile("", ".db") {
    sqlite3* database = nullptr;
    sqlite3_open(path().c_str(), &database);
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
    sqlite3_close(database);
  }
  [[nodiscard]] std::string bytes() const {
    std::ifstream in(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
};

const std::string three_flowers =
    "CREATE TABLE flowers (name TEXT, width REAL, kind TEXT, petals INTEGER);"
    "INSERT INTO flowers VALUES ('f1', 1.5, 'rose', 5), ('f2', 2.5, 'iris', 3), ('f3', 0.5, 'rose', 4);";

Dataset select(const DatabaseFile& file, const std::string& query) { return read(file.path(), {.query = query}); }

template <class Expected = DataError>
std::string refusal(const std::string& sql, const ReadOptions& options = {}) {
  const DatabaseFile file(sql);
  return message_of<Expected>([&] { (void)read(file.path(), options); });
}

TEST(Sqlite, ReadsTheOnlyTable) {
  const DatabaseFile file(three_flowers);
  const Dataset table = read(file.path());
  EXPECT_EQ(table.n_rows(), 3U);
  EXPECT_THAT(table.doubles(), ElementsAre(1.5, 5, 2.5, 3, 0.5, 4));
  EXPECT_EQ(table.columns()[1].name, "petals");
  EXPECT_EQ(table.columns()[1].kind, ColumnKind::count);
  ASSERT_EQ(table.categories().size(), 2U);
  EXPECT_EQ(table.categories()[1].name, "kind");
  EXPECT_THAT(table.categories()[1].levels, ElementsAre("iris", "rose"));
  EXPECT_THAT(table.categories()[1].codes, ElementsAre(1, 0, 1));
}

TEST(Sqlite, ReadsTheResultOfAQuery) {
  const DatabaseFile file(three_flowers);
  const Dataset table = select(file, "SELECT width * 2 AS twice, petals FROM flowers WHERE kind = 'rose' ORDER BY 1; ");
  EXPECT_THAT(table.doubles(), ElementsAre(1, 4, 3, 5));
  EXPECT_EQ(table.columns()[0].name, "twice");
  EXPECT_THAT(select(file, "WITH t(a) AS (VALUES (1), (2)) SELECT a FROM t").doubles(), ElementsAre(1, 2));
  EXPECT_THAT(read(file.path(), {.max_rows = 2, .query = "SELECT petals FROM flowers"}).doubles(), ElementsAre(5, 3));
}

TEST(Sqlite, GivesColumnsTheirParts) {
  const DatabaseFile file(three_flowers);
  const Dataset table = read(file.path(), {.columns = {"2"}, .id = "1", .weights = "petals"});
  EXPECT_THAT(table.ids(), ElementsAre("f1", "f2", "f3"));
  EXPECT_THAT(table.weights(), ElementsAre(5, 3, 4));
  EXPECT_THAT(table.doubles(), ElementsAre(1.5, 2.5, 0.5));
  EXPECT_TRUE(table.categories().empty());
  const Dataset words = read(file.path(), {.columns = {"3"}});  // the third of the file, not of the numbers
  EXPECT_EQ(words.n_columns(), 0U);
  EXPECT_EQ(words.categories()[0].name, "kind");
  EXPECT_THAT(refusal(three_flowers, {.weights = "kind"}), HasSubstr("the column of weights 'kind' holds words"));
  EXPECT_THAT(refusal<OptionError>(three_flowers, {.types = {{"kind", ColumnKind::count}}}),
              HasSubstr("column 'kind' holds words"));
}

TEST(Sqlite, GivesLabels) {
  const DatabaseFile words("CREATE TABLE t (y TEXT); INSERT INTO t VALUES ('b'), ('a'), ('b');");
  EXPECT_THAT(read_labels(words.path()), ElementsAre(0, 1, 0));
  const DatabaseFile numbers("CREATE TABLE t (y); INSERT INTO t VALUES (3), (1);");
  EXPECT_THAT(read_labels(numbers.path()), ElementsAre(3, 1));
}

TEST(Sqlite, AsksWhichOfSeveralTables) {
  const std::string two = three_flowers + "CREATE TABLE \"odd \"\"name\" (x); CREATE VIEW v AS SELECT 1;";
  EXPECT_THAT(
      refusal<OptionError>(two),
      HasSubstr("the database has 2 tables (flowers, odd \"name); choose rows and columns of one, such as query "
                "SELECT * FROM \"flowers\""));
  EXPECT_THAT(refusal("CREATE VIEW v AS SELECT 1;"), HasSubstr("has no table"));
  EXPECT_THAT(refusal("CREATE TABLE \"a \"\"b\" (x);"), HasSubstr("the query gives no rows"));
}

TEST(Sqlite, NamesTheRowAndColumnOfANull) {
  const std::string sql = "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 2), (3, NULL);";
  EXPECT_THAT(refusal(sql), HasSubstr(".db: row 2 (counted from 1), column 'b': is NULL, expected a value"));
  const DatabaseFile file(sql);
  const Dataset table = read(file.path(), {.keep_missing = true});
  EXPECT_EQ(table.n_missing(1), 1U);
  EXPECT_TRUE(std::isnan(table.value(1, 1)));
}

TEST(Sqlite, WordsMayBeMissingToo) {
  const DatabaseFile file("CREATE TABLE t (a, b); INSERT INTO t VALUES (1, NULL), (3, 'x'), (4, 'w'), (5, NULL);");
  const CategoryColumn words = read(file.path(), {.keep_missing = true}).categories().at(0);
  EXPECT_THAT(words.levels, ElementsAre("w", "x"));
  EXPECT_THAT(words.codes, ElementsAre(no_word, 1, 0, no_word));
  EXPECT_EQ(n_missing(words), 2U);
}

TEST(Sqlite, RefusesColumnsOfSeveralTypes) {
  EXPECT_THAT(refusal("CREATE TABLE t (a); INSERT INTO t VALUES (1), ('x');"),
              HasSubstr("row 2 (counted from 1), column 'a': holds text, but the rows before it hold numbers"));
  EXPECT_THAT(refusal("CREATE TABLE t (a); INSERT INTO t VALUES ('x'), (1);"),
              HasSubstr("holds a number, but the rows"));
  EXPECT_THAT(refusal("CREATE TABLE t (a); INSERT INTO t VALUES (x'00');"),
              HasSubstr("column 'a': holds bytes (a BLOB)"));
  EXPECT_THAT(refusal("CREATE TABLE t (a); INSERT INTO t VALUES (9e999);"), HasSubstr("inf is not a finite number"));
  EXPECT_THAT(refusal("CREATE TABLE t (a); INSERT INTO t VALUES (CAST(x'FF41' AS TEXT));"), HasSubstr("is not UTF-8"));
}

TEST(Sqlite, TakesOnlyQueriesThatRead) {
  const DatabaseFile file(three_flowers);
  const std::string before = file.bytes();
  for (const char* query : {"DELETE FROM flowers", "DROP TABLE flowers", "INSERT INTO flowers DEFAULT VALUES", "",
                            "CREATE TABLE t (x)", "ATTACH 'other.db' AS other", "SELECT 1; SELECT 2", "-- nothing",
                            "SELECT 1; DELETE FROM flowers", "BEGIN", "DELETE FROM flowers RETURNING name"}) {
    EXPECT_THAT(message_of<OptionError>([&] { (void)select(file, query); }), HasSubstr("expected one SELECT")) << query;
  }
  EXPECT_THAT(message_of<OptionError>([&] { (void)select(file, "SELECT colour FROM flowers"); }),
              HasSubstr("the query 'SELECT colour FROM flowers' does not work: no such column: colour"));
  EXPECT_THAT(message_of<OptionError>([&] { (void)select(file, "SELECT 1 AS a, 2 AS a"); }),
              HasSubstr("two columns of the query are called 'a'"));
  EXPECT_EQ(file.bytes(), before);
}

TEST(Sqlite, ReadsWhatIsStillInTheLogOfWrites) {
  const DatabaseFile file("PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1);");
  sqlite3* writer = nullptr;
  ASSERT_EQ(sqlite3_open(file.path().c_str(), &writer), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(writer, "INSERT INTO t VALUES (2);", nullptr, nullptr, nullptr), SQLITE_OK);
  EXPECT_THAT(read(file.path()).doubles(), ElementsAre(1, 2));
  sqlite3_close(writer);
}

TEST(Sqlite, ReadsBytesThatAreNoFile) {
  const DatabaseFile file(three_flowers);
  const Input input{content_of(file.bytes(), "standard input"), "", ""};
  EXPECT_EQ(sqlite::read(input, {}).data, read(file.path()));
}

TEST(Sqlite, RefusesDamagedDatabases) {
  const DatabaseFile file(three_flowers);
  const std::string bytes = file.bytes();
  for (const std::size_t length : {std::size_t{16}, std::size_t{50}, std::size_t{100}, std::size_t{4096}}) {
    const TemporaryFile cut(bytes.substr(0, length), ".db");
    EXPECT_THROW((void)read(cut.path()), Error) << length;
  }
  std::string damaged = bytes;
  for (std::size_t at = 4096; at < damaged.size(); ++at) damaged[at] = '\xAB';
  const TemporaryFile changed(damaged, ".db");
  EXPECT_THAT(message_of<DataError>([&] { (void)read(changed.path()); }), HasSubstr("malformed"));
}

}  // namespace
}  // namespace coppice::internal
