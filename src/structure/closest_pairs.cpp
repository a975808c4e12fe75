// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/closest_pairs.hpp"

#include <fmt/format.h>

#include "coppice/runtime/error.hpp"

namespace coppice::internal {

std::unique_ptr<ClosestPairs> make_closest_pairs(std::string_view name, const Execution& execution,
                                                 const PairKeys& keys, std::size_t n) {
  if (name == "naive") return make_naive_pairs(execution, keys, n);
  // All three give the same pairs to the last bit (docs/architecture.md).
  if (name == "auto" || name == "fastpair") return make_fast_pairs(execution, keys, n);
  if (name == "conga") return make_conga_line(execution, keys, n);
  throw OptionError(fmt::format("there is no structure for pairs '{}'; choose auto, fastpair, conga or naive", name));
}

}  // namespace coppice::internal
