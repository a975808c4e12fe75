// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/write/methods_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "coppice/methods/catalogue.hpp"
#include "coppice/runtime/version.hpp"

namespace coppice::internal {

namespace {

using Json = nlohmann::ordered_json;

// JSON has no infinity: no limit is null.
Json limit_json(double limit) { return std::isfinite(limit) ? Json(limit) : Json(); }

Json range_json(const Range& range) {
  return {{"low", limit_json(range.low)}, {"low_excluded", range.is_low_excluded}, {"high", limit_json(range.high)}};
}

struct ValueJson {
  Json operator()(const KRange& k) const { return k.is_one() ? Json(k.low) : Json(k.to_string()); }
  Json operator()(bool value) const { return value; }
  Json operator()(std::uint64_t value) const { return value; }
  Json operator()(double value) const { return value; }
  Json operator()(const std::string& value) const { return value; }
  Json operator()(const auto& /*none, or a table or model, which no default is*/) const { return {}; }
};

Json option_json(const OptionDescription& option) {
  Json json = {{"key", option.key},
               {"python", python_name(option.key)},
               {"type", to_string(option.kind)},
               {"default", std::visit(ValueJson{}, option.standard)},
               {"optional", option.is_optional}};
  const bool is_number = option.kind == OptionKind::number || option.kind == OptionKind::whole_number ||
                         option.kind == OptionKind::clusters;
  if (is_number) json["range"] = range_json(option.range);
  if (option.kind == OptionKind::word) json["choices"] = option.words;
  if (option.kind == OptionKind::table) json["shape"] = option.shape;
  json["help"] = option.help.to_template();
  return json;
}

Json options_json(const std::vector<OptionDescription>& options) {
  Json list = Json::array();
  for (const OptionDescription& option : options) list.push_back(option_json(option));
  return list;
}

Json method_json(const MethodEntry& method) {
  const MethodFacts& facts = method.facts;
  const Objective& objective = facts.objective;
  const Capabilities& can = facts.capabilities;
  return {
      {"name", facts.name},
      {"class", facts.class_name},
      {"summary", facts.summary},
      {"objective", {{"name", objective.name}, {"unit", objective.unit}, {"code_length", objective.is_code_length}}},
      {"gives", "labels"},
      {"capabilities",
       {{"sparse", can.sparse},
        {"weights", can.weights},
        {"probabilities", can.probabilities},
        {"density", can.density},
        {"tree", can.tree}}},
      {"options", options_json(method.options)}};
}

}  // namespace

std::string methods_json() {
  Json list = Json::array();
  for (const MethodEntry& method : methods()) list.push_back(method_json(method));
  RunOptions run;
  return Json{{"coppice", version}, {"methods", list}, {"run", options_json(run_options(run)->descriptions())}}.dump(
             2) +
         "\n";
}

}  // namespace coppice::internal
