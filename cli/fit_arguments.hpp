// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What `coppice fit` is asked for, beside the options of the method and of running it.

#include <cstdint>
#include <optional>
#include <string>

#include "cli11_names.hpp"
#include "coppice/data/read.hpp"
#include "result_folder.hpp"

namespace coppice::cli {

struct FitArguments {
  std::string input;
  std::string method;
  std::string out;
  bool force = false;
  ReadOptions read;
  std::optional<std::string> transform;
  std::string truth;
  std::optional<std::uint64_t> stability;
  bool by_position = false;
  std::string labels_format = "csv";
  bool json = false;
  bool quiet = false;
  std::string progress = "auto";
};

void add_fit_arguments(CLI::App& command, FitArguments& arguments);

// Where the result goes. OptionError if nothing says so.
[[nodiscard]] ResultFolder result_folder_for(const FitArguments& arguments);

}  // namespace coppice::cli
