// SPDX-License-Identifier: BSD-3-Clause
// A counting sort by cluster, then cut into panels: rows of a panel are near one cluster, and in order.

#include "model/near_rows.hpp"

#include <algorithm>
#include <utility>

#include "coppice/kernels/panel.hpp"

namespace coppice::internal {

NearRows::NearRows(std::size_t first, std::span<const std::int32_t> near, std::size_t k) : rows_(near.size()) {
  std::vector<std::size_t> ends(k + 1, 0);  // of those near none, near cluster 0, ...
  for (const std::int32_t cluster : near) ++ends[static_cast<std::size_t>(cluster) + 1];
  std::size_t place = 0;
  for (std::size_t c = 0; c < ends.size(); ++c) {
    for (std::size_t n = 0; n < ends[c]; n += kernels::panel_rows) {
      starts_.push_back({place + n, static_cast<std::int32_t>(c) - 1});
    }
    place += std::exchange(ends[c], place);
  }
  for (std::size_t i = 0; i < near.size(); ++i) rows_[ends[static_cast<std::size_t>(near[i]) + 1]++] = first + i;
}

NearRows::Group NearRows::operator[](std::size_t group) const noexcept {
  const std::size_t begin = starts_[group].place;
  const std::size_t end = group + 1 < starts_.size() ? starts_[group + 1].place : rows_.size();
  return {std::span(rows_).subspan(begin, end - begin), starts_[group].cluster};
}

}  // namespace coppice::internal
