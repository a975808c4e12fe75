// SPDX-License-Identifier: BSD-3-Clause
// However a text is cut into pieces, and by however many threads it is parsed: the same table, or the same error.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "at_length.hpp"
#include "coppice/data/csv/scanner.hpp"
#include "coppice/runtime/error.hpp"
#include "data/csv/chunk_scan.hpp"
#include "data/csv/read_csv.hpp"
#include "unit/data/memory_limit.hpp"
#include "unit/data/temporary_file.hpp"

namespace coppice::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::size_t in_one_piece = std::numeric_limits<std::size_t>::max();

// In a vector, so that a sanitizer sees one byte read too many.
Content content_of_bytes(const std::string& text) {
  auto bytes = std::make_shared<const std::vector<char>>(text.begin(), text.end());
  return {bytes, {bytes->data(), bytes->size()}, "t.csv"};
}

Dataset parse(const std::string& text, const ReadOptions& options, std::size_t bytes_per_piece) {
  const Content content = content_of_bytes(text);
  return csv::read(content, csv::find_layout(content), options, bytes_per_piece);
}

std::string dump(const Dataset& table) {
  std::string result = fmt::format("{} rows; {}", table.n_rows(), fmt::join(table.doubles(), " "));
  for (const Column& column : table.columns()) result += fmt::format("; {} {}", column.name, to_string(column.kind));
  for (const CategoryColumn& column : table.categories()) {
    result += fmt::format("; {}: {} / {}", column.name, fmt::join(column.levels, "|"), fmt::join(column.codes, " "));
  }
  return result + fmt::format("; {}; {}", fmt::join(table.ids(), "|"), fmt::join(table.weights(), " "));
}

// The table in words, or what is wrong with the text.
std::string outcome(const std::string& text, const ReadOptions& options, std::size_t bytes_per_piece) {
  try {
    return dump(parse(text, options, bytes_per_piece));
  } catch (const Error& error) {
    return error.what();
  }
}

void expect_same_in_pieces(const std::string& text, ReadOptions options) {
  options.threads = 1;
  const std::string expected = outcome(text, options, in_one_piece);
  for (const std::size_t bytes : {1U, 2U, 5U, 17U, 60U}) {
    options.threads = bytes % 3 + 1;
    ASSERT_EQ(outcome(text, options, bytes), expected) << bytes << " bytes per piece of\n" << text;
  }
}

class RandomText {
 public:
  explicit RandomText(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t n) { return random_() % n; }
  bool happens(std::size_t one_in) { return below(one_in) == 0; }

  // Rows of a name, a number, a word and a number, and what they hold.
  std::string table(std::size_t n_rows, std::vector<double>& numbers, std::vector<std::string>& words) {
    const char separator = ",;\t|"[below(4)];
    std::string text = fmt::format("id{0}x{0}word{0}y", separator) + line_end();
    for (std::size_t row = 0; row < n_rows; ++row) {
      add_lines_without_rows(text);
      numbers.push_back(static_cast<double>(below(1000)) / 8.0);
      numbers.push_back(static_cast<double>(below(3)));
      words.push_back(word());
      text += fmt::format("r{}{}{}{}{}{}{}", row, separator, dressed(numbers[numbers.size() - 2]), separator,
                          dressed(words.back(), separator), separator, dressed(numbers.back()));
      text += row + 1 == n_rows && happens(2) ? "" : line_end();
    }
    return text;
  }

  // Anything, made of the bytes that matter.
  std::string soup(std::size_t length) {
    constexpr std::string_view bytes = "\"\"\"\n\n\n,,,11 #a\r\t";
    std::string text;
    while (text.size() < length) text += bytes[below(bytes.size())];
    return text;
  }

  void damage(std::string& text) {
    constexpr std::string_view bytes = "\",;\n#x1 \r";
    for (std::size_t change = 0; change <= below(3); ++change) text[below(text.size())] = bytes[below(bytes.size())];
  }

 private:
  std::string line_end() { return happens(3) ? "\r\n" : "\n"; }

  void add_lines_without_rows(std::string& text) {
    if (happens(6)) text += line_end();
    if (happens(6)) text += "# a \"comment, \"\" with quotes" + line_end();
    if (happens(6)) text += "  # \"" + line_end();
    if (happens(8)) text += "  " + line_end();
  }

  std::string word() {
    static const std::vector<std::string> choices{"red",
                                                  "blue",
                                                  "5\"x",
                                                  "a \"b\" c",
                                                  "two\nlines",
                                                  "\n",
                                                  "\"",
                                                  "say \"hi\"\n",
                                                  "# red",
                                                  "\n# not a comment\n",
                                                  "a,b;c\td|e",
                                                  "\r\n",
                                                  "x\n\"1\"\n2,3,\"4\n"};
    return choices[below(choices.size())];
  }

  std::string dressed(double number) {
    if (happens(5)) return fmt::format("\"{}\"", number);
    return happens(5) ? fmt::format(" {} ", number) : fmt::format("{}", number);
  }

  std::string dressed(const std::string& word, char separator) {
    const bool is_plain = word.find_first_of(fmt::format("\r\n#{}", separator)) == std::string::npos && word[0] != '"';
    if (is_plain && happens(2)) return word;
    std::string quoted = "\"";
    for (const char c : word) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + '"';
  }

  std::mt19937_64 random_;
};

TEST(CsvPieces, ReadWhatWasWritten) {
  const auto n_seeds = n_cases<std::uint64_t>(500, 1500);
  for (std::uint64_t seed = 0; seed < n_seeds; ++seed) {
    RandomText random(seed);
    std::vector<double> numbers;
    std::vector<std::string> words;
    const std::size_t n_rows = 1 + random.below(25);
    const std::string text = random.table(n_rows, numbers, words);
    const Dataset table = parse(text, {.id = "id", .threads = 2}, 1 + random.below(80));
    ASSERT_EQ(table.n_rows(), n_rows) << text;
    ASSERT_EQ(std::vector<double>(table.doubles().begin(), table.doubles().end()), numbers) << text;
    const CategoryColumn& column = table.categories()[0];
    for (std::size_t row = 0; row < n_rows; ++row) {
      ASSERT_EQ(column.levels[static_cast<std::size_t>(column.codes[row])], words[row]) << text;
      ASSERT_EQ(table.ids()[row], fmt::format("r{}", row));
    }
    ASSERT_TRUE(std::ranges::is_sorted(column.levels));
  }
}

TEST(CsvPieces, DoNotChangeTheTableOrTheError) {
  const auto n_seeds = n_cases<std::uint64_t>(200, 800);
  for (std::uint64_t seed = 0; seed < n_seeds; ++seed) {
    RandomText random(seed);
    std::vector<double> numbers;
    std::vector<std::string> words;
    std::string text = random.table(1 + random.below(25), numbers, words);
    if (!random.happens(4)) random.damage(text);
    ReadOptions options;
    if (random.happens(3)) options.max_rows = 1 + random.below(20);
    if (random.happens(3)) options.keep_missing = true;
    if (random.happens(3)) options.columns = {"4", "2"};
    if (random.happens(5)) options.types = {{"4", ColumnKind::binary}};
    expect_same_in_pieces(text, options);
  }
}

TEST(CsvPieces, DoNotChangeWhatIsWrongWithSoup) {
  const auto n_seeds = n_cases<std::uint64_t>(200, 1000);
  for (std::uint64_t seed = 0; seed < n_seeds; ++seed) {
    RandomText random(seed);
    const std::string text = (seed % 2 == 0 ? "a,b\n1,2\n" : "a\n") + random.soup(1 + random.below(60));
    expect_same_in_pieces(text, {.keep_missing = seed % 3 == 0});
    expect_same_in_pieces(text, {.columns = {"a"}, .types = {{"a", ColumnKind::category}}});
  }
}

// A chunk that is scanned has as many rows as one that is walked over field by field.
TEST(CsvPieces, CountTheRowsThatTheScannerFinds) {
  std::size_t n_whole = 0;
  for (std::uint64_t seed = 0; seed < 20000; ++seed) {
    RandomText random(seed);
    const std::string text = random.soup(1 + random.below(40));
    const char separator = ",\t "[seed % 3];
    const csv::ChunkScan scan = csv::scan_chunk(text, separator);
    csv::Scanner scanner(text, 1, separator, "");
    std::size_t n_rows = 0;
    bool is_whole = true;
    try {
      for (; scanner.next_record(); ++n_rows) {
        do {
          (void)scanner.field();
        } while (scanner.next_field());
      }
    } catch (const DataError&) {
      is_whole = false;
      ++n_rows;
    }
    ASSERT_EQ(scan.outside.n_rows, n_rows) << text;
    ASSERT_EQ(scan.outside.end == csv::ScanEnd::outside, is_whole) << text;
    n_whole += is_whole ? 1U : 0U;
  }
  EXPECT_GT(n_whole, 2000U);
}

TEST(CsvPieces, NameTheFirstBadLineOfAll) {
  std::string text = "a,b\n";
  for (int row = 0; row < 5000; ++row) text += row % 1000 == 700 ? "1,bad\n" : "1,2\n";
  for (const std::size_t threads : {1U, 2U, 4U}) {
    for (int round = 0; round < 20; ++round) {
      EXPECT_THAT(outcome(text, {.threads = threads}, 100), StartsWith("t.csv:702:2: 'bad'"));
    }
  }
}

TEST(CsvPieces, ReadNoFurtherThanAsked) {
  std::string text = "a,b\n1,2\n3,4\n5,6\n";
  EXPECT_THAT(parse(text, {.max_rows = 2}, in_one_piece).doubles(), ElementsAre(1, 2, 3, 4));
  text += "7,bad\n8\n9,\"open\n" + std::string(70000, ' ') + std::string(1, '\0');
  for (const std::size_t bytes : {1U, 4U, 8U}) {
    EXPECT_THAT(parse(text, {.max_rows = 2}, bytes).doubles(), ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(parse(text, {.max_rows = 3}, bytes).doubles(), ElementsAre(1, 2, 3, 4, 5, 6));
  }
  text.pop_back();
  EXPECT_THAT(parse(text, {.max_rows = 3}, in_one_piece).doubles(), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(outcome(text, {.max_rows = 4}, in_one_piece), StartsWith("t.csv:5:2: 'bad'"));
  EXPECT_EQ(parse("1\n2\n", {.max_rows = 9}, in_one_piece).n_rows(), 2U);
}

TEST(CsvPieces, AskForTheMemoryOfTheRowsThatAreRead) {
  if (!can_limit_memory) GTEST_SKIP() << "a sanitizer is at work";
  std::string text;
  for (int row = 0; row < 1000000; ++row) text += "1,2,3,4\n";
  const Content content = content_of(std::move(text), "t.csv");
  const csv::Layout layout = csv::find_layout(content);
  const MemoryLimit limit(std::size_t{20} << 20U);
  EXPECT_THAT(message_of<LimitError>([&] { (void)csv::read(content, layout, {.threads = 1}); }),
              StartsWith("t.csv: the table takes about 0.0 GB of memory"));
  EXPECT_EQ(csv::read(content, layout, {.max_rows = 1000, .threads = 1}).n_rows(), 1000U);
}

// A wide header over many narrow rows would ask for a table a thousand times the file's size.
TEST(CsvPieces, RefuseRaggedRowsBeforeAskingForMemory) {
  std::string text = "c0";
  for (int column = 1; column < 20000; ++column) text += fmt::format(",c{}", column);
  text += "\n1";
  for (int column = 1; column < 20000; ++column) text += ",1";
  text += "\n";
  for (int row = 0; row < 200000; ++row) text += "1\n";
  EXPECT_THAT(outcome(text, {}, 1U << 16U), StartsWith("t.csv:3: the row has 1 field, expected 20000"));
  EXPECT_EQ(parse(text, {.max_rows = 1}, 1U << 16U).n_rows(), 1U);
}

TEST(CsvPieces, FindNulBytesAnywhere) {
  std::string text = "a,b\n";
  for (int row = 0; row < 50000; ++row) text += "1,2\n";
  text += "3,\"x";
  text += '\0';
  text += "\"\n";
  EXPECT_THAT(outcome(text, {}, 1000), HasSubstr("t.csv:50002: a NUL byte (byte 200009 of the file)"));
}

TEST(CsvPieces, ReadVeryLongLinesAndCells) {
  const std::string long_word(300000, 'w');
  const Dataset table = parse("a,b\n1,\"" + long_word + "\n\"\n2,u\n", {.threads = 2}, 1000);
  EXPECT_THAT(table.doubles(), ElementsAre(1, 2));
  EXPECT_EQ(table.categories()[0].levels[1].size(), 300001U);
  const std::string zeros(100000, '0');
  EXPECT_THAT(parse("1." + zeros + "1\n0" + zeros + "2\n", {}, 1000).doubles(), ElementsAre(1, 2));
}

}  // namespace
}  // namespace coppice::internal
