// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The kinds of golden cases: each is a function from a case's inputs to the results, under the keys of `expected`. A
// new case of a known kind needs no code.

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace coppice::golden {

using Json = nlohmann::json;
using Kinds = std::map<std::string, std::function<Json(const Json& inputs)>>;

// The case needs something that the library does not have; the message names it.
class NotBuilt : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

void add_bound_kinds(Kinds& kinds);
void add_family_kinds(Kinds& kinds);
void add_partition_kinds(Kinds& kinds);
void add_me_kinds(Kinds& kinds);
void add_model_kinds(Kinds& kinds);
void add_structure_kinds(Kinds& kinds);
void add_evaluate_kinds(Kinds& kinds);
void add_seeding_kinds(Kinds& kinds);
void add_soft_kinds(Kinds& kinds);
void add_truncated_kinds(Kinds& kinds);
void add_variational_kinds(Kinds& kinds);

}  // namespace coppice::golden
