// SPDX-License-Identifier: BSD-3-Clause
// Model files as earlier versions of the program wrote them: they go on to be read, and say the same.
#include <gmock/gmock.h>

#include <filesystem>
#include <string>
#include <vector>

#include "coppice/write/model_archive.hpp"
#include "write/model_needs.hpp"

namespace coppice::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Model old_model(const std::string& name) {
  return load_model(std::filesystem::path(COPPICE_OLD_MODELS) / (name + ".coppice"));
}

// Written again, the model is the same, and says what readers must know.
void expect_same_again(const Model& model) { EXPECT_TRUE(parse_model(model_bytes(model), "again") == model); }

Dataset points() {
  return Dataset::from_rows(std::vector<double>{0.0, 0.0, 6.0, 6.0, 40.0, -40.0}, 3, 2).with_names({"a", "b"});
}

TEST(OldModels, OfVersionOne) {
  const Model model = old_model("version-1");
  EXPECT_EQ(model.components().family(), "gaussian");
  EXPECT_EQ(model.partition().name(), "dirichlet");
  EXPECT_THAT(model.predict(points().first_rows(2)), ElementsAre(0, 1));
  EXPECT_THAT(needs_of(model), IsEmpty());
  expect_same_again(model);
}

TEST(OldModels, OfVersionTwo) {
  const Model model = old_model("version-2");
  EXPECT_EQ(model.components().family(), "spherical");
  EXPECT_EQ(model.k(), 3U);
  EXPECT_DOUBLE_EQ(model.objective(), 311.4907414816556);
  EXPECT_THAT(model.predict(points()), ElementsAre(0, 1, 2));
  EXPECT_THAT(needs_of(model), IsEmpty());
  expect_same_again(model);
}

TEST(OldModels, OfVersionTwoWithABackgroundAndTransforms) {
  const Model model = old_model("version-2-background-transforms");
  EXPECT_EQ(model.components().family(), "diagonal");
  EXPECT_EQ(model.transforms().to_string(), "standardize");
  EXPECT_THAT(model.predict(points()), ElementsAre(0, 1, -1));
  EXPECT_THAT(needs_of(model), ElementsAre("background", "transforms"));
  expect_same_again(model);
}

TEST(OldModels, OfVersionTwoWithPriorsByColumn) {
  const Model model = old_model("version-2-column-priors");
  EXPECT_EQ(model.components().family(), "bernoulli");
  const Dataset answers =
      Dataset::from_rows(std::vector<double>{1, 0, 1, 0, 0, 1, 0, 1}, 2, 4).with_names({"p", "q", "r", "s"});
  const std::vector<std::int32_t> labels = model.predict(answers);
  EXPECT_NE(labels[0], labels[1]);
  EXPECT_THAT(needs_of(model), ElementsAre("column-priors"));
  expect_same_again(model);
}

}  // namespace
}  // namespace coppice::internal
