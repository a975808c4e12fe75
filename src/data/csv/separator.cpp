// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <compare>
#include <cstdint>

#include "coppice/data/csv/cell.hpp"
#include "coppice/data/csv/layout.hpp"
#include "coppice/runtime/error.hpp"

namespace coppice::csv {

namespace {

constexpr std::size_t lines_looked_at = 32;
constexpr std::array<char, 5> candidates{'\t', ';', ',', '|', blanks};  // where nothing else decides, the first

// What a separator makes of the first lines.
struct Cut {
  std::size_t n_lines = 0;  // that it cuts into two or more fields
  bool is_even = true;      // every line has as many fields as the first
  // Of the cells that hold something, without the first line, which may hold names:
  std::size_t n_cells = 0;
  std::size_t n_values = 0;   // numbers, or meant to be: missing, too large, with a decimal comma
  std::size_t n_numbers = 0;  // numbers as they should be

  void add(CellKind kind) {
    n_cells += kind == CellKind::empty ? 0U : 1U;
    n_values += kind == CellKind::empty || kind == CellKind::word ? 0U : 1U;
    n_numbers += kind == CellKind::number ? 1U : 0U;
  }
  [[nodiscard]] double share(std::size_t n) const {
    return n_cells == 0 ? 0.0 : static_cast<double>(n) / static_cast<double>(n_cells);
  }
};

Cut cut_by(char separator, std::string_view bytes) {
  Cut cut;
  std::size_t n_in_first = 0;
  Scanner scanner(bytes, 1, separator, "");
  try {
    for (std::size_t line = 0; line < lines_looked_at && scanner.next_record(); ++line) {
      if (line == 1) cut.n_cells = cut.n_values = cut.n_numbers = 0;
      std::size_t n_fields = 0;
      do {
        cut.add(classify(scanner.field()).kind);
        ++n_fields;
      } while (scanner.next_field());
      cut.n_lines += n_fields > 1 ? 1U : 0U;
      if (line == 0) n_in_first = n_fields;
      cut.is_even = cut.is_even && n_fields == n_in_first;
    }
  } catch (const DataError&) {  // quotes that do not go with this separator
    cut.is_even = false;
  }
  return cut;
}

// Larger is better.
struct Score {
  enum class Rank : std::uint8_t { unfit, uneven, even_blanks, even };
  Rank rank = Rank::unfit;
  std::size_t n_lines = 0;
  // Values come before numbers: 1,5;2,5 cut at semicolons holds two values and no number as it should be, cut at commas
  // two numbers and a word.
  double share_of_values = 0.0;
  double share_of_numbers = 0.0;
  auto operator<=>(const Score&) const = default;
};

Score score_of(char separator, const Cut& cut) {
  if (cut.n_lines == 0) return {};
  Score score{Score::Rank::even, 0, cut.share(cut.n_values), cut.share(cut.n_numbers)};
  // Words have blanks inside: these separate only where most cells are numbers, and where another separator cuts
  // evenly too, only where all are ("1,5 2,5", with decimal commas, which are refused later).
  if (separator == blanks && score.share_of_values <= 0.5) return {};
  if (separator == blanks && score.share_of_values < 1.0) score.rank = Score::Rank::even_blanks;
  if (cut.is_even) return score;
  score.rank = Score::Rank::uneven;
  score.n_lines = cut.n_lines;
  return score;
}

}  // namespace

char find_separator(std::string_view bytes) {
  char best = ',';
  Score best_score;
  for (const char separator : candidates) {
    const Score score = score_of(separator, cut_by(separator, bytes));
    if (score > best_score) {
      best = separator;
      best_score = score;
    }
  }
  return best;
}

}  // namespace coppice::csv
