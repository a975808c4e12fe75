// SPDX-License-Identifier: BSD-3-Clause
#include "data/choose_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "coppice/data/word_gaps.hpp"
#include "data/column_choice.hpp"
#include "data/naming.hpp"
#include "data/words.hpp"
#include "data/yes_no.hpp"

namespace coppice::internal {

namespace {

// As short as it can be and still be read as the same number: of a float32, 0.1 and not 0.10000000149011612.
std::string number_text(const Dataset& table, std::size_t row, std::size_t column) {
  const double value = table.value(row, column);
  return table.storage() == Storage::float32 ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
}

CategoryColumn words_of_numbers(const Dataset& table, std::size_t column) {
  Words words;
  CategoryColumn result{table.columns()[column].name, {}, std::vector<std::int32_t>(table.n_rows())};
  for (std::size_t row = 0; row < table.n_rows(); ++row) {
    const bool is_missing = std::isnan(table.value(row, column));
    result.codes[row] = is_missing ? no_word : words.code(number_text(table, row, column)).first;
  }
  const CodedWords coded{&words, result.codes};
  result.levels = make_common({&coded, 1});
  return result;
}

// The columns by the numbers that they have in the file.
class Chooser {
 public:
  Chooser(const StoredTable& stored, const ReadOptions& options)
      : data_(stored.data), names_(stored.names()), choice_(choose_columns(names_, options)) {
    for (const auto& [name, kind] : options.types) {
      const std::optional<std::size_t> column = find_column(names_, name);
      if (!column) throw_unknown_column(names_, name);
      set_kind(*column, kind);
    }
  }

  [[nodiscard]] bool has_data() const { return !choice_.data.empty(); }

  // The chosen columns, of numbers or of words.
  [[nodiscard]] Dataset table() const {
    std::vector<std::string> kept;
    std::vector<ColumnKind> kinds;
    std::vector<CategoryColumn> words;
    for (const std::size_t column : choice_.data) {
      const Place place = place_of(column);
      if (place.is_word) {
        words.push_back(data_.categories()[place.number]);
      } else if (kind_of(column, place) == ColumnKind::category) {
        words.push_back(words_of_numbers(data_, place.number));
      } else {
        kept.push_back(names_[column]);
        kinds.push_back(kind_of(column, place));
      }
    }
    const Dataset numbers =
        kept.empty() ? Dataset::from_rows(std::vector<double>{}, data_.n_rows(), 0) : data_.select_columns(kept);
    return numbers.with_kinds(kinds).with_categories(std::move(words));
  }

  [[nodiscard]] std::vector<std::string> ids() const {
    std::vector<std::string> ids;
    if (!choice_.id) return ids;
    const Place place = place_of(*choice_.id);
    for (std::size_t row = 0; row < data_.n_rows(); ++row) {
      if (place.is_word && data_.categories()[place.number].codes[row] == no_word) {
        throw DataError(
            fmt::format("row {} (counted from 1): the entry in column '{}' is missing, expected the row's name",
                        row + 1, names_[*choice_.id]));
      }
      ids.push_back(place.is_word ? std::string(word_of(data_.categories()[place.number], row))
                                  : number_text(data_, row, place.number));
    }
    return ids;
  }

  [[nodiscard]] std::vector<double> weights() const {
    std::vector<double> weights;
    if (!choice_.weights) return weights;
    const Place place = place_of(*choice_.weights);
    if (place.is_word) {
      throw DataError(
          fmt::format("the column of weights '{}' holds words, expected numbers", names_[*choice_.weights]));
    }
    for (std::size_t row = 0; row < data_.n_rows(); ++row) weights.push_back(data_.value(row, place.number));
    return weights;
  }

 private:
  // Where a column stands in the table: among its numbers or among its words.
  struct Place {
    bool is_word = false;
    std::size_t number = 0;
  };
  [[nodiscard]] Place place_of(std::size_t column) const {
    // Without words, the columns of the file are those of the numbers.
    if (data_.categories().empty()) return {false, column};
    const auto word = std::ranges::find(data_.categories(), names_[column], &CategoryColumn::name);
    if (word != data_.categories().end()) return {true, static_cast<std::size_t>(word - data_.categories().begin())};
    const auto number = std::ranges::find(data_.columns(), names_[column], &Column::name);
    return {false, static_cast<std::size_t>(number - data_.columns().begin())};
  }

  void set_kind(std::size_t column, ColumnKind kind) {
    const Place place = place_of(column);
    const bool is_binary = kind == ColumnKind::binary && place.is_word && is_yes_no(data_.categories()[place.number]);
    if (place.is_word && kind != ColumnKind::category && !is_binary) {
      throw OptionError(fmt::format("column '{}' holds words, so it can be of kind 'category' but not '{}'",
                                    names_[column], to_string(kind)));
    }
    kinds_[column] = kind;
  }
  [[nodiscard]] ColumnKind kind_of(std::size_t column, const Place& place) const {
    const auto found = kinds_.find(column);
    return found == kinds_.end() ? data_.columns()[place.number].kind : found->second;
  }

  const Dataset& data_;
  std::vector<std::string> names_;
  ColumnChoice choice_;
  std::map<std::size_t, ColumnKind> kinds_;
};

bool asks_for_nothing(const ReadOptions& options) {
  return options.columns.empty() && options.types.empty() && !options.id && !options.weights;
}

}  // namespace

Dataset choose_parts(const StoredTable& table, const ReadOptions& options, const std::string& file) {
  if (asks_for_nothing(options)) return table.data;
  const Chooser chooser(table, options);
  if (!chooser.has_data()) return {};
  return naming(file, [&] {
    Dataset result = chooser.table();
    if (options.id) result = result.with_ids(chooser.ids());
    std::vector<double> weights = chooser.weights();
    return weights.empty() ? result : result.with_weights(std::move(weights));
  });
}

}  // namespace coppice::internal
