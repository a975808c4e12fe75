// SPDX-License-Identifier: BSD-3-Clause
#include <fast_float/fast_float.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "coppice/runtime/error.hpp"
#include "data/transform/step.hpp"

namespace coppice {
using namespace internal;

namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// The name that begins most like the word; empty if none shares three letters with it.
std::string_view nearest_name(std::string_view word) {
  std::string_view nearest;
  std::size_t most = 2;
  for (const StepKind& kind : step_kinds()) {
    const auto differ = std::mismatch(word.begin(), word.end(), kind.name.begin(), kind.name.end());
    const auto n_shared = static_cast<std::size_t>(differ.first - word.begin());
    if (n_shared > most) {
      most = n_shared;
      nearest = kind.name;
    }
  }
  return nearest;
}

[[noreturn]] void refuse_name(std::string_view name) {
  const std::string_view nearest = nearest_name(name);
  throw OptionError(
      fmt::format("there is no transform '{}'; {} {}", name,
                  nearest.empty() ? "the transforms are:" : fmt::format("did you mean {}? They are:", nearest),
                  fmt::join(transform_names(), ", ")));
}

double parse_dimensions(std::string_view name, std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 1 || number > Dataset::most_sparse_columns) {
    throw OptionError(fmt::format("'{}:{}': expected a number of dimensions from 1 to {}, as in {}:50", name, text,
                                  Dataset::most_sparse_columns, name));
  }
  return static_cast<double>(number);
}

double parse_threshold(std::string_view name, std::string_view text) {
  double number = 0.0;
  const auto [end, error] = fast_float::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(number)) {
    throw OptionError(fmt::format("'{}:{}': expected a number as threshold, as in {}:0.5", name, text, name));
  }
  return number;
}

TransformSpec parse_step(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = trimmed(text.substr(0, colon));
  const StepKind* kind = find_step_kind(name);
  if (kind == nullptr) refuse_name(name);
  TransformSpec spec{std::string(name)};
  const bool has_parameter = colon != std::string_view::npos;
  const std::string_view parameter = has_parameter ? trimmed(text.substr(colon + 1)) : std::string_view{};
  if (kind->parameter == StepParameter::none && has_parameter) {
    throw OptionError(fmt::format("'{}': {} takes no number; leave out ':{}'", text, name, parameter));
  }
  if (kind->parameter == StepParameter::dimensions && !has_parameter) {
    throw OptionError(fmt::format("{} needs a number of dimensions, as in {}:50", name, name));
  }
  if (kind->parameter == StepParameter::dimensions) spec.parameter = parse_dimensions(name, parameter);
  if (kind->parameter == StepParameter::threshold && has_parameter) spec.parameter = parse_threshold(name, parameter);
  return spec;
}

}  // namespace

std::vector<std::string> transform_names() {
  std::vector<std::string> names;
  for (const StepKind& kind : step_kinds()) names.emplace_back(kind.name);
  return names;
}

std::string TransformSpec::to_string() const { return parameter ? fmt::format("{}:{}", name, *parameter) : name; }

std::string to_string(const std::vector<TransformSpec>& steps) {
  std::vector<std::string> texts(steps.size());
  std::ranges::transform(steps, texts.begin(), &TransformSpec::to_string);
  return fmt::format("{}", fmt::join(texts, ","));
}

std::vector<TransformSpec> parse_transforms(std::string_view text) {
  std::vector<TransformSpec> specs;
  std::size_t first = 0;
  while (first <= text.size()) {
    const std::size_t comma = std::min(text.find(',', first), text.size());
    const std::string_view step = trimmed(text.substr(first, comma - first));
    if (step.empty()) {
      throw OptionError(fmt::format("'{}': a transform is missing; name some of {}, separated by commas", text,
                                    fmt::join(transform_names(), ", ")));
    }
    specs.push_back(parse_step(step));
    first = comma + 1;
  }
  return specs;
}

}  // namespace coppice
