// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Priors over partitions in JSON: a name, and parameters by name. Those of at most one parameter are written as files
// of version 1 and 2 have them, {"name": "dp", "parameter": 1.0}; others have {"parameters": {"alpha1": 1.0, ...}}.

#include <memory>
#include <nlohmann/json.hpp>

#include "coppice/partition/partition_prior.hpp"

namespace coppice::internal {

[[nodiscard]] nlohmann::ordered_json partition_json(const PartitionPrior& partition);

// OptionError, or an exception of the JSON library, if there is no such prior.
[[nodiscard]] std::unique_ptr<PartitionPrior> partition_of(const nlohmann::ordered_json& json);

}  // namespace coppice::internal
