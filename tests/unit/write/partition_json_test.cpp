// SPDX-License-Identifier: BSD-3-Clause
#include "write/partition_json.hpp"

#include <gtest/gtest.h>

#include "coppice/runtime/error.hpp"

namespace coppice::internal {
namespace {

using Json = nlohmann::ordered_json;

TEST(PartitionJson, OneParameterIsWrittenAsOldFilesHaveIt) {
  EXPECT_EQ(partition_json(*make_dirichlet(2.5)).dump(), R"({"name":"dirichlet","parameter":2.5})");
  EXPECT_EQ(partition_json(*make_dirichlet_process(0.5)).dump(), R"({"name":"dp","parameter":0.5})");
  EXPECT_EQ(partition_json(*make_no_partition_prior()).dump(), R"({"name":"none","parameter":0.0})");
  EXPECT_EQ(partition_json(*make_shares()).dump(), R"({"name":"shares","parameter":1.0})");
}

TEST(PartitionJson, SeveralParametersGoByTheirNames) {
  EXPECT_EQ(partition_json(*make_sticks(1.0, 2.5)).dump(),
            R"({"name":"sticks","parameters":{"alpha1":1.0,"alpha2":2.5}})");
}

TEST(PartitionJson, BothFormsAreRead) {
  for (const char* text : {R"({"name": "dp", "parameter": 0.5})", R"({"name": "dp", "parameters": {"alpha": 0.5}})"}) {
    const auto prior = partition_of(Json::parse(text));
    EXPECT_EQ(prior->name(), "dp");
    EXPECT_EQ(prior->parameters(), (std::vector<NamedParameter>{{"alpha", 0.5}}));
  }
  const auto sticks = partition_of(partition_json(*make_sticks(1.0, 2.5)));
  EXPECT_EQ(sticks->parameters(), (std::vector<NamedParameter>{{"alpha1", 1.0}, {"alpha2", 2.5}}));
  EXPECT_EQ(partition_of(Json::parse(R"({"name": "shares", "parameters": {}})"))->name(), "shares");
}

TEST(PartitionJson, WhatIsNoPriorIsRefused) {
  EXPECT_THROW((void)partition_of(Json::parse(R"({"name": "dp", "parameters": {"phi0": 0.5}})")), OptionError);
  EXPECT_THROW((void)partition_of(Json::parse(R"({"name": "dp", "parameter": -1.0})")), OptionError);
  EXPECT_THROW((void)partition_of(Json::parse(R"({"name": "dp"})")), Json::exception);
}

}  // namespace
}  // namespace coppice::internal
