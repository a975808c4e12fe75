// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/runtime/format_text.hpp"

#include <string>

namespace coppice::internal {

namespace {

Text named(std::string_view field) {
  const NamedField found = parse_named_field(field);
  if (found.is_command) return command(found.name);
  return found.value ? option(found.name, std::string(*found.value)) : option(found.name);
}

}  // namespace

Text vformat_text(std::string_view format, std::span<const Text> texts, fmt::format_args args) {
  Text result;
  std::size_t n_arguments = 0;
  for (Braces braces(format); !braces.is_over();) {
    const BracePiece piece = braces.next();
    if (!piece.is_field) {
      result += std::string(piece.text);
    } else if (n_arguments < texts.size() && format_text_parts::is_argument(piece.text)) {
      const Text& text = texts[n_arguments];
      result += text.empty() ? Text(fmt::vformat(fmt::format("{{{}{}}}", n_arguments, piece.text), args)) : text;
      ++n_arguments;
    } else {
      result += named(piece.text);
    }
  }
  return result;
}

}  // namespace coppice::internal
