// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Families by name, so that a saved model finds its family again. A program that brings its own family registers it
// once:
//
//   register_family("my-family", [](const NamedArrays& prior) {
//     return std::make_unique<FamilyAdapter<MyFamily>>(MyFamily::from_arrays(prior));
//   });

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "coppice/family/components.hpp"

namespace coppice {

using FamilyLoader = std::function<std::unique_ptr<Components>(const NamedArrays& prior)>;

// OptionError if the name is taken.
void register_family(const std::string& name, FamilyLoader loader);
// The family with its prior, no clusters yet. DataError for an unknown name, or arrays that do not fit.
[[nodiscard]] std::unique_ptr<Components> make_family(const std::string& name, const NamedArrays& prior);
[[nodiscard]] std::vector<std::string> family_names();

}  // namespace coppice
