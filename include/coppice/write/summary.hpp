// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// summary.json: everything about a run that is not per row. Its names are a contract (docs/summary.md).

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "coppice/data/dataset.hpp"
#include "coppice/methods/fit.hpp"
#include "coppice/methods/stability.hpp"
#include "coppice/model/model.hpp"
#include "coppice/runtime/text.hpp"

namespace coppice::internal {

// What only the front end knows.
struct SummaryContext {
  std::string input_path;
  std::string options_json;  // the method's options as a JSON object
  std::uint64_t seed = 0;
  std::string objective_name = "-log p(data, labels)";
  std::map<std::string, double> scores;     // against a truth, if one was given
  std::optional<Stability> stability = {};  // if it was asked for
  double read_seconds = 0.0;
  double write_seconds = 0.0;
  double total_seconds = 0.0;
  // What is said of the fit, with the names that options have there.
  std::function<std::string(const Text&)> render = &Text::plain;
};

[[nodiscard]] std::string summary_json(const Fit& fit, const Dataset& data, const SummaryContext& context);

// What a model is, without the run that made it: `coppice info --json` (docs/summary.md). Names as in a summary.
[[nodiscard]] std::string model_json(const Model& model, const std::string& objective_name);

// Whether an objective of this name is minus the log of a probability or density, -log p(...), or a bound on that.
[[nodiscard]] bool is_probability(std::string_view objective_name) noexcept;
// Whether it is a code length in nats, too, as it is of rows and labels, but not of parameters.
[[nodiscard]] bool is_code_length(std::string_view objective_name) noexcept;
[[nodiscard]] double bits_per_row(double objective, double total_weight);

}  // namespace coppice::internal
