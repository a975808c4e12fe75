// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The prior's pseudo-counts of every column. Columns that have the same ones form a group, for which functions of them
// are computed once: all columns together under a symmetric prior, those that are equally frequent under one that is
// centred on the data.

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace coppice::internal {

template <class Value>
class ColumnPrior {
 public:
  struct Group {
    Value value;
    std::vector<std::uint32_t> columns;  // in their order
  };

  // The same for all columns.
  ColumnPrior(std::size_t n_columns, const Value& value) : ColumnPrior(std::vector<Value>(n_columns, value)) {}
  // By column; no value may be NaN, which has no place in an order.
  explicit ColumnPrior(const std::vector<Value>& values) {
    std::map<Value, std::uint32_t> known;
    group_of_.reserve(values.size());
    for (const Value& value : values) {
      const auto [found, is_new] = known.try_emplace(value, static_cast<std::uint32_t>(groups_.size()));
      if (is_new) groups_.push_back({value, {}});
      groups_[found->second].columns.push_back(static_cast<std::uint32_t>(group_of_.size()));
      group_of_.push_back(found->second);
    }
  }

  [[nodiscard]] std::size_t n_columns() const noexcept { return group_of_.size(); }
  [[nodiscard]] const Value& operator[](std::size_t column) const noexcept { return groups_[group_of_[column]].value; }
  // In the order of their first columns.
  [[nodiscard]] const std::vector<Group>& groups() const noexcept { return groups_; }
  [[nodiscard]] std::span<const std::uint32_t> group_of() const noexcept { return group_of_; }  // by column

 private:
  std::vector<Group> groups_;
  std::vector<std::uint32_t> group_of_;
};

}  // namespace coppice::internal
