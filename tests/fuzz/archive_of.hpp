// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Checksums keep a fuzzer out of archives: hardly a change leaves one readable. So an input that begins with 'M' is
// taken for a list of members (number of its name, length in two bytes, bytes), which are put into a sound archive;
// any other is the archive itself.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "write/zip_archive.hpp"

namespace coppice::fuzz {

inline std::string archive_of(std::string_view input, std::span<const std::string_view> names) {
  if (!input.starts_with('M')) return std::string(input);
  input.remove_prefix(1);
  const auto byte = [&](std::size_t at) { return static_cast<std::size_t>(static_cast<std::uint8_t>(input[at])); };
  internal::ArchiveMembers members;
  while (input.size() >= 3) {
    const std::string name(names[byte(0) % names.size()]);
    const std::size_t length = byte(1) + 256 * byte(2);
    members[name] = input.substr(3, length);
    input.remove_prefix(std::min(input.size(), 3 + length));
  }
  return members.empty() ? std::string() : internal::zip(members);
}

}  // namespace coppice::fuzz
