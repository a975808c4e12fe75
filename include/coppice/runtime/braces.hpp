// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Takes strings apart that have fields in braces: "{k} is {:.1f}".

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace coppice::internal {

struct BracePiece {
  bool is_field = false;
  std::string_view text;  // of a field: without its braces
};

// Piece by piece. {{ and }} are braces of the words. std::invalid_argument for any other brace without its partner,
// which is an error of the compiler where the string is known to it.
class Braces {
 public:
  constexpr explicit Braces(std::string_view text) : rest_(text) {}

  [[nodiscard]] constexpr bool is_over() const noexcept { return rest_.empty(); }

  constexpr BracePiece next() {
    const std::size_t n_words = rest_.substr(0, rest_.find_first_of("{}")).size();
    if (n_words > 0) return {false, take(n_words)};
    const bool is_doubled = rest_.size() > 1 && rest_[1] == rest_[0];
    if (is_doubled) return {false, take(2).substr(1)};
    const std::size_t end = rest_.find('}');
    if (rest_.front() == '}' || end == std::string_view::npos) throw std::invalid_argument("a brace stands alone");
    return {true, take(end + 1).substr(1, end - 1)};
  }

 private:
  constexpr std::string_view take(std::size_t n) {
    const std::string_view taken = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return taken;
  }

  std::string_view rest_;
};

// A field that names a command, "predict()", or an option, "max_k" or "assign=kdtree".
struct NamedField {
  std::string_view name;
  std::optional<std::string_view> value = {};
  bool is_command = false;
};

constexpr NamedField parse_named_field(std::string_view field) {
  constexpr std::string_view call = "()";
  const std::size_t equals = field.find('=');
  NamedField found{.name = field.substr(0, equals)};
  if (equals != std::string_view::npos) {
    found.value = field.substr(equals + 1);
  } else if (field.ends_with(call)) {
    found.is_command = true;
    found.name.remove_suffix(call.size());
  }
  const bool is_name = found.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
  if (found.name.empty() || !is_name) throw std::invalid_argument("neither an option nor a command stands in braces");
  return found;
}

}  // namespace coppice::internal
