// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The formats that are known by their first bytes. Whatever is none of them is a text table.

#include <string>
#include <string_view>
#include <vector>

#include "coppice/data/dataset.hpp"
#include "coppice/data/input.hpp"
#include "coppice/data/read.hpp"

namespace coppice::internal {

// All that a file holds, before columns are chosen.
struct StoredTable {
  Dataset data;
  std::vector<std::string> order;  // the names of all columns as the file has them; empty: as in data

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> all = order;
    if (order.empty()) {
      for (const Column& column : data.columns()) all.push_back(column.name);
    }
    return all;
  }
};

struct Format {
  std::string_view name;
  bool (*looks_like)(std::string_view bytes) noexcept;
  StoredTable (*read)(const Input& input, const ReadOptions& options);  // rows beyond max_rows may be left out
  bool has_parts = false;
  bool takes_a_query = false;
};

// nullptr for a text table. OptionError if a part or a query is asked of a format that has none.
[[nodiscard]] const Format* find_format(const Input& input, const ReadOptions& options);

}  // namespace coppice::internal
