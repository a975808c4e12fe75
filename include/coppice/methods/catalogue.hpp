// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// All methods, as data: what can be listed, documented and run without knowing a method by its type.
//
//   std::unique_ptr<AnyMethod> method = find_method("kmeans").make();
//   method->options().set("k", KRange(5));
//   Fit fit = method->fit(points, {});
//
// A new method is a struct with its facts and a describe() (describe.hpp), fit() and score(), and a line in
// catalogue.cpp.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coppice/data/dataset.hpp"
#include "coppice/methods/fit.hpp"
#include "coppice/methods/method_facts.hpp"
#include "coppice/methods/options.hpp"

namespace coppice {

class AnyMethod {
 public:
  virtual ~AnyMethod() = default;

  [[nodiscard]] virtual const MethodFacts& facts() const = 0;
  // That of the facts, unless options change it.
  [[nodiscard]] virtual Objective objective() const { return facts().objective; }
  [[nodiscard]] virtual Options& options() = 0;
  [[nodiscard]] virtual const Options& options() const = 0;
  [[nodiscard]] virtual Fit fit(const Dataset& data, const RunOptions& run) const = 0;
  [[nodiscard]] virtual double score(const Dataset& data, std::span<const std::int32_t> labels,
                                     const RunOptions& run) const = 0;
};

struct MethodEntry {
  MethodFacts facts;
  std::vector<OptionDescription> options;
  std::unique_ptr<AnyMethod> (*make)();  // with every option at its default
};

// In the order in which people should read of them; the first is the default.
[[nodiscard]] std::span<const MethodEntry> methods();
// Nothing if there is none of this name.
[[nodiscard]] const MethodEntry* find_method(std::string_view name) noexcept;

// The options of a run, which all methods share.
[[nodiscard]] std::unique_ptr<Options> run_options(RunOptions& run);

}  // namespace coppice
