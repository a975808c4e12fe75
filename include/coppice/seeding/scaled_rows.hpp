// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "coppice/data/rows.hpp"

namespace coppice::internal {

// Rows whose columns are taken times a factor each, where these come in units of their own; powers of two change no
// digit. Plain rows are taken as they are.
struct ScaledRows {
  ScaledRows(const Rows& taken) : rows(taken) {}  // NOLINT(google-explicit-constructor): whoever has rows may pass them
  ScaledRows(const Rows& taken, std::span<const double> times) : rows(taken), factors(times) {}

  const Rows& rows;
  std::span<const double> factors = {};  // one per column, or none
};

}  // namespace coppice::internal
