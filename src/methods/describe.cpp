// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/methods/describe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"

namespace coppice {
using namespace internal;

bool Range::contains(double value) const noexcept {
  return !std::isnan(value) && (is_low_excluded ? value > low : value >= low) && value <= high;
}

std::string Range::to_string() const {
  std::string text;
  if (std::isfinite(low)) text = fmt::format("{} {:g}", is_low_excluded ? "greater than" : "at least", low);
  if (std::isfinite(high)) text += fmt::format("{}at most {:g}", text.empty() ? "" : ", ", high);
  return text.empty() ? "any number" : text;
}

std::string Choices::to_string() const { return fmt::format("{}", fmt::join(words, ", ")); }

KRange KRange::parse(std::string_view text) {
  const auto number = [&](std::string_view part) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc{} || end != part.data() + part.size()) {
      throw OptionError(fmt::format("'{}' is not a number of clusters; write 5, or 2..10 for a range", text));
    }
    return value;
  };
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return {number(text), number(text)};
  const KRange range{number(text.substr(0, dots)), number(text.substr(dots + 2))};
  check_order(range);
  return range;
}

void check_order(const KRange& range) {
  if (range.low > range.high) throw OptionError(fmt::format("{}..{} runs backwards", range.low, range.high));
}

std::string KRange::to_string() const { return is_one() ? fmt::format("{}", low) : fmt::format("{}..{}", low, high); }

void check_option(std::string_view name, double value, const Range& range) {
  if (!range.contains(value)) {
    throw OptionError(format_text("{} is {}, but must be {}", option(name), value, range.to_string()));
  }
}

void check_option(std::string_view name, const std::string& value, const Choices& choices) {
  if (std::ranges::find(choices.words, value) == choices.words.end()) {
    throw OptionError(format_text("{} is '{}'; choose one of: {}", option(name), value, choices.to_string()));
  }
}

}  // namespace coppice
