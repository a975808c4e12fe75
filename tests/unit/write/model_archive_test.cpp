// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/write/model_archive.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "coppice/data/npy.hpp"
#include "coppice/partition/background.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/random.hpp"
#include "unit/data/temporary_file.hpp"
#include "unit/model/model_examples.hpp"
#include "write/zip_archive.hpp"

namespace coppice::internal {
namespace {

using testing::HasSubstr;
using Json = nlohmann::ordered_json;

Model load_bytes(std::string_view bytes) {
  const TemporaryFile file(bytes, ".coppice");
  return load_model(file.path());
}

ArchiveMembers example_members() {
  const std::string bytes = model_bytes(example_model(2, 0));
  return unzip(bytes, "example", 2 * bytes.size());
}

std::string refusal(const ArchiveMembers& members) {
  return message_of<DataError>([&] { (void)load_bytes(zip(members)); });
}

// The example with one entry of its description replaced.
std::string refusal_with(const std::string& pointer, const Json& value) {
  ArchiveMembers members = example_members();
  Json description = Json::parse(members["model.json"]);
  description[Json::json_pointer(pointer)] = value;
  members["model.json"] = description.dump();
  return refusal(members);
}

TEST(ModelArchive, GivesBackTheSameModel) {
  for (std::size_t which = 0; which < 4; ++which) {
    const Model model = example_model(1 + which, which, which);
    const TemporaryFile file("", ".coppice");
    save_model(model, file.path());
    const Model back = load_model(file.path());
    EXPECT_TRUE(back == model);
    const Dataset rows = scattered_rows(100, 1 + which, 3, 9);
    EXPECT_EQ(back.log_density(rows), model.log_density(rows));
    EXPECT_EQ(back.predict(rows), model.predict(rows));
    EXPECT_EQ(model_bytes(back), model_bytes(model));
  }
}

// What new rows are made by (model/sample.hpp).
TEST(ModelArchive, KeepsDecimalsAndTheBoxOfABackground) {
  const Model plain = example_model(2, 0);
  std::vector<Column> columns = plain.columns();
  columns[1].decimals = 3;
  const Model model({.method = "bkm",
                     .columns = columns,
                     .origin = {plain.origin().begin(), plain.origin().end()},
                     .components = plain.components().clone(),
                     .partition = beside_background(make_dirichlet(2.0), {4.0, 10.0, {-1.0, 2.0}, {3.0, 2.0}}),
                     .stats = plain.stats(),
                     .total_weight = plain.total_weight() + 10.0,
                     .objective = plain.objective()});
  const Model back = load_bytes(model_bytes(model));
  EXPECT_TRUE(back == model);
  EXPECT_EQ(back.columns()[0].decimals, -1);
  EXPECT_EQ(back.columns()[1].decimals, 3);
  EXPECT_EQ(back.partition().background()->low, (std::vector<double>{-1.0, 2.0}));
  EXPECT_EQ(back.partition().background()->high, (std::vector<double>{3.0, 2.0}));

  ArchiveMembers members = unzip(model_bytes(model), "model", 1 << 20);
  members["background/low.npy"] = npy::to_bytes(std::vector<double>{4.0, 2.0}, {2});
  EXPECT_THAT(refusal(members), HasSubstr("the box of its background is none"));
  members["background/low.npy"] = npy::to_bytes(std::vector<double>{4.0}, {1});
  EXPECT_THAT(refusal(members), HasSubstr("'background/low.npy' does not hold 2 numbers"));
  EXPECT_THAT(refusal_with("/columns/0/decimals", 12), HasSubstr("12 decimals"));
}

TEST(ModelArchive, EqualModelsAreEqualBytes) {
  const Model model = example_model(2, 1);
  const Model copy = model;  // NOLINT(performance-unnecessary-copy-initialization)
  EXPECT_EQ(model_bytes(copy), model_bytes(model));
  EXPECT_EQ(model_bytes(example_model(2, 1)), model_bytes(model));
  EXPECT_NE(model_bytes(example_model(2, 0)), model_bytes(model));
}

TEST(ModelArchive, IsToldFromOtherArchives) {
  const auto is_model = [](const std::string& bytes) { return is_model_file(TemporaryFile(bytes).path()); };
  EXPECT_TRUE(is_model(model_bytes(example_model(2, 1))));
  EXPECT_TRUE(is_model(model_bytes(example_model(2, 1)).substr(0, 100)));
  EXPECT_FALSE(is_model(zip({{"x.npy", npy::to_bytes(std::vector<double>{1.0}, {1})}})));
  EXPECT_FALSE(is_model("row,label\n"));
  EXPECT_FALSE(is_model_file("no such file"));
}

TEST(ModelArchive, HoldsWhatNumPyReads) {
  const Model model = example_model(2, 0);
  ArchiveMembers members = example_members();
  const npy::Array means = npy::parse_array(members["means.npy"], "means.npy");
  EXPECT_EQ(means.shape, (std::vector<std::size_t>{3, 2}));
  EXPECT_EQ((std::vector<double>{means.values[2], means.values[3]}), model.mean(1));
  EXPECT_EQ(Json::parse(members["model.json"]).at("k"), 3);
}

TEST(ModelArchive, KeepsAnyNameOfAColumn) {
  const Dataset data = scattered_rows(20, 2, 1, 1)
                           .with_names({"a \"quoted\" \\ name\n",
                                        "gr\xc3\xb6\xc3\x9f"
                                        "e"});
  const Model model = model_of_labels(data, std::vector<std::int32_t>(20, 0), 1, make_dirichlet(2.0));
  EXPECT_TRUE(load_bytes(model_bytes(model)) == model);
}

// Such names need not survive, but a model is not lost for them.
TEST(ModelArchive, SavesAModelWhoseColumnsAreNotUtf8) {
  const Dataset data = scattered_rows(20, 2, 1, 1).with_names({"caf\xe9", "b"});
  const Model model = model_of_labels(data, std::vector<std::int32_t>(20, 0), 1, make_dirichlet(2.0));
  std::string bytes;
  ASSERT_NO_THROW(bytes = model_bytes(model));
  EXPECT_EQ(load_bytes(bytes).predict(data), model.predict(data));
}

// Loads or refuses with an error of its own; anything else fails the test.
bool is_loaded(const TemporaryFile& file) {
  try {
    (void)load_model(file.path());
    return true;
  } catch (const Error&) {
    return false;
  }
}

TEST(ModelArchive, RefusesEveryTruncation) {
  const std::string bytes = model_bytes(example_model(1, 0));
  const TemporaryFile file(bytes, ".coppice");
  EXPECT_TRUE(is_loaded(file));
  for (std::size_t n = bytes.size(); n-- > 0;) {
    std::filesystem::resize_file(file.path(), n);
    ASSERT_FALSE(is_loaded(file)) << n << " of " << bytes.size() << " bytes";
  }
}

void overwrite_byte(const TemporaryFile& file, std::size_t place, char value) {
  std::fstream stream(file.path(), std::ios::binary | std::ios::in | std::ios::out);
  stream.seekp(static_cast<std::streamoff>(place)).put(value);
}

// Damage to a date or an attribute changes nothing that is read; damage to numbers or names must be noticed.
TEST(ModelArchive, SurvivesDamagedBytes) {
  const Model model = example_model(1, 0);
  const std::string bytes = model_bytes(model);
  const TemporaryFile file(bytes, ".coppice");
  RandomStream random{1, Purpose::test, 40};
  std::size_t n_refused = 0;
  for (std::size_t i = 0; i < 500; ++i) {
    const std::size_t place = random.below(bytes.size());
    overwrite_byte(file, place, static_cast<char>(bytes[place] ^ static_cast<char>(1 + random.below(255))));
    if (is_loaded(file)) {
      EXPECT_TRUE(load_model(file.path()) == model) << "byte " << place;
    } else {
      ++n_refused;
    }
    overwrite_byte(file, place, bytes[place]);
  }
  EXPECT_GT(n_refused, 250U) << "more than half of the bytes are contents";
}

TEST(ModelArchive, RefusesForeignFiles) {
  EXPECT_THROW((void)load_bytes(""), DataError);
  EXPECT_THROW((void)load_bytes("x,y\n1,2\n"), DataError);
  EXPECT_THAT(refusal({{"word/document.xml", "<w/>"}}), HasSubstr("'model.json' is missing"));
  EXPECT_THAT(refusal({{"model.json", "{}"}}), HasSubstr("not written by coppice"));
  EXPECT_THAT(refusal({{"model.json", "[1, 2]"}}), HasSubstr("damaged"));
  EXPECT_THAT(refusal({{"model.json", "{"}}), HasSubstr("damaged"));
  EXPECT_THROW((void)load_model("no such file.coppice"), IoError);
  EXPECT_THROW((void)load_model(testing::TempDir()), IoError);
}

TEST(ModelArchive, RefusesOtherVersions) {
  EXPECT_THAT(refusal_with("/version", 4), HasSubstr("its format has version 4, this program reads up to 3"));
  EXPECT_THAT(refusal_with("/kind", "features"), HasSubstr("of the kind 'features', which this program does not know"));
  EXPECT_THAT(refusal_with("/needs", Json::array({"transforms", "groups"})), HasSubstr("it needs 'groups'"));
  EXPECT_THAT(refusal_with("/needs", "groups"), HasSubstr("damaged"));
  EXPECT_THAT(refusal_with("/version", 0), HasSubstr("version 0"));
  EXPECT_THAT(refusal_with("/version", "1"), HasSubstr("damaged"));
  EXPECT_THAT(refusal_with("/format", "another"), HasSubstr("not written by coppice"));
}

TEST(ModelArchive, RefusesDescriptionsThatMakeNoSense) {
  EXPECT_THAT(refusal_with("/family", "cauchy"), HasSubstr("'cauchy'"));
  EXPECT_THAT(refusal_with("/partition/name", "flat"), HasSubstr("'flat'"));
  EXPECT_THAT(refusal_with("/partition/parameter", -1.0), HasSubstr("-1"));
  EXPECT_THAT(refusal_with("/columns/0/kind", "smell"), HasSubstr("'smell' is no kind of column"));
  EXPECT_THAT(refusal_with("/columns", Json::array()), HasSubstr("numbers of columns disagree"));
  EXPECT_THAT(refusal_with("/objective", nullptr), HasSubstr("damaged"));
  EXPECT_THAT(refusal_with("/total_weight", "ten"), HasSubstr("damaged"));
}

// A model whose rows go through three steps first.
Model transformed_model() {
  const Dataset data = scattered_rows(90, 5, 3, 1);
  LocalExecution local(1);
  const auto ready = fit_transforms(local.get(), parse_transforms("standardize,project:4,pca:2"), data, 1ULL << 63U);
  const Model model = model_of_labels(ready.data, random_labels(90, 3, 1), 3, make_dirichlet(2.0));
  return model.with_transforms(ready.chain);
}

TEST(ModelArchive, KeepsTransforms) {
  const Model model = transformed_model();
  const Model back = load_bytes(model_bytes(model));
  EXPECT_TRUE(back == model);
  EXPECT_EQ(back.transforms().to_string(), "standardize,project:4,pca:2");
  const Dataset rows = scattered_rows(50, 5, 3, 9);
  EXPECT_EQ(back.log_density(rows), model.log_density(rows));
  EXPECT_EQ(model_bytes(back), model_bytes(model));
}

TEST(ModelArchive, ReadsFilesOfVersionOne) {
  ArchiveMembers members = example_members();
  Json description = Json::parse(members["model.json"]);
  EXPECT_EQ(description["version"], 3);
  EXPECT_EQ(description["kind"], "components");
  EXPECT_EQ(description["needs"], Json::array());
  description.erase("kind");
  description.erase("needs");
  EXPECT_FALSE(description.contains("transforms"));
  description["version"] = 1;
  members["model.json"] = description.dump();
  EXPECT_TRUE(load_bytes(zip(members)) == example_model(2, 0));
}

TEST(ModelArchive, RefusesTransformsThatDoNotFit) {
  const std::string bytes = model_bytes(transformed_model());
  const ArchiveMembers whole = unzip(bytes, "example", 2 * bytes.size());
  const auto refusal_at = [&](const std::string& pointer, const Json& value) {
    ArchiveMembers members = whole;
    Json description = Json::parse(members["model.json"]);
    description[Json::json_pointer(pointer)] = value;
    members["model.json"] = description.dump();
    return refusal(members);
  };
  EXPECT_THAT(refusal_at("/transforms/steps/0/spec", "whiten"), HasSubstr("no transform 'whiten'"));
  EXPECT_THAT(refusal_at("/transforms/steps/1/spec", "project:3"), HasSubstr("shape"));
  EXPECT_THAT(refusal_at("/transforms/steps/1/seed", -1), HasSubstr("seed"));
  EXPECT_THAT(refusal_at("/transforms/steps/1/seed", 1.5), HasSubstr("seed"));
  const Json one_step = Json::parse(R"([{"spec": "project:3", "seed": 0}])");
  EXPECT_THAT(refusal_at("/transforms/steps", one_step), HasSubstr("do not give the columns that were clustered"));
  for (const auto& [name, content] : whole) {
    if (!name.starts_with("transform/")) continue;
    ArchiveMembers members = whole;
    members.erase(name);
    EXPECT_THAT(refusal(members), HasSubstr("lacks its array")) << name;
    members[name] = npy::to_bytes(std::span<const double>(std::vector<double>{std::nan("")}), {1});
    EXPECT_THAT(refusal(members), HasSubstr("not finite")) << name;
    members[name] = npy::to_bytes(std::span<const double>(std::vector<double>(7, 1.0)), {7});
    EXPECT_THAT(refusal(members), HasSubstr("shape (7)")) << name;
  }
}

std::string refusal_with_array(const std::string& name, const std::vector<double>& values,
                               const std::vector<std::size_t>& shape) {
  ArchiveMembers members = example_members();
  members[name] = npy::to_bytes(std::span<const double>(values), shape);
  return refusal(members);
}

TEST(ModelArchive, RefusesArraysThatDoNotFit) {
  for (const char* name : {"origin.npy", "stats.npy", "prior/b0.npy", "prior/xi0.npy"}) {
    ArchiveMembers members = example_members();
    members.erase(name);
    EXPECT_FALSE(refusal(members).empty()) << name;
    members[name] = "no array";
    EXPECT_FALSE(refusal(members).empty()) << name;
  }
  EXPECT_THAT(refusal_with_array("stats.npy", std::vector<double>(10, 1.0), {2, 5}),
              HasSubstr("6 numbers per cluster"));
  EXPECT_THAT(refusal_with_array("stats.npy", {}, {0, 6}), HasSubstr("6 numbers per cluster"));
  EXPECT_THAT(refusal_with_array("stats.npy", std::vector<double>(6, std::nan("")), {1, 6}), HasSubstr("not finite"));
  EXPECT_THAT(refusal_with_array("origin.npy", {1.0}, {1}), HasSubstr("numbers of columns disagree"));
  EXPECT_THAT(refusal_with_array("prior/b0.npy", {1, 2, 2, 1}, {2, 2}), HasSubstr("not positive definite"));
  EXPECT_THAT(refusal_with_array("prior/xi0.npy", {-1.0}, {}), HasSubstr("xi0"));
}

// No rows can make these: a scatter that is not positive definite, a weight below zero, weights that do not add up.
TEST(ModelArchive, RefusesImpossibleStatistics) {
  EXPECT_FALSE(refusal_with_array("stats.npy", {5, 0, 0, -100, 0, -100}, {1, 6}).empty());
  EXPECT_FALSE(refusal_with_array("stats.npy", {-1.5, 0, 0, 1, 0, 1}, {1, 6}).empty());
  EXPECT_FALSE(refusal_with("/total_weight", -90.0).empty());
}

}  // namespace
}  // namespace coppice::internal
