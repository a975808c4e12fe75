// SPDX-License-Identifier: BSD-3-Clause
#include "data/yes_no.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "coppice/data/word_gaps.hpp"
#include "coppice/runtime/ascii.hpp"
#include "data/column_choice.hpp"

namespace coppice::internal {

namespace {

enum class Pair : std::uint8_t { yes_no, true_false };

struct Meaning {
  std::string_view word;
  bool is_yes = false;
  Pair pair = Pair::yes_no;
};

constexpr std::array<Meaning, 8> meanings{{{"yes", true, Pair::yes_no},
                                           {"no", false, Pair::yes_no},
                                           {"y", true, Pair::yes_no},
                                           {"n", false, Pair::yes_no},
                                           {"true", true, Pair::true_false},
                                           {"false", false, Pair::true_false},
                                           {"t", true, Pair::true_false},
                                           {"f", false, Pair::true_false}}};

const Meaning* meaning_of(std::string_view word) noexcept {
  const auto found =
      std::ranges::find_if(meanings, [=](const Meaning& meaning) { return ascii::is_word(word, meaning.word); });
  return found == meanings.end() ? nullptr : &*found;
}

// The columns that are to be read as numbers.
std::unordered_set<std::string_view> columns_to_turn(const Dataset& table, std::span<const std::string> names,
                                                     const ReadOptions& options) {
  std::unordered_set<std::string_view> turned;
  if (options.keep_words) return turned;
  for (const CategoryColumn& column : table.categories()) {
    if (is_yes_no(column)) turned.insert(column.name);
  }
  for (const auto& [name, kind] : options.types) {
    const std::optional<std::size_t> column = find_column(names, name);
    if (column && kind == ColumnKind::category) turned.erase(names[*column]);
  }
  return turned;
}

// Where the numbers of a column come from: a column of the table, or else words.
struct Source {
  Column column;
  std::size_t number = 0;
  const CategoryColumn* words = nullptr;

  [[nodiscard]] double value(const Dataset& table, std::size_t row) const {
    if (words == nullptr) return table.value(row, number);
    if (words->codes[row] == no_word) return std::numeric_limits<double>::quiet_NaN();
    return *yes_or_no(word_of(*words, row)) ? 1.0 : 0.0;
  }
};

// In the order in which the options choose them from the file.
std::vector<Source> sources(const Dataset& table, std::span<const std::string> names, const ReadOptions& options,
                            const std::unordered_set<std::string_view>& turned) {
  std::unordered_map<std::string_view, Source> by_name;
  for (std::size_t c = 0; c < table.n_columns(); ++c) {
    by_name.emplace(table.columns()[c].name, Source{table.columns()[c], c});
  }
  for (const CategoryColumn& words : table.categories()) {
    if (turned.contains(words.name))
      by_name.emplace(words.name, Source{{words.name, ColumnKind::binary, words.is_made_up}, 0, &words});
  }
  std::vector<Source> result;
  for (const std::size_t column : choose_columns(names, options).data) {
    const auto found = by_name.find(names[column]);
    if (found != by_name.end()) result.push_back(found->second);
  }
  return result;
}

}  // namespace

std::optional<bool> yes_or_no(std::string_view word) noexcept {
  const Meaning* meaning = meaning_of(word);
  return meaning == nullptr ? std::nullopt : std::optional(meaning->is_yes);
}

bool is_yes_no(const CategoryColumn& column) {
  if (column.levels.empty()) return false;
  const Meaning* first = meaning_of(column.levels.front());
  return first != nullptr && std::ranges::all_of(column.levels, [&](const std::string& word) {
           const Meaning* meaning = meaning_of(word);
           return meaning != nullptr && meaning->pair == first->pair;
         });
}

Dataset with_yes_no_as_binary(const Dataset& table, std::span<const std::string> names, const ReadOptions& options) {
  const std::unordered_set<std::string_view> turned = columns_to_turn(table, names, options);
  if (turned.empty()) return table;
  const std::vector<Source> columns = sources(table, names, options, turned);
  std::vector<double> values;
  values.reserve(table.n_rows() * columns.size());
  for (std::size_t row = 0; row < table.n_rows(); ++row) {
    for (const Source& source : columns) values.push_back(source.value(table, row));
  }
  std::vector<std::string> new_names;
  std::vector<bool> are_made_up;
  std::vector<ColumnKind> kinds;
  for (const Source& source : columns) {
    new_names.push_back(source.column.name);
    are_made_up.push_back(source.column.is_made_up);
    kinds.push_back(source.column.kind);
  }
  std::vector<CategoryColumn> words;
  for (const CategoryColumn& column : table.categories()) {
    if (!turned.contains(column.name)) words.push_back(column);
  }
  Dataset result = Dataset::from_rows_with_gaps(std::move(values), table.n_rows(), columns.size())
                       .with_names(std::move(new_names), are_made_up)
                       .with_kinds(kinds)
                       .with_categories(std::move(words));
  if (!table.ids().empty()) result = result.with_ids(table.ids());
  return table.weights().empty() ? result : result.with_weights(table.weights());
}

}  // namespace coppice::internal
