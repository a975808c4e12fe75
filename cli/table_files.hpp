// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "coppice/methods/options.hpp"
#include "labels_output.hpp"

namespace coppice::cli {

// Options whose value is a file with a table or a model: noted while arguments are parsed, read when the command
// starts.
class TableFiles {
 public:
  using Take = std::function<void(OptionValue)>;

  void want(std::string flag, std::string path, Take take) {
    wanted_.push_back({std::move(flag), std::move(path), std::move(take)});
  }
  void want_model(std::string path, Take take) { models_.push_back({std::move(path), std::move(take)}); }
  // `rows` are those that labels belong to.
  void read(const NamedRows& rows);

 private:
  struct Wanted {
    std::string flag;
    std::string path;
    Take take;
  };
  struct WantedModel {
    std::string path;
    Take take;
  };
  std::vector<Wanted> wanted_;
  std::vector<WantedModel> models_;
};

}  // namespace coppice::cli
