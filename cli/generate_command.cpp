// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>

#include "command_options.hpp"
#include "commands.hpp"
#include "coppice/coppice.hpp"
#include "made_up_output.hpp"
#include "whole_number.hpp"

namespace coppice::cli {

namespace {

// What the table's file asks of the data that is made up.
template <class Kind>
void prepare(Kind& /*kind*/, const std::string& /*path*/) {}
void prepare(CountClusters& kind, const std::string& path) { kind.is_sparse = holds_no_zeros(path); }

// A kind of data as a command of its own, with where to write it.
template <class Kind>
CLI::App* add_kind(CLI::App& generate_command, const char* name, const char* help, const std::shared_ptr<Kind>& kind) {
  CLI::App* command = generate_command.add_subcommand(name, help)->group("Kinds");
  const auto to = std::make_shared<MadeUpOutput>();
  add_output_option(*command, to->out, "table to write: .csv, .tsv, .npy, .svm; - for standard output")->required();
  command->add_option("--labels", to->labels, "also write the true groups: .csv, .tsv, .npy")->type_name("FILE");
  command->add_option("--seed", kind->seed, "random seed")
      ->check(whole_number())
      ->type_name("NUMBER")
      ->capture_default_str();
  command->callback([=] {
    check_made_up_output(*to);
    prepare(*kind, to->out.path);
    write_made_up(*to, generate(*kind));
  });
  return command;
}

template <class Kind>
void add_sizes(CLI::App* command, const std::shared_ptr<Kind>& kind) {
  command->add_option("--rows", kind->n_rows, "rows")
      ->check(whole_number())
      ->type_name("NUMBER")
      ->capture_default_str();
  command->add_option("--dimensions", kind->n_columns, "columns")
      ->check(whole_number())
      ->type_name("NUMBER")
      ->capture_default_str();
  command->add_option("--k", kind->k, "clusters")->check(whole_number())->type_name("NUMBER")->capture_default_str();
}

template <class Kind>
void add_concentration(CLI::App* command, const std::shared_ptr<Kind>& kind, const char* help) {
  command->add_option("--concentration", kind->concentration, help)->type_name("NUMBER")->capture_default_str();
}

void add_discrete(CLI::App& generate_command) {
  const auto counts = std::make_shared<CountClusters>();
  CLI::App* counted = add_kind(generate_command, "counts", "rows of counts, such as the words of texts", counts);
  add_sizes(counted, counts);
  counted->add_option("--total", counts->total, "words in each row")
      ->check(whole_number())
      ->type_name("NUMBER")
      ->capture_default_str();
  add_concentration(counted, counts, "of the Dirichlet that probabilities come from: the smaller, the clearer");

  const auto binary = std::make_shared<BinaryClusters>();
  CLI::App* bits = add_kind(generate_command, "binary", "rows of 0 and 1", binary);
  add_sizes(bits, binary);
  add_concentration(bits, binary, "of the Beta that probabilities come from: the smaller, the clearer");
}

}  // namespace

void add_generate(CLI::App& program, Session& session) {
  CLI::App* command = program.add_subcommand("generate", "Make up a table with known groups");
  command->require_subcommand(1);

  const auto grid = std::make_shared<BirchGrid>();
  CLI::App* birch = add_kind(*command, "birch", "a grid of round clusters", grid);
  birch->add_option("--side", grid->side, "clusters along each side")
      ->check(whole_number())
      ->type_name("NUMBER")
      ->capture_default_str();
  birch->add_option("--rows-per-cluster", grid->rows_per_cluster, "rows in each cluster")
      ->check(whole_number())
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

  add_discrete(*command);
  for (CLI::App* kind : command->get_subcommands([](const CLI::App*) { return true; })) {
    add_time_limit_option(*kind, session);
  }
}

}  // namespace coppice::cli
