// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/methods/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"
#include "methods/options_of.hpp"

namespace coppice {

std::string_view to_string(OptionKind kind) noexcept {
  switch (kind) {
    case OptionKind::flag:
      return "flag";
    case OptionKind::whole_number:
      return "whole number";
    case OptionKind::number:
      return "number";
    case OptionKind::clusters:
      return "number of clusters";
    case OptionKind::word:
      return "word";
    case OptionKind::table:
      return "table";
    case OptionKind::model:
      break;
  }
  return "model";
}

std::string_view python_name(std::string_view key) noexcept {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> usual{{{"k", "n_clusters"},
                                                                                       {"max_iterations", "max_iter"},
                                                                                       {"restarts", "n_init"},
                                                                                       {"seed", "random_state"},
                                                                                       {"threads", "n_jobs"},
                                                                                       {"tolerance", "tol"}}};
  const auto found = std::ranges::find(usual, key, &std::pair<std::string_view, std::string_view>::first);
  return found == usual.end() ? key : found->second;
}

bool Options::has(std::string_view key) const {
  return std::ranges::find(descriptions(), key, &OptionDescription::key) != descriptions().end();
}

void internal::refuse_key(std::string_view key) { throw OptionError(fmt::format("there is no option '{}'", key)); }

void internal::refuse_kind(std::string_view key, OptionKind kind) {
  throw OptionError(format_text("{} takes another kind of value: a {}", option(key), to_string(kind)));
}

}  // namespace coppice
