// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The finder (family.hpp) of families whose costs are quadratic forms: few columns have a kernel of their own.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "coppice/family/family.hpp"
#include "coppice/kernels/few_columns.hpp"

namespace coppice::internal {

class QuadraticFinder {
 public:
  QuadraticFinder() = default;
  explicit QuadraticFinder(std::size_t n_columns) {
    if (n_columns <= kernels::most_few_columns) forms_.emplace(n_columns);
  }

  [[nodiscard]] bool wants_forms() const noexcept { return forms_.has_value(); }
  void append(const kernels::QuadraticForm& form) { forms_->append(form); }

  [[nodiscard]] std::optional<std::size_t> find(const RowBlock& rows, const NearestQuery& query, std::int32_t* winners,
                                                std::uint32_t* doubtful) const {
    if (!forms_ || !rows.is_run()) return std::nullopt;
    return forms_->nearest({rows.stored(), query.competing, query.offsets, query.limits}, winners, doubtful);
  }

 private:
  std::optional<kernels::FewForms> forms_;
};

}  // namespace coppice::internal
