// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/evaluate/groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "coppice/runtime/error.hpp"

namespace coppice::evaluate {

namespace {

// Labels that lie close together index a table; scattered ones are sorted and searched.
Groups group_close(std::span<const std::int32_t> labels, std::int64_t lowest, std::size_t width) {
  const auto place = [&](std::int32_t label) { return static_cast<std::size_t>(label - lowest); };
  std::vector<std::size_t> counts(width, 0);
  for (const std::int32_t label : labels) ++counts[place(label)];

  Groups groups;
  std::vector<std::uint32_t> number(width, 0);
  for (std::size_t at = 0; at < width; ++at) {
    if (counts[at] == 0) continue;
    number[at] = static_cast<std::uint32_t>(groups.k());
    groups.labels.push_back(static_cast<std::int32_t>(lowest + static_cast<std::int64_t>(at)));
    groups.sizes.push_back(counts[at]);
  }
  groups.of_row.reserve(labels.size());
  for (const std::int32_t label : labels) groups.of_row.push_back(number[place(label)]);
  return groups;
}

Groups group_scattered(std::span<const std::int32_t> labels) {
  Groups groups;
  groups.labels.assign(labels.begin(), labels.end());
  std::ranges::sort(groups.labels);
  groups.labels.erase(std::unique(groups.labels.begin(), groups.labels.end()), groups.labels.end());
  groups.sizes.assign(groups.k(), 0);
  groups.of_row.reserve(labels.size());
  for (const std::int32_t label : labels) {
    const auto found = std::ranges::lower_bound(groups.labels, label) - groups.labels.begin();
    ++groups.sizes[static_cast<std::size_t>(found)];
    groups.of_row.push_back(static_cast<std::uint32_t>(found));
  }
  return groups;
}

}  // namespace

Groups group(std::span<const std::int32_t> labels) {
  if (labels.empty()) return {};
  if (labels.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw LimitError(fmt::format("{} labels; at most {} can be compared", labels.size(), UINT32_MAX));
  }
  const auto [lowest, highest] = std::ranges::minmax(labels);
  const auto width = static_cast<std::size_t>(std::int64_t{highest} - std::int64_t{lowest}) + 1;
  // A table twice as long as the labels costs less than sorting them.
  return width <= 2 * labels.size() + 1024 ? group_close(labels, lowest, width) : group_scattered(labels);
}

std::vector<std::uint32_t> rows_by_group(const Groups& groups) {
  std::vector<std::size_t> next(groups.k(), 0);
  for (std::size_t at = 1; at < groups.k(); ++at) next[at] = next[at - 1] + groups.sizes[at - 1];
  std::vector<std::uint32_t> rows(groups.n_rows());
  for (std::size_t row = 0; row < groups.n_rows(); ++row) {
    rows[next[groups.of_row[row]]++] = static_cast<std::uint32_t>(row);
  }
  return rows;
}

}  // namespace coppice::evaluate
