// SPDX-License-Identifier: BSD-3-Clause
#include "data/npz/members.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "coppice/data/memory_need.hpp"
#include "coppice/runtime/error.hpp"

namespace coppice::npz {
using namespace internal;

Content Members::array(const std::string& name) const {
  const std::vector<ZipMember>& members = archive_.members();
  const auto found = std::ranges::find(members, name + ".npy", &ZipMember::name);
  if (found == members.end()) throw DataError(fmt::format("{}: has no array '{}'", file_, name));
  const std::string full_name = fmt::format("{}:/{}", file_, name);
  require_memory(found->size, full_name, options_);
  return content_of(archive_.unpack(*found), full_name);
}

}  // namespace coppice::npz
