// SPDX-License-Identifier: BSD-3-Clause
#include "list_option.hpp"

namespace coppice::cli {

namespace {

// The quoted part at the front, without its quotes; false, with nothing taken, if it does not close.
bool take_quoted(std::string_view& rest, std::string& entry) {
  std::string text;
  for (std::size_t at = 1; at < rest.size(); ++at) {
    if (rest[at] != '"') {
      text += rest[at];
    } else if (at + 1 < rest.size() && rest[at + 1] == '"') {
      text += rest[at++];
    } else {
      entry += text;
      rest.remove_prefix(at + 1);
      return true;
    }
  }
  return false;
}

}  // namespace

std::vector<std::string> split_list(std::string_view rest) {
  std::vector<std::string> entries;
  for (bool has_more = true; has_more;) {
    std::string entry;
    if (rest.starts_with('"')) (void)take_quoted(rest, entry);
    const std::size_t comma = rest.find(',');
    entry += rest.substr(0, comma);
    entries.push_back(std::move(entry));
    has_more = comma != std::string_view::npos;
    if (has_more) rest.remove_prefix(comma + 1);
  }
  return entries;
}

}  // namespace coppice::cli
