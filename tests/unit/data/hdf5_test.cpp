// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>

#include "coppice/data/read.hpp"
#include "coppice/runtime/error.hpp"
#include "data/hdf5/read_hdf5.hpp"
#include "unit/data/temporary_file.hpp"

namespace coppice::internal {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// A file that the HDF5 library writes.
class Hdf5File : public TemporaryFile {
 public:
  Hdf5File() : TemporaryFile("", ".h5") { file_ = H5Fcreate(path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT); }
  void group(const char* name) const { H5Gclose(H5Gcreate2(file_, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)); }
  void add(const char* name, std::vector<hsize_t> shape, hid_t stored, hid_t given, const void* values) const {
    const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    write(name, space, H5P_DEFAULT, stored, given, values);
  }
  void add_packed(const char* name, std::vector<hsize_t> shape, const std::vector<double>& values) const {
    const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t packing = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(packing, static_cast<int>(shape.size()), std::vector<hsize_t>(shape.size(), 2).data());
    H5Pset_deflate(packing, 6);
    write(name, space, packing, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.data());
    H5Pclose(packing);
  }
  void add_doubles(const char* name, std::vector<hsize_t> shape, const std::vector<double>& values) const {
    add(name, std::move(shape), H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.data());
  }
  // Writes what is there; the file is complete then.
  const std::string& close() {
    if (file_ >= 0) H5Fclose(file_);
    file_ = H5I_INVALID_HID;
    return path();
  }
  ~Hdf5File() { close(); }
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;

 private:
  void write(const char* name, hid_t space, hid_t packing, hid_t stored, hid_t given, const void* values) const {
    const hid_t dataset = H5Dcreate2(file_, name, stored, space, H5P_DEFAULT, packing, H5P_DEFAULT);
    if (values != nullptr) H5Dwrite(dataset, given, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(dataset);
    H5Sclose(space);
  }
  hid_t file_;
};

template <class Expected = DataError>
std::string refusal(const std::string& path, const ReadOptions& options = {}) {
  testing::internal::CaptureStderr();
  std::string message = message_of<Expected>([&] { (void)read(path, options); });
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");  // the library would print its own account
  return message;
}

std::string content_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Hdf5, ReadsTheOnlyDataset) {
  Hdf5File file;
  file.group("/measured");
  file.add_doubles("/measured/x", {2, 3}, {1, 2, 3, 4, 5, 6.5});
  const Dataset table = read(file.close());
  EXPECT_EQ(table.n_rows(), 2U);
  EXPECT_EQ(table.storage(), Storage::float64);
  EXPECT_THAT(table.doubles(), ElementsAre(1, 2, 3, 4, 5, 6.5));
  EXPECT_THAT(read(file.path() + ":/measured/x").doubles(), ElementsAre(1, 2, 3, 4, 5, 6.5));
  EXPECT_THAT(read(file.path(), {.max_rows = 1}).doubles(), ElementsAre(1, 2, 3));
  EXPECT_THAT(read(file.path(), {.columns = {"2"}}).doubles(), ElementsAre(2, 5));
}

TEST(Hdf5, ReadsPackedDatasets) {
  Hdf5File file;
  file.add_packed("x", {3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  EXPECT_THAT(read(file.close()).doubles(), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9));
}

TEST(Hdf5, ReadsEveryTypeOfNumber) {
  Hdf5File file;
  const std::vector<int> values{1, 0, 100};
  const std::pair<const char*, hid_t> floats[] = {{"f4", H5T_IEEE_F32LE}, {"f4b", H5T_IEEE_F32BE},
                                                  {"i1", H5T_STD_I8LE},   {"u1", H5T_STD_U8LE},
                                                  {"i2", H5T_STD_I16BE},  {"u2", H5T_STD_U16LE}};
  const std::pair<const char*, hid_t> doubles[] = {{"f8", H5T_IEEE_F64BE},
                                                   {"i4", H5T_STD_I32LE},
                                                   {"u4", H5T_STD_U32BE},
                                                   {"i8", H5T_STD_I64LE},
                                                   {"u8", H5T_STD_U64BE}};
  for (const auto& [name, type] : floats) file.add(name, {3}, type, H5T_NATIVE_INT, values.data());
  for (const auto& [name, type] : doubles) file.add(name, {3}, type, H5T_NATIVE_INT, values.data());
  file.close();
  for (const auto& [name, type] : floats) {
    EXPECT_THAT(read(file.path() + ":/" + name).floats(), ElementsAre(1, 0, 100)) << name;
  }
  for (const auto& [name, type] : doubles) {
    EXPECT_THAT(read(file.path() + ":/" + name).doubles(), ElementsAre(1, 0, 100)) << name;
  }
  EXPECT_THAT(read_labels(file.path() + ":/i8"), ElementsAre(1, 0, 100));
}

TEST(Hdf5, ReadsTruthValues) {
  Hdf5File file;
  const hid_t boolean = H5Tenum_create(H5T_NATIVE_INT8);
  const signed char values[2] = {0, 1};
  H5Tenum_insert(boolean, "FALSE", &values[0]);
  H5Tenum_insert(boolean, "TRUE", &values[1]);
  const signed char written[3] = {1, 0, 1};
  file.add("b", {3}, boolean, boolean, written);
  H5Tclose(boolean);
  EXPECT_THAT(read(file.close()).floats(), ElementsAre(1, 0, 1));
}

TEST(Hdf5, AsksWhichOfSeveralDatasets) {
  Hdf5File file;
  file.add_doubles("a", {2, 1}, {1, 2});
  file.group("/g");
  file.add_doubles("/g/b", {3}, {1, 2, 3});
  file.close();
  EXPECT_THAT(refusal<OptionError>(file.path()),
              HasSubstr("holds 2 datasets (/a (2, 1), /g/b (3,)); choose one, such as " + file.path() + ":/a"));
  EXPECT_THAT(refusal<OptionError>(file.path() + ":/c"), HasSubstr("has no dataset '/c'; choose from /a (2, 1), /g/b"));
  EXPECT_THAT(refusal<OptionError>(file.path() + ":/g"), HasSubstr("has no dataset '/g'"));
}

TEST(Hdf5, RefusesWhatIsNoTable) {
  Hdf5File file;
  file.add_doubles("cube", {1, 2, 1}, {1, 2});
  file.add_doubles("none", {0, 3}, {});
  file.add_doubles("gap", {2, 1}, {1, std::nan("")});
  const hid_t text = H5Tcopy(H5T_C_S1);
  file.add("text", {1}, text, text, "a");
  const hid_t records = H5Tcreate(H5T_COMPOUND, 8);
  H5Tinsert(records, "a", 0, H5T_NATIVE_DOUBLE);
  const double one = 1.0;
  file.add("records", {1}, records, records, &one);
  H5Tclose(text);
  H5Tclose(records);
  file.close();
  EXPECT_THAT(refusal(file.path() + ":/cube"), HasSubstr(":/cube: has shape (1, 2, 1), expected a table"));
  EXPECT_THAT(refusal(file.path() + ":/none"), HasSubstr("(0, 3) is empty"));
  EXPECT_THAT(refusal(file.path() + ":/gap"), HasSubstr(":/gap: row 2, column 1 (counted from 1): the value is nan"));
  EXPECT_THAT(refusal(file.path() + ":/text"), HasSubstr("holds strings, expected numbers"));
  EXPECT_THAT(refusal(file.path() + ":/records"), HasSubstr("holds records"));
}

TEST(Hdf5, RefusesShapesThatNoMemoryHolds) {
  Hdf5File file;
  const hsize_t shape[2] = {hsize_t{1} << 40U, 1000};
  const hsize_t chunk[2] = {1000, 1000};
  const hid_t space = H5Screate_simple(2, shape, nullptr);
  const hid_t packing = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(packing, 2, chunk);  // nothing is stored before it is written
  const hid_t opened = H5Fopen(file.close().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Dclose(H5Dcreate2(opened, "x", H5T_IEEE_F64LE, space, H5P_DEFAULT, packing, H5P_DEFAULT));
  H5Sclose(space);
  H5Pclose(packing);
  H5Fclose(opened);
  EXPECT_THAT(refusal<LimitError>(file.path()), HasSubstr("of memory"));
  EXPECT_THAT(read(file.path(), {.max_rows = 2}).n_columns(), 1000U);
}

TEST(Hdf5, RefusesFilesWithoutDatasetsAndDamagedOnes) {
  Hdf5File empty;
  EXPECT_THAT(refusal(empty.close()), HasSubstr("holds no dataset"));
  Hdf5File file;
  file.add_doubles("x", {100, 2}, std::vector<double>(200, 1.5));
  const std::string bytes = content_of_file(file.close());
  for (const std::size_t length : {std::size_t{8}, std::size_t{50}, std::size_t{500}, bytes.size() - 1}) {
    const TemporaryFile cut(bytes.substr(0, length), ".h5");
    EXPECT_THAT(refusal(cut.path()), HasSubstr("damaged")) << length;
  }
}

TEST(Hdf5, ReadsBytesThatAreNoFile) {
  Hdf5File file;
  file.add_doubles("x", {2}, {3, 4});
  const Input input{content_of(content_of_file(file.close()), "standard input"), "", "/x"};
  EXPECT_THAT(hdf5::read(input, {}).data.doubles(), ElementsAre(3, 4));
}

}  // namespace
}  // namespace coppice::internal
