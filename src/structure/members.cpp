// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/members.hpp"

namespace coppice {

Members::Members(std::span<const std::int32_t> labels, std::size_t k) : begin_(k + 1, 0), units_(labels.size()) {
  for (const std::int32_t label : labels) ++begin_[static_cast<std::size_t>(label) + 1];
  for (std::size_t c = 0; c < k; ++c) begin_[c + 1] += begin_[c];
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for (std::size_t unit = 0; unit < labels.size(); ++unit)
    units_[next[static_cast<std::size_t>(labels[unit])]++] = unit;
}

}  // namespace coppice
