// SPDX-License-Identifier: BSD-3-Clause
#include "write/partition_json.hpp"

#include <string>
#include <vector>

namespace coppice::internal {

using Json = nlohmann::ordered_json;

Json partition_json(const PartitionPrior& partition) {
  const std::vector<NamedParameter> parameters = partition.parameters();
  Json json = {{"name", partition.name()}};
  if (parameters.size() > 1) {
    for (const NamedParameter& parameter : parameters) json["parameters"][parameter.name] = parameter.value;
  } else if (parameters.size() == 1) {
    json["parameter"] = parameters[0].value;
  } else {  // a number that means nothing
    json["parameter"] = partition.name() == "none" ? 0.0 : 1.0;
  }
  return json;
}

std::unique_ptr<PartitionPrior> partition_of(const Json& json) {
  const auto name = json.at("name").get<std::string>();
  if (!json.contains("parameters")) return make_partition_prior(name, json.at("parameter").get<double>());
  std::vector<NamedParameter> parameters;
  for (const auto& [key, value] : json.at("parameters").items()) parameters.push_back({key, value.get<double>()});
  return make_partition_prior(name, parameters);
}

}  // namespace coppice::internal
