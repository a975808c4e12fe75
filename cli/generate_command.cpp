// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <iterator>
#include <map>
#include <memory>

#include "commands.hpp"
#include "coppice/coppice.hpp"
#include "coppice/data/npy.hpp"
#include "labels_output.hpp"

namespace coppice::cli {

namespace {

struct Destination {
  std::string out;
  std::string labels;
};

std::string table_csv(const Dataset& data) {
  std::string text;
  for (std::size_t column = 0; column < data.n_columns(); ++column)
    text += (column == 0 ? "" : ",") + data.columns()[column].name;
  text += '\n';
  for (std::size_t row = 0; row < data.n_rows(); ++row) {
    for (std::size_t column = 0; column < data.n_columns(); ++column) {
      fmt::format_to(std::back_inserter(text), "{}{}", column == 0 ? "" : ",", data.value(row, column));
    }
    text += '\n';
  }
  return text;
}

void write(const Generated& generated, const Destination& to) {
  const Dataset& data = generated.data;
  write_text(to.out, to.out.ends_with(".npy") ? npy::to_bytes(data.doubles(), {data.n_rows(), data.n_columns()})
                                              : table_csv(data));
  if (to.labels.empty()) return;
  const LabelledRows rows{data, generated.labels};
  write_text(to.labels, to.labels.ends_with(".npy") ? labels_npy(rows) : labels_csv(rows));
}

// A kind of data as a command of its own, with where to write it.
template <class Kind>
CLI::App* add_kind(CLI::App& generate_command, const char* name, const char* help, const std::shared_ptr<Kind>& kind) {
  CLI::App* command = generate_command.add_subcommand(name, help);
  const auto to = std::make_shared<Destination>();
  command->add_option("--out", to->out, "table to write, .csv or .npy")->type_name("FILE")->required();
  command->add_option("--labels", to->labels, "also write the true groups, .csv or .npy")->type_name("FILE");
  command->add_option("--seed", kind->seed, "random seed")
      ->check(CLI::NonNegativeNumber.description(""))
      ->type_name("NUMBER")
      ->capture_default_str();
  command->callback([=] { write(generate(*kind), *to); });
  return command;
}

template <class Kind>
void add_sizes(CLI::App* command, const std::shared_ptr<Kind>& kind) {
  command->add_option("--rows", kind->n_rows, "rows")
      ->check(CLI::NonNegativeNumber.description(""))
      ->type_name("NUMBER")
      ->capture_default_str();
  command->add_option("--dimensions", kind->n_columns, "columns")
      ->check(CLI::NonNegativeNumber.description(""))
      ->type_name("NUMBER")
      ->capture_default_str();
  command->add_option("--k", kind->k, "clusters")
      ->check(CLI::NonNegativeNumber.description(""))
      ->type_name("NUMBER")
      ->capture_default_str();
}

}  // namespace

void add_generate(CLI::App& program) {
  CLI::App* command = program.add_subcommand("generate", "Make up a table with known groups");
  command->require_subcommand(1);

  const auto grid = std::make_shared<BirchGrid>();
  CLI::App* birch = add_kind(*command, "birch", "a grid of round clusters", grid);
  birch->add_option("--side", grid->side, "clusters along each side")
      ->check(CLI::NonNegativeNumber.description(""))
      ->type_name("NUMBER")
      ->capture_default_str();
  birch->add_option("--rows-per-cluster", grid->rows_per_cluster, "rows in each cluster")
      ->check(CLI::NonNegativeNumber.description(""))
      ->type_name("NUMBER")
      ->capture_default_str();
  birch->add_option("--spacing", grid->spacing, "distance of neighbours, in standard deviations")
      ->check(CLI::NonNegativeNumber.description(""))
      ->type_name("NUMBER")
      ->capture_default_str();

  const auto mixture = std::make_shared<GaussianMixture>();
  CLI::App* mixed = add_kind(*command, "mixture", "Gaussian clusters of random size, shape and place", mixture);
  add_sizes(mixed, mixture);
  mixed->add_option("--tau", mixture->tau, "least distance of two centres, in mean standard deviations")
      ->check(CLI::NonNegativeNumber.description(""))
      ->type_name("NUMBER")
      ->capture_default_str();
  mixed->add_option("--spread", mixture->spread, "how widely centres are drawn")
      ->transform(CLI::CheckedTransformer(
                      std::map<std::string, Spread>{
                          {"tight", Spread::tight}, {"spread", Spread::spread}, {"wide", Spread::wide}},
                      CLI::ignore_case)
                      .description(""))
      ->type_name("tight|spread|wide")
      ->default_str("spread");

  const auto separated = std::make_shared<SeparatedGaussians>();
  CLI::App* apart = add_kind(*command, "separated", "c-separated Gaussian clusters", separated);
  add_sizes(apart, separated);
  apart
      ->add_option("--separation", separated->separation,
                   "c: least distance of two centres, in sqrt(columns x largest variance)")
      ->check(CLI::NonNegativeNumber.description(""))
      ->type_name("NUMBER")
      ->capture_default_str();
}

}  // namespace coppice::cli
