// SPDX-License-Identifier: BSD-3-Clause
// A model file holds what a model is: the statistics of its clusters, the prior, and the prior over partitions.
// Posteriors are computed from these when it is loaded. means.npy is for other readers and is not looked at here.

#include "coppice/write/model_archive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>

#include "coppice/data/decimals.hpp"
#include "coppice/data/mapped_file.hpp"
#include "coppice/data/npy.hpp"
#include "coppice/data/zip_reader.hpp"
#include "coppice/partition/background.hpp"
#include "coppice/runtime/atomic_file.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"
#include "coppice/structure/family_catalogue.hpp"
#include "coppice/write/result_files.hpp"
#include "write/model_check.hpp"
#include "write/model_needs.hpp"
#include "write/partition_json.hpp"
#include "write/zip_archive.hpp"

namespace coppice {
using namespace internal;

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_name = "coppice-model";
// Version 2 added transforms, and later backgrounds and priors by column. Since version 3 a file says what kind of
// model it holds and which words a reader must know (model_needs.hpp): what is added from here on is a word.
constexpr int format_version = 3;
constexpr int version_with_needs = 3;
constexpr const char* components_kind = "components";  // clusters of a family, as against other kinds of models
constexpr const char* description_name = "model.json";
constexpr const char* prior_folder = "prior/";
constexpr const char* transform_folder = "transform/";
constexpr const char* low_name = "background/low.npy";
constexpr const char* high_name = "background/high.npy";

[[noreturn]] void refuse(const std::string& file, const Text& what) {
  throw DataError(format_text("{}: not a model that can be loaded: {}", file, what));
}

Json to_json(const std::vector<Column>& columns) {
  Json list = Json::array();
  for (const Column& column : columns) {
    list.push_back({{"name", column.name}, {"kind", to_string(column.kind)}});
    if (column.is_made_up) list.back()["made_up"] = true;
    if (column.decimals >= 0) list.back()["decimals"] = column.decimals;
  }
  return list;
}

int decimals_of(const Json& column) {
  const int decimals = column.value("decimals", -1);
  if (decimals >= -1 && decimals <= most_decimals) return decimals;
  throw DataError(fmt::format("model.json: a column has {} decimals; there are at most {}", decimals, most_decimals));
}

std::vector<Column> columns_of(const Json& list) {
  std::vector<Column> columns;
  for (const Json& column : list) {
    columns.push_back({column.at("name").get<std::string>(), column_kind(column.at("kind").get<std::string>()),
                       column.value("made_up", false), decimals_of(column)});
  }
  return columns;
}

// The model of a result folder; a path to anything else stays as it is.
std::filesystem::path model_file(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) return path;
  std::filesystem::path file = path / result_files::model;
  if (std::filesystem::is_regular_file(file)) return file;
  throw IoError(fmt::format("{}: is a folder without {}, so no result of a fit", path.string(), result_files::model));
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw IoError(fmt::format("{}: cannot read: {}", path.string(), std::generic_category().message(errno)));
  return {std::istreambuf_iterator<char>(in), {}};
}

const std::string& member(const ArchiveMembers& members, const std::string& name, const std::string& file) {
  const auto found = members.find(name);
  if (found == members.end()) refuse(file, fmt::format("the part '{}' is missing", name));
  return found->second;
}

npy::Array array(const ArchiveMembers& members, const std::string& name, const std::string& file) {
  npy::Array result = npy::parse_array(member(members, name, file), fmt::format("{}:{}", file, name));
  const auto wrong = std::ranges::find_if_not(result.values, [](double value) { return std::isfinite(value); });
  if (wrong != result.values.end()) {
    refuse(file,
           fmt::format("'{}' holds {} as number {}, which is not finite", name, *wrong, wrong - result.values.begin()));
  }
  return result;
}

// All arrays of a folder of the archive, by name.
NamedArrays arrays_in(const std::string& folder, const ArchiveMembers& members, const std::string& file) {
  constexpr std::string_view suffix = ".npy";
  NamedArrays arrays;
  for (const auto& [name, bytes] : members) {
    if (!name.starts_with(folder) || name.size() < folder.size() + suffix.size()) continue;
    arrays[name.substr(folder.size(), name.size() - folder.size() - suffix.size())] = array(members, name, file);
  }
  return arrays;
}

std::string folder_of_transform(std::size_t place) { return fmt::format("{}{}/", transform_folder, place); }

Json to_json(const Transforms& transforms) {
  Json steps = Json::array();
  for (const TransformRecord& record : transforms.records()) {
    steps.push_back({{"spec", record.spec}, {"seed", record.seed}});
  }
  return {{"input_columns", to_json(transforms.input_columns())}, {"steps", steps}};
}

Transforms transforms_of(const Json& description, const ArchiveMembers& members, const std::string& file) {
  if (!description.contains("transforms")) return {};
  const Json& transforms = description.at("transforms");
  std::vector<TransformRecord> records;
  for (const Json& step : transforms.at("steps")) {
    if (!step.at("seed").is_number_unsigned()) refuse(file, "the seed of a transform is not a whole number");
    records.push_back({step.at("spec").get<std::string>(), step.at("seed").get<std::uint64_t>(),
                       arrays_in(folder_of_transform(records.size()), members, file)});
  }
  return Transforms::from_records(columns_of(transforms.at("input_columns")), records);
}

void add_transforms(const Transforms& transforms, ArchiveMembers& members) {
  std::size_t place = 0;
  for (const TransformRecord& record : transforms.records()) {
    for (const auto& [name, array] : record.arrays) {
      members[folder_of_transform(place) + name + ".npy"] =
          npy::to_bytes(std::span<const double>(array.values), array.shape);
    }
    ++place;
  }
}

void check_needs(const Json& description, const std::string& file) {
  const auto kind = description.at("kind").get<std::string>();
  if (kind != components_kind) {
    refuse(file, fmt::format("it holds a model of the kind '{}', which this program does not know", kind));
  }
  for (const auto& word : description.at("needs").get<std::vector<std::string>>()) {
    if (std::ranges::find(known_needs(), word) != known_needs().end()) continue;
    refuse(file, fmt::format("it needs '{}', which this program does not know; use a newer one", word));
  }
}

Json parse_description(const ArchiveMembers& members, const std::string& file) {
  Json description = Json::parse(member(members, description_name, file));
  if (description.value("format", "") != format_name) refuse(file, "it was not written by coppice");
  const int version = description.value("version", 0);
  if (version < 1 || version > format_version) {
    refuse(file, fmt::format("its format has version {}, this program reads up to {}", version, format_version));
  }
  if (version >= version_with_needs) check_needs(description, file);
  return description;
}

// The box of a background, one number per column; models of before it was kept have none.
std::vector<double> side_of_box(const std::string& name, std::size_t n_columns, const ArchiveMembers& members,
                                const std::string& file) {
  if (!members.contains(name)) return {};
  std::vector<double> side = array(members, name, file).values;
  if (side.size() != n_columns) refuse(file, fmt::format("'{}' does not hold {} numbers", name, n_columns));
  return side;
}

Background background_in(const Json& description, const ArchiveMembers& members, const std::string& file) {
  const Json& json = description.at("background");
  const std::size_t n_columns = description.at("columns").size();
  const Background background{json.at("log_volume").get<double>(), json.at("weight").get<double>(),
                              side_of_box(low_name, n_columns, members, file),
                              side_of_box(high_name, n_columns, members, file)};
  if (!std::ranges::equal(background.low, background.high, std::ranges::less_equal{})) {
    refuse(file, "the box of its background is none");
  }
  if (!std::isfinite(background.log_volume)) refuse(file, "the volume of its background is not finite");
  if (!(background.weight >= 0.0 && background.weight < description.at("total_weight").get<double>())) {
    refuse(file, fmt::format("its background weighs {}, but all rows {}", background.weight,
                             description.at("total_weight").get<double>()));
  }
  return background;
}

Model build(const ArchiveMembers& members, const std::string& file) {
  const Json description = parse_description(members, file);
  ModelParts parts;
  parts.method = description.at("method").get<std::string>();
  parts.columns = columns_of(description.at("columns"));
  parts.total_weight = description.at("total_weight").get<double>();
  parts.objective = description.at("objective").get<double>();
  parts.origin = array(members, "origin.npy", file).values;
  parts.components = make_family(description.at("family").get<std::string>(), arrays_in(prior_folder, members, file));
  parts.partition = partition_of(description.at("partition"));
  if (description.contains("background")) {
    parts.partition = beside_background(std::move(parts.partition), background_in(description, members, file));
  }

  npy::Array stats = array(members, "stats.npy", file);
  const std::size_t stats_size = parts.components->stats_size();
  if (stats.shape.size() != 2 || stats.shape[1] != stats_size || stats.shape[0] == 0) {
    refuse(file, fmt::format("its statistics do not fit the family: expected {} numbers per cluster", stats_size));
  }
  if (parts.columns.size() != parts.components->n_columns() || parts.origin.size() != parts.columns.size()) {
    refuse(file, "its numbers of columns disagree");
  }
  parts.transforms = transforms_of(description, members, file);
  if (!parts.transforms.empty() && parts.transforms.n_output_columns() != parts.columns.size()) {
    refuse(file, "its transforms do not give the columns that were clustered");
  }
  parts.stats = StatsArena(std::move(stats.values), stats_size);
  if (description.at("k") != parts.stats.size()) {
    refuse(file, fmt::format("k is {} in model.json, but stats.npy has {} clusters", description.at("k").dump(),
                             parts.stats.size()));
  }
  check_parts(parts);
  Model model(std::move(parts));
  check_answers(model);
  return model;
}

}  // namespace

bool is_model_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return true;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  const Content content = load(path.string());
  if (!content.bytes.starts_with("PK\x03\x04")) return false;
  try {
    const ZipReader archive(content.bytes, content.name);
    return std::ranges::find(archive.members(), description_name, &ZipMember::name) != archive.members().end();
  } catch (const DataError&) {
    return true;  // so damaged that its parts cannot be listed: loading it says more
  }
}

std::string model_bytes(const Model& model) {
  const std::size_t k = model.k();
  const std::size_t d = model.n_columns();
  Json description = {{"format", format_name},
                      {"version", format_version},
                      {"kind", components_kind},
                      {"needs", needs_of(model)},
                      {"method", model.method()},
                      {"family", model.components().family()},
                      {"partition", partition_json(model.partition())},
                      {"k", k},
                      {"objective", model.objective()},
                      {"total_weight", model.total_weight()},
                      {"columns", to_json(model.columns())}};
  ArchiveMembers members;
  if (const Background* background = model.partition().background()) {
    description["background"] = {{"log_volume", background->log_volume}, {"weight", background->weight}};
    if (!background->low.empty()) {
      members[low_name] = npy::to_bytes(std::span<const double>(background->low), {d});
      members[high_name] = npy::to_bytes(std::span<const double>(background->high), {d});
    }
  }
  if (!model.transforms().empty()) {
    description["transforms"] = to_json(model.transforms());
    add_transforms(model.transforms(), members);
  }
  members[description_name] = description.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  members["origin.npy"] = npy::to_bytes(model.origin(), {d});
  members["stats.npy"] =
      npy::to_bytes(std::span<const double>(model.stats().values()), {k, model.stats().stats_size()});
  std::vector<double> means;  // for those who open the archive with NumPy
  for (std::size_t c = 0; c < k; ++c) {
    const std::vector<double> mean = model.mean(c);
    means.insert(means.end(), mean.begin(), mean.end());
  }
  members["means.npy"] = npy::to_bytes(std::span<const double>(means), {k, model.mean_columns().size()});
  for (const auto& [name, values] : model.components().prior_arrays()) {
    members[prior_folder + name + ".npy"] = npy::to_bytes(std::span<const double>(values.values), values.shape);
  }
  return zip(members);
}

void save_model(const Model& model, const std::filesystem::path& path) {
  AtomicFile file(path);
  file.write(model_bytes(model));
  file.commit();
}

Model parse_model(const std::string& bytes, const std::string& name) {
  // Members are stored without compression: more than the file's size can only be an attack.
  const ArchiveMembers members = unzip(bytes, name, 2 * bytes.size());
  try {
    return build(members, name);
  } catch (const nlohmann::json::exception& error) {
    refuse(name, fmt::format("model.json is damaged ({})", error.what()));
  } catch (const OptionError& error) {
    refuse(name, error.text());
  } catch (const DataError& error) {
    // These name the file already.
    if (std::string_view(error.what()).find(name) != std::string_view::npos) throw;
    refuse(name, error.text());
  } catch (const NumericError& error) {
    refuse(name, error.text());
  }
}

Model load_model(const std::filesystem::path& path) {
  const std::filesystem::path file = model_file(path);
  return parse_model(read_file(file), file.string());
}

}  // namespace coppice
