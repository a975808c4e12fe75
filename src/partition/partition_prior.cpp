// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/partition/partition_prior.hpp"

#include <fmt/format.h>

#include <cmath>

#include "coppice/runtime/error.hpp"

namespace coppice {

std::unique_ptr<PartitionPrior> make_partition_prior(std::string_view name, double parameter) {
  if (name == "none") return make_no_partition_prior();
  if (name == "shares") return make_shares();
  if (name == "equal") return make_equal_shares();
  if (!(parameter > 0.0) || !std::isfinite(parameter)) {
    throw OptionError(
        fmt::format("the parameter of the partition prior '{}' is {}, but must be positive", name, parameter));
  }
  if (name == "dirichlet") return make_dirichlet(parameter);
  if (name == "dp") return make_dirichlet_process(parameter);
  throw OptionError(fmt::format("there is no partition prior '{}'; choose dirichlet or dp", name));
}

}  // namespace coppice
