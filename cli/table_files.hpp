// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "coppice/methods/describe.hpp"
#include "labels_output.hpp"

namespace coppice::cli {

// Options whose value is a file with a table or a model: noted while arguments are parsed, read when the command
// starts.
class TableFiles {
 public:
  void want(std::string flag, std::string path, std::optional<Table>& into) {
    wanted_.push_back({std::move(flag), std::move(path), &into});
  }
  void want_model(std::string path, std::optional<Model>& into) { models_.push_back({std::move(path), &into}); }
  // `rows` are those that labels belong to.
  void read(const NamedRows& rows);

 private:
  struct Wanted {
    std::string flag;
    std::string path;
    std::optional<Table>* into;
  };
  struct WantedModel {
    std::string path;
    std::optional<Model>* into;
  };
  std::vector<Wanted> wanted_;
  std::vector<WantedModel> models_;
};

}  // namespace coppice::cli
