// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/input.hpp"

#include <filesystem>
#include <utility>

namespace coppice {
using namespace internal;

namespace {

constexpr std::string_view part_mark = ":/";

bool is_there(const std::string& path) {
  std::error_code ignored;
  return path == "-" || std::filesystem::exists(path, ignored);
}

// Where the file's name ends and the part's begins: the longest name that exists, since both may have colons.
std::size_t end_of_file_name(const std::string& name) {
  if (is_there(name)) return name.size();
  for (std::size_t at = name.rfind(part_mark); at != std::string::npos && at > 0; at = name.rfind(part_mark, at - 1)) {
    if (is_there(name.substr(0, at))) return at;
  }
  return name.size();
}

}  // namespace

std::string file_of_input(const std::string& name) { return name.substr(0, end_of_file_name(name)); }

Input internal::open_input(const std::string& name) {
  const std::size_t end = end_of_file_name(name);
  const std::string path = name.substr(0, end);
  Content content = load(path);
  return {std::move(content), path == "-" ? "" : path, end == name.size() ? "" : name.substr(end + 1)};
}

}  // namespace coppice
