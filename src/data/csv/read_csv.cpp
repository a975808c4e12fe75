// SPDX-License-Identifier: BSD-3-Clause
#include "data/csv/read_csv.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "data/csv/rows.hpp"

namespace coppice::csv {

namespace {

// Levels in order of their names instead of their appearance.
CategoryColumn sorted_category(std::string name, const Words& words) {
  const std::vector<std::string>& levels = words.levels();
  std::vector<std::size_t> order(levels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t level) -> const std::string& { return levels[level]; });
  CategoryColumn column{std::move(name), {}, words.codes};
  std::vector<std::int32_t> new_code(levels.size());
  for (std::size_t place = 0; place < order.size(); ++place) {
    column.levels.push_back(levels[order[place]]);
    new_code[order[place]] = static_cast<std::int32_t>(place);
  }
  for (std::int32_t& code : column.codes) code = new_code[static_cast<std::size_t>(code)];
  return column;
}

}  // namespace

Dataset read(const Content& content, const Layout& layout, const ReadOptions& options) {
  const ColumnChoice choice = choose_columns(layout.names, options);
  const Plan plan = make_plan(layout, choice, content.name);
  Rows rows = parse_rows(layout.rows, layout.first_line, layout, plan, content.name);

  std::vector<std::string> names(plan.n_numbers);
  std::vector<CategoryColumn> categories(plan.n_words);
  for (const std::size_t column : choice.data) {
    const Part& part = plan.parts[column];
    const std::string& name = layout.names[column];
    if (part.role == Role::word) {
      categories[part.slot] = sorted_category(name, rows.words[part.slot]);
    } else {
      names[part.slot] = name;
    }
  }
  Dataset table = Dataset::from_rows(std::move(rows.values), rows.n_rows, plan.n_numbers)
                      .with_names(std::move(names))
                      .with_categories(std::move(categories));
  if (choice.id) table = table.with_ids(std::move(rows.ids));
  if (choice.weights) table = table.with_weights(std::move(rows.weights));
  return table;
}

}  // namespace coppice::csv
