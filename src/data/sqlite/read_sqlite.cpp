// SPDX-License-Identifier: BSD-3-Clause
#include "data/sqlite/read_sqlite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "coppice/data/csv/cell.hpp"
#include "coppice/data/memory_need.hpp"
#include "coppice/data/word_gaps.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"
#include "data/naming.hpp"
#include "data/sqlite/database.hpp"
#include "data/words.hpp"

namespace coppice::sqlite {
using namespace internal;

namespace {

std::string quoted_name(const std::string& name) {
  std::string result = "\"";
  for (const char letter : name) result += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return result + '"';
}

// Without a query: all of the only table.
std::string query_of(const Database& database, const ReadOptions& options, const std::string& file) {
  if (options.query) return *options.query;
  const std::vector<std::string> names = table_names(database, file);
  if (names.empty()) throw DataError(fmt::format("{}: the database has no table", file));
  if (names.size() > 1) {
    throw OptionError(format_text("{}: the database has {} tables ({}); choose rows and columns of one, such as {}",
                                  file, names.size(), fmt::join(names, ", "),
                                  option("query", fmt::format("SELECT * FROM {}", quoted_name(names[0])))));
  }
  return "SELECT * FROM " + quoted_name(names[0]);
}

std::vector<std::string> column_names(const Query& query, const std::string& file) {
  std::vector<std::string> names;
  for (int column = 0; column < sqlite3_column_count(query.get()); ++column) {
    const char* name = sqlite3_column_name(query.get(), column);
    names.emplace_back(name == nullptr ? "" : name);
    if (std::ranges::count(names, names.back()) > 1) {
      throw OptionError(fmt::format("{}: two columns of the query are called '{}'; give one another name with AS", file,
                                    names.back()));
    }
  }
  return names;
}

enum class Holds : std::uint8_t { nothing_yet, numbers, words };

struct ResultColumn {
  std::string name;
  Holds holds = Holds::nothing_yet;
  Words words;
};

// The rows of a result as they come; the codes of words stand among the numbers until the end.
class Result {
 public:
  Result(const Query& query, const std::vector<std::string>& names, const std::string& file, const ReadOptions& options)
      : query_(query), file_(file), options_(options) {
    for (const std::string& name : names) columns_.push_back({name, Holds::nothing_yet, {}});
  }

  void add_row() {
    if (values_.size() + columns_.size() > values_.capacity()) make_room();
    for (std::size_t column = 0; column < columns_.size(); ++column) values_.push_back(cell(column));
    ++n_rows_;
  }

  [[nodiscard]] std::size_t n_rows() const { return n_rows_; }

  Dataset table() {
    std::vector<CategoryColumn> categories;
    std::vector<std::string> names;
    std::vector<std::size_t> numeric;
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      if (columns_[column].holds == Holds::words) {
        categories.push_back(category(column));
      } else {
        numeric.push_back(column);
        names.push_back(columns_[column].name);
      }
    }
    keep_only(numeric);
    return naming(file_, [&] {
      return Dataset::from_rows_with_gaps(std::move(values_), n_rows_, numeric.size())
          .with_names(std::move(names))
          .with_categories(std::move(categories));
    });
  }

 private:
  // A result does not say how many rows it has: its memory grows by half, and is asked for each time.
  void make_room() {
    const std::size_t wanted = std::max(2 * columns_.size(), values_.size() + values_.size() / 2 + columns_.size());
    require_memory(wanted * sizeof(double), file_, options_);
    values_.reserve(wanted);
  }

  [[nodiscard]] std::string place(std::size_t column) const {
    return fmt::format("{}: row {} (counted from 1), column '{}'", file_, n_rows_ + 1, columns_[column].name);
  }

  double cell(std::size_t column) {
    const int number = static_cast<int>(column);
    switch (sqlite3_column_type(query_.get(), number)) {
      case SQLITE_INTEGER:
      case SQLITE_FLOAT:
        return number_in(column, sqlite3_column_double(query_.get(), number));
      case SQLITE_TEXT:
        return word_in(column);
      case SQLITE_NULL:
        return gap_in(column);
      default:
        throw DataError(fmt::format("{}: holds bytes (a BLOB), expected a number or text", place(column)));
    }
  }

  double number_in(std::size_t column, double value) {
    expect(column, Holds::numbers);
    if (!std::isfinite(value)) throw DataError(fmt::format("{}: {} is not a finite number", place(column), value));
    return value;
  }

  double word_in(std::size_t column) {
    expect(column, Holds::words);
    const auto number = static_cast<int>(column);
    const unsigned char* text = sqlite3_column_text(query_.get(), number);
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(query_.get(), number));
    const std::string_view word(reinterpret_cast<const char*>(text), text == nullptr ? 0 : size);
    if (!csv::is_utf8(word)) throw DataError(fmt::format("{}: {} is not UTF-8 text", place(column), csv::show(word)));
    return columns_[column].words.code(word).first;
  }

  double gap_in(std::size_t column) {
    if (!options_.keep_missing) {
      throw DataError(fmt::format(
          "{}: is NULL, expected a value; leave such rows out with WHERE, or keep missing entries", place(column)));
    }
    return std::numeric_limits<double>::quiet_NaN();
  }

  // SQLite lets every cell have its own type; a column of a table has one.
  void expect(std::size_t column, Holds found) {
    Holds& holds = columns_[column].holds;
    if (holds == Holds::nothing_yet) holds = found;
    if (holds == found) return;
    const bool is_word = found == Holds::words;
    throw DataError(fmt::format("{}: holds {}, but the rows before it hold {}; convert the column with CAST",
                                place(column), is_word ? "text" : "a number", is_word ? "numbers" : "text"));
  }

  CategoryColumn category(std::size_t column) {
    CategoryColumn result{columns_[column].name, {}, std::vector<std::int32_t>(n_rows_)};
    for (std::size_t row = 0; row < n_rows_; ++row) {
      const double code = values_[row * columns_.size() + column];
      result.codes[row] = std::isnan(code) ? no_word : static_cast<std::int32_t>(code);
    }
    const CodedWords coded{&columns_[column].words, result.codes};
    result.levels = make_common({&coded, 1});
    return result;
  }

  // Moves the chosen columns together; their values never move back.
  void keep_only(const std::vector<std::size_t>& numeric) {
    if (numeric.size() == columns_.size()) return;
    std::size_t to = 0;
    for (std::size_t row = 0; row < n_rows_; ++row) {
      for (const std::size_t column : numeric) values_[to++] = values_[row * columns_.size() + column];
    }
    values_.resize(to);
  }

  const Query& query_;
  const std::string& file_;
  const ReadOptions& options_;
  std::vector<ResultColumn> columns_;
  std::vector<double> values_;
  std::size_t n_rows_ = 0;
};

}  // namespace

StoredTable read(const Input& input, const ReadOptions& options) {
  const std::string& file = input.content.name;
  const Database database = open(input);
  const Query query = prepare(database, query_of(database, options, file), file);
  std::vector<std::string> names = column_names(query, file);
  Result result(query, names, file, options);
  const std::size_t most_rows = options.max_rows.value_or(std::numeric_limits<std::size_t>::max());
  while (result.n_rows() < most_rows && step(query, file)) result.add_row();
  if (result.n_rows() == 0) throw DataError(fmt::format("{}: the query gives no rows, expected at least one", file));
  return {result.table(), std::move(names)};
}

}  // namespace coppice::sqlite
