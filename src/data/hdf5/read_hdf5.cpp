// SPDX-License-Identifier: BSD-3-Clause
#include "data/hdf5/read_hdf5.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "coppice/data/memory_need.hpp"
#include "coppice/data/npy/header.hpp"
#include "coppice/runtime/error.hpp"
#include "data/hdf5/handle.hpp"
#include "data/naming.hpp"

namespace coppice::hdf5 {
using namespace internal;

namespace {

constexpr std::size_t most_listed = 30;

// Bytes that are no file of their own (a pipe, a compressed file) are opened as an image in memory.
Handle open_file(const Input& input, const ReadOptions& options) {
  if (!input.path.empty()) return {H5Fopen(input.path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose};
  const std::string_view bytes = input.content.bytes;
  require_memory(bytes.size(), input.content.name, options);
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  constexpr std::size_t growth = 65536;
  H5Pset_fapl_core(access.id(), growth, 0);
  // The library takes a copy; the constant bytes are not written to.
  H5Pset_file_image(access.id(), const_cast<char*>(bytes.data()), bytes.size());
  return {H5Fopen("image", H5F_ACC_RDONLY, access.id()), H5Fclose};
}

std::vector<std::size_t> shape_of(const Handle& dataset) {
  const Handle space(H5Dget_space(dataset.id()), H5Sclose);
  const int n_axes = space ? H5Sget_simple_extent_ndims(space.id()) : -1;
  if (n_axes < 1) return {};
  std::vector<hsize_t> extents(static_cast<std::size_t>(n_axes));
  H5Sget_simple_extent_dims(space.id(), extents.data(), nullptr);
  return {extents.begin(), extents.end()};
}

herr_t note_dataset(hid_t, const char* name, const H5O_info_t* info, void* names) noexcept {
  if (info->type == H5O_TYPE_DATASET) static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

// "/measured/x (150, 4)", one for each dataset of the file.
std::string list_of(const Handle& file, const std::vector<std::string>& names) {
  std::vector<std::string> lines;
  for (const std::string& name : names) {
    if (lines.size() == most_listed) break;
    const Handle dataset(H5Dopen2(file.id(), name.c_str(), H5P_DEFAULT), H5Dclose);
    lines.push_back(
        fmt::format("/{} {}", name, npy::shape_text(dataset ? shape_of(dataset) : std::vector<std::size_t>{})));
  }
  return fmt::format("{}{}", fmt::join(lines, ", "),
                     names.size() > most_listed ? fmt::format(", ... ({} in all)", names.size()) : "");
}

std::vector<std::string> dataset_names(const Handle& file) {
  std::vector<std::string> names;
  H5Ovisit2(file.id(), H5_INDEX_NAME, H5_ITER_INC, note_dataset, &names, H5O_INFO_BASIC);
  return names;
}

Handle open_dataset(const Handle& file, const Input& input) {
  const std::string& name = input.content.name;
  std::string part = input.part;
  if (part.empty()) {
    const std::vector<std::string> names = dataset_names(file);
    if (names.empty()) throw DataError(fmt::format("{}: holds no dataset, expected a table of numbers", name));
    if (names.size() > 1) {
      throw OptionError(fmt::format("{}: holds {} datasets ({}); choose one, such as {}:/{}", name, names.size(),
                                    list_of(file, names), name, names[0]));
    }
    part = "/" + names[0];
  }
  Handle dataset(H5Dopen2(file.id(), part.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset) {
    throw OptionError(
        fmt::format("{}: has no dataset '{}'; choose from {}", name, part, list_of(file, dataset_names(file))));
  }
  return dataset;
}

std::string_view what_is(H5T_class_t type) {
  switch (type) {
    case H5T_COMPOUND:
      return "records";
    case H5T_STRING:
      return "strings";
    case H5T_VLEN:
      return "lists of different lengths";
    default:
      return "values that are no numbers";
  }
}

// Is every value of the dataset's type exact as a float?
bool fits_float(const Handle& dataset, const std::string& name) {
  const Handle type(H5Dget_type(dataset.id()), H5Tclose);
  const H5T_class_t kind = H5Tget_class(type.id());
  const std::size_t size = H5Tget_size(type.id());
  if (kind == H5T_FLOAT) return size <= sizeof(float);
  if (kind == H5T_INTEGER || kind == H5T_ENUM) return size <= 2;  // truth values are an enumeration
  throw DataError(fmt::format("{}: holds {}, expected numbers; save them as an array of float64", name, what_is(kind)));
}

struct Extent {
  std::size_t n_rows = 0;
  std::size_t n_columns = 1;
};

// The rows to be read; their number of values is checked to be a number.
Extent checked_extent(const std::vector<std::size_t>& shape, const std::string& name, const ReadOptions& options) {
  if (shape.empty() || shape.size() > 2) {
    throw DataError(fmt::format("{}: has shape {}, expected a table of rows and columns; reshape it to two dimensions",
                                name, npy::shape_text(shape)));
  }
  Extent extent{std::min(shape[0], options.max_rows.value_or(shape[0])), shape.size() == 2 ? shape[1] : 1};
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(extent.n_rows, extent.n_columns, &bytes) ||
      __builtin_mul_overflow(bytes, sizeof(double), &bytes)) {
    throw DataError(fmt::format("{}: a dataset of shape {} is too large to be true", name, npy::shape_text(shape)));
  }
  if (bytes == 0) {
    throw DataError(fmt::format("{}: the dataset of shape {} is empty, expected at least one row and one column", name,
                                npy::shape_text(shape)));
  }
  return extent;
}

template <class Value>
Dataset read_values(const Handle& dataset, hid_t type, const Extent& extent, const std::string& name,
                    const ReadOptions& options) {
  require_memory(extent.n_rows * extent.n_columns * sizeof(Value), name, options);
  std::vector<Value> values(extent.n_rows * extent.n_columns);
  const Handle stored(H5Dget_space(dataset.id()), H5Sclose);
  const hsize_t start[2] = {0, 0};
  const hsize_t count[2] = {extent.n_rows, extent.n_columns};
  // With as many axes as are stored: of a list, the second extent is not looked at.
  const Handle wanted(H5Screate_simple(H5Sget_simple_extent_ndims(stored.id()), count, nullptr), H5Sclose);
  H5Sselect_hyperslab(stored.id(), H5S_SELECT_SET, start, nullptr, count, nullptr);
  if (H5Dread(dataset.id(), type, wanted.id(), stored.id(), H5P_DEFAULT, values.data()) < 0) {
    throw DataError(
        fmt::format("{}: cannot be read: it is damaged, or packed with a filter that is not installed here", name));
  }
  return naming(name, [&] { return Dataset::from_rows(std::move(values), extent.n_rows, extent.n_columns); });
}

}  // namespace

StoredTable read(const Input& input, const ReadOptions& options) {
  static std::mutex one_at_a_time;  // the library as it is commonly built is not safe for several threads
  const std::lock_guard lock(one_at_a_time);
  const Silence silence;
  const Handle file = open_file(input, options);
  if (!file) {
    throw DataError(fmt::format("{}: damaged HDF5 file, or another program is writing to it", input.content.name));
  }
  const Handle dataset = open_dataset(file, input);
  const std::string name = input.part.empty() ? input.content.name : input.content.name + ":" + input.part;
  const Extent extent = checked_extent(shape_of(dataset), name, options);
  return {fits_float(dataset, name) ? read_values<float>(dataset, H5T_NATIVE_FLOAT, extent, name, options)
                                    : read_values<double>(dataset, H5T_NATIVE_DOUBLE, extent, name, options),
          {}};
}

}  // namespace coppice::hdf5
