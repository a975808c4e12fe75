// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Zip archives in memory: names and bytes in, bytes out, and back.

#include <map>
#include <string>

namespace coppice::internal {

using ArchiveMembers = std::map<std::string, std::string>;

// Members are stored as they are, without compression or dates: equal members give equal bytes.
[[nodiscard]] std::string zip(const ArchiveMembers& members);

// `name` is for messages. DataError if the bytes are no zip archive, are damaged, or unpack to more than `most_bytes`.
[[nodiscard]] ArchiveMembers unzip(const std::string& bytes, const std::string& name, std::size_t most_bytes);

}  // namespace coppice::internal
