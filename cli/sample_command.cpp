// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "command_options.hpp"
#include "commands.hpp"
#include "coppice/coppice.hpp"
#include "coppice/runtime/format_text.hpp"
#include "made_up_output.hpp"
#include "note.hpp"

namespace coppice::cli {
using namespace internal;

namespace {

struct SampleArguments {
  std::string model;
  MadeUpOutput to;
  SampleOptions options;
  bool unrounded = false;
  std::uint64_t threads = 0;
};

// What the rows of a model with transforms are.
void say_where_rows_are(const Model& model) {
  if (model.transforms().inverse_kind() == Inverse::none) {
    print_note(fmt::format("there is no way back through {}; rows are in the columns that were clustered",
                           model.transforms().to_string()));
  } else if (model.transforms().inverse_kind() == Inverse::approximate) {
    print_note(fmt::format("rows are taken back through {}, which has forgotten how the table varied otherwise",
                           model.transforms().to_string()));
  }
}

void run(SampleArguments& arguments) {
  check_made_up_output(arguments.to);
  const Model model = load_model(arguments.model);
  arguments.options.is_rounded = !arguments.unrounded;
  arguments.options.is_sparse = holds_no_zeros(arguments.to.out.path) && model.components().takes_sparse_rows();
  try {
    write_made_up(arguments.to, sample(model, arguments.options, arguments.threads));
  } catch (const OptionError& error) {
    throw OptionError(format_text("{}: {}", arguments.model, error.text()));
  }
  say_where_rows_are(model);
}

}  // namespace

void add_sample(CLI::App& program, Session& session) {
  CLI::App* command = program.add_subcommand("sample", "Make new rows that a fitted model takes for its own");
  const auto arguments = std::make_shared<SampleArguments>();
  command->add_option("MODEL", arguments->model, "folder of a fit, or the model.coppice in it")
      ->type_name(" ")
      ->required();
  command->add_option("--rows", arguments->options.n_rows, "rows to make")
      ->check(whole_number())
      ->type_name("NUMBER")
      ->capture_default_str();
  add_output_option(*command, arguments->to.out, "table to write: .csv, .tsv, .npy, .svm; default: standard output");
  command
      ->add_option("--labels", arguments->to.labels,
                   "also write the cluster that each row was made by: .csv, .tsv, .npy")
      ->type_name("FILE");
  command->add_option("--seed", arguments->options.seed, "random seed")
      ->check(whole_number())
      ->type_name("NUMBER")
      ->capture_default_str();
  command->add_flag("--unrounded", arguments->unrounded,
                    "numbers as the model makes them, not rounded as those that it was fitted to");
  add_threads_option(*command, arguments->threads);
  add_time_limit_option(*command, session);
  command->footer(
      "Needs a model with densities, such as one of bkm or gmm. What is not known of a Bayesian cluster's parameters "
      "widens "
      "its "
      "rows.");
  command->callback([=] { run(*arguments); });
}

}  // namespace coppice::cli
