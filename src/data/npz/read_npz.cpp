// SPDX-License-Identifier: BSD-3-Clause
#include "data/npz/read_npz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "coppice/data/memory_need.hpp"
#include "coppice/data/zip_reader.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"
#include "data/npy/read_npy.hpp"
#include "data/npz/sparse_npz.hpp"

namespace coppice::npz {
using namespace internal;

namespace {

constexpr std::string_view zip_magic = "PK\x03\x04";
constexpr std::string_view empty_zip_magic = "PK\x05\x06";
constexpr std::string_view array_suffix = ".npy";
constexpr std::size_t most_listed = 30;

bool has_member(const ZipReader& archive, std::string_view name) {
  return std::ranges::any_of(archive.members(), [&](const ZipMember& member) { return member.name == name; });
}

// Zip archives that are something else, told by a member that they always have.
void refuse_others(const ZipReader& archive, const std::string& file) {
  if (has_member(archive, "model.json")) {
    throw DataError(
        format_text("{}: is a model that coppice wrote, expected a table; label a table with it by "
                    "'{predict()} {} TABLE'",
                    file, file));
  }
  if (has_member(archive, "xl/workbook.xml") || has_member(archive, "[Content_Types].xml")) {
    throw DataError(
        fmt::format("{}: is an Excel file, expected a table as text or arrays; save the sheet as CSV", file));
  }
  if (has_member(archive, "content.xml") && has_member(archive, "mimetype")) {
    throw DataError(
        fmt::format("{}: is an OpenDocument file, expected a table as text or arrays; save the sheet as CSV", file));
  }
}

// The arrays' names, as NumPy shows them.
std::vector<std::string> array_names(const ZipReader& archive) {
  std::vector<std::string> names;
  for (const ZipMember& member : archive.members()) {
    if (!member.name.ends_with(array_suffix)) continue;
    names.push_back(member.name.substr(0, member.name.size() - array_suffix.size()));
  }
  return names;
}

std::string list_of(const std::vector<std::string>& names) {
  if (names.size() <= most_listed) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{}, ... ({} in all)", fmt::join(names.begin(), names.begin() + most_listed, ", "), names.size());
}

std::string chosen_array(const Input& input, const std::vector<std::string>& names) {
  const std::string& file = input.content.name;
  if (names.empty()) {
    throw DataError(
        fmt::format("{}: is a zip archive without an .npy array, expected an NPZ file; unpack it first", file));
  }
  if (input.part.empty() && names.size() == 1) return names[0];
  if (input.part.empty()) {
    throw OptionError(fmt::format("{}: holds {} arrays ({}); choose one, such as {}:/{}", file, names.size(),
                                  list_of(names), file, names[0]));
  }
  std::string wanted = input.part.substr(1);
  if (std::ranges::find(names, wanted) == names.end()) {
    throw OptionError(fmt::format("{}: has no array '{}'; choose from {}", file, wanted, list_of(names)));
  }
  return wanted;
}

}  // namespace

bool looks_like_npz(std::string_view bytes) noexcept {
  return bytes.starts_with(zip_magic) || bytes.starts_with(empty_zip_magic);
}

StoredTable read(const Input& input, const ReadOptions& options) {
  const ZipReader archive(input.content.bytes, input.content.name);
  refuse_others(archive, input.content.name);
  const std::vector<std::string> names = array_names(archive);
  const Members members(archive, input.content.name, options);
  if (input.part.empty() && is_sparse_matrix(names)) return {read_sparse(members, input.content.name, options), {}};
  const std::string name = chosen_array(input, names);
  return {npy::read(members.array(name), options), {}};
}

}  // namespace coppice::npz
