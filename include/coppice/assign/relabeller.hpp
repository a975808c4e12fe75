// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// An assignment that remembers: gives every unit its cheapest cluster, sweep after sweep, and may keep what it learned
// in one sweep for the next.

#include "coppice/assign/assign.hpp"

namespace coppice {

class Relabeller {
 public:
  Relabeller() = default;
  Relabeller(const Relabeller&) = delete;
  Relabeller& operator=(const Relabeller&) = delete;
  virtual ~Relabeller() = default;

  // The same labels and statistics as coppice::assign without offsets.
  [[nodiscard]] virtual Assignment assign(const Execution& execution, const Units& units, const Components& components,
                                          const Labels& present) = 0;
  // Sweeps that made use of what was learned.
  [[nodiscard]] virtual std::size_t n_informed_sweeps() const = 0;
};

}  // namespace coppice
