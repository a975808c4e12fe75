// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A Text as fmt::format makes a string, with options and commands by name:
//
//   throw OptionError(format_text("{k} is {}, but {max_k} is {}; k must not exceed it", k, max_k));
//   throw LimitError(format_text("{} rows are too many; use {assign=naive}", n_rows));
//
// {} and {:...} take the arguments in order, which may be texts and options themselves: option("max_k", 3).
// The compiler checks all that it would with fmt::format.

#include <fmt/format.h>

#include <array>
#include <concepts>
#include <span>
#include <string_view>
#include <type_traits>

#include "coppice/runtime/braces.hpp"
#include "coppice/runtime/text.hpp"

namespace coppice::internal {

namespace format_text_parts {

template <class Arg>
inline constexpr bool is_text =
    std::same_as<Arg, Text> || std::same_as<Arg, OptionName> || std::same_as<Arg, CommandName>;

constexpr bool is_argument(std::string_view field) { return field.empty() || field.front() == ':'; }

template <class Arg>
constexpr void check_specification(std::string_view specification) {
  if constexpr (is_text<Arg>) {
    if (!specification.empty()) throw std::invalid_argument("texts are not formatted");
  } else {
    fmt::formatter<Arg> formatter;
    fmt::format_parse_context context(fmt::string_view(specification.data(), specification.size()));
    if (formatter.parse(context) != context.end()) throw std::invalid_argument("not a format of this argument");
  }
}

// A format string that goes with the arguments.
template <class... Args>
class Format {
 public:
  template <std::convertible_to<std::string_view> String>
  consteval Format(const String& format) : format_(format) {  // NOLINT(google-explicit-constructor): as fmt's
    std::size_t n_arguments = 0;
    for (Braces braces(format_); !braces.is_over();) {
      const BracePiece piece = braces.next();
      if (!piece.is_field) continue;
      if (is_argument(piece.text)) {
        check_argument(n_arguments++, piece.text.substr(piece.text.empty() ? 0 : 1));
      } else {
        (void)parse_named_field(piece.text);
      }
    }
    if (n_arguments != sizeof...(Args)) throw std::invalid_argument("as many fields as arguments");
  }
  [[nodiscard]] constexpr std::string_view get() const noexcept { return format_; }

 private:
  static constexpr void check_argument(std::size_t wanted, [[maybe_unused]] std::string_view specification) {
    std::size_t place = 0;
    ((place++ == wanted ? check_specification<Args>(specification) : void()), ...);
    if (wanted >= place) throw std::invalid_argument("more fields than arguments");
  }

  std::string_view format_;
};

template <class Arg>
Text text_of(const Arg& arg) {
  if constexpr (is_text<Arg>) return arg;
  return {};
}

inline constexpr std::string_view nothing;

// What fmt gets to see of an argument: nothing of a text.
template <class Arg>
const auto& shown(const Arg& arg) {
  if constexpr (is_text<Arg>) {
    return nothing;
  } else {
    return arg;
  }
}

}  // namespace format_text_parts

// `texts` holds one for every argument, empty for those that fmt formats.
[[nodiscard]] Text vformat_text(std::string_view format, std::span<const Text> texts, fmt::format_args args);

template <class... Args>
[[nodiscard]] Text format_text(std::type_identity_t<format_text_parts::Format<Args...>> format, const Args&... args) {
  const std::array<Text, sizeof...(Args)> texts{format_text_parts::text_of(args)...};
  return vformat_text(format.get(), texts, fmt::make_format_args(format_text_parts::shown(args)...));
}

}  // namespace coppice::internal
