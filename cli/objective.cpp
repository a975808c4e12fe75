// SPDX-License-Identifier: BSD-3-Clause
#include "objective.hpp"

namespace coppice::cli {

std::string objective_name_of(std::string_view method) {
  std::string name = "objective";
  AllMethods::for_each([&]<class Method>(const Method&) {
    if (method == Method::name) name = Method::objective_name;
  });
  return name;
}

}  // namespace coppice::cli
