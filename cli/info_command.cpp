// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <memory>

#include "commands.hpp"
#include "coppice/coppice.hpp"
#include "coppice/write/summary.hpp"
#include "objective.hpp"
#include "text_table.hpp"

namespace coppice::cli {

namespace {

bool is_model(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string head(4, '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  return in && looks_like_model(head);
}

void describe_model(const std::string& path) {
  const Model model = load_model(path);
  fmt::print("{}: a model of {} {} ({}, {}), fitted to {} rows x {} columns\n", path, model.k(),
             model.k() == 1 ? "cluster" : "clusters", model.method(), model.components().family(),
             fmt::format("{:.10g}", model.total_weight()), model.n_columns());
  const std::string objective = objective_name_of(model.method());
  if (is_code_length(objective)) {
    fmt::print("objective {:.6f} nats, partition prior {} ({})\n\n", model.objective(), model.partition().name(),
               model.partition().parameter());
  } else {
    fmt::print("{} {:.10g}\n\n", objective, model.objective());
  }
  TextTable table({"cluster", "weight", "mean"}, "rrl");
  for (std::size_t c = 0; c < model.k(); ++c) {
    std::string mean;
    for (std::size_t d = 0; d < std::min<std::size_t>(model.n_columns(), 8); ++d)
      mean += fmt::format("{}={} ", model.columns()[d].name, short_number(model.mean(c)[d]));
    if (model.n_columns() > 8) mean += "...";
    table.add({fmt::format("{}", c), short_number(model.stats().weight(c)), mean});
  }
  fmt::print("{}", table.to_string());
}

struct Spread {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  double sum = 0.0;
};

void describe_table(const std::string& path) {
  const Dataset data = read(path);
  fmt::print("{}: {} rows x {} columns, {}\n\n", path, with_commas(data.n_rows()),
             with_commas(data.n_columns() + data.categories().size()), to_string(data.storage()));
  std::vector<Spread> spreads(data.n_columns());
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    for (std::size_t column = 0; column < data.n_columns(); ++column) {
      const double value = data.value(row, column);
      Spread& spread = spreads[column];
      spread.low = std::min(spread.low, value);
      spread.high = std::max(spread.high, value);
      spread.sum += value;
    }
  }
  TextTable table({"column", "kind", "least", "mean", "most"}, "ll");
  for (std::size_t column = 0; column < data.n_columns(); ++column) {
    const Spread& spread = spreads[column];
    table.add({data.columns()[column].name, std::string(to_string(data.columns()[column].kind)),
               short_number(spread.low), short_number(spread.sum / static_cast<double>(data.n_rows())),
               short_number(spread.high)});
  }
  for (const CategoryColumn& column : data.categories())
    table.add({column.name, "category", fmt::format("{} words", column.levels.size()), "", ""});
  fmt::print("{}", table.to_string());
}

}  // namespace

void add_info(CLI::App& program) {
  CLI::App* command = program.add_subcommand("info", "What is in a table or a model");
  const auto path = std::make_shared<std::string>();
  command->add_option("FILE", *path, "table or model")->type_name(" ")->required();
  command->callback([=] { is_model(*path) ? describe_model(*path) : describe_table(*path); });
}

}  // namespace coppice::cli
