// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zip.h>

#include <random>

#include "coppice/data/npy.hpp"
#include "coppice/data/read.hpp"
#include "coppice/runtime/error.hpp"
#include "data/npz/read_npz.hpp"
#include "unit/data/temporary_file.hpp"
#include "write/zip_archive.hpp"

namespace coppice::internal {
namespace {

using namespace std::string_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

template <class Value>
std::string array(const std::vector<Value>& values, std::vector<std::size_t> shape = {}) {
  if (shape.empty()) shape = {values.size()};
  return npy::to_bytes(values, shape);
}

// An array of one word, as NumPy stores b'csr' and 'csr'.
std::string word(const std::string& text, char type = 'S') {
  std::string dictionary = fmt::format("{{'descr': '{}{}{}', 'fortran_order': False, 'shape': (), }}",
                                       type == 'S' ? '|' : '<', type, text.size());
  dictionary.append(63 - (10 + dictionary.size()) % 64, ' ');
  dictionary += '\n';
  std::string bytes = "\x93NUMPY\1\0"s + static_cast<char>(dictionary.size()) + '\0' + dictionary;
  for (const char letter : text) bytes += type == 'S' ? std::string(1, letter) : letter + "\0\0\0"s;
  return bytes;
}

// The members as numpy.savez_compressed packs them.
std::string deflated(const ArchiveMembers& members) {
  const TemporaryFile file("", ".npz");
  std::filesystem::remove(file.path());
  zip_t* archive = zip_open(file.path().c_str(), ZIP_CREATE, nullptr);
  for (const auto& [name, content] : members) {
    zip_source_t* source = zip_source_buffer(archive, content.data(), content.size(), 0);
    const auto index = static_cast<zip_uint64_t>(zip_file_add(archive, name.c_str(), source, 0));
    zip_set_file_compression(archive, index, ZIP_CM_DEFLATE, 9);
  }
  zip_close(archive);
  std::ifstream in(file.path(), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Dataset read_bytes(const std::string& bytes, const std::string& part = "", const ReadOptions& options = {}) {
  const TemporaryFile file(bytes, ".npz");
  return read(file.path() + part, options);
}

template <class Expected = DataError>
std::string refusal(const std::string& bytes, const std::string& part = "") {
  return message_of<Expected>([&] { (void)read_bytes(bytes, part); });
}

// 0 5 0
// 7 0 6
ArchiveMembers compressed_rows() {
  return {{"data.npy", array<double>({5, 7, 6})},
          {"indices.npy", array<std::int32_t>({1, 0, 2})},
          {"indptr.npy", array<std::int32_t>({0, 1, 3})},
          {"shape.npy", array<std::int32_t>({2, 3})},
          {"format.npy", word("csr")}};
}

ArchiveMembers changed(ArchiveMembers members, const std::string& name, const std::string& bytes) {
  members[name] = bytes;
  return members;
}

TEST(Npz, ReadsTheOnlyArrayStoredOrPacked) {
  const ArchiveMembers members{{"arr_0.npy", array<double>({1, 2, 3, 4}, {2, 2})}};
  for (const std::string& bytes : {zip(members), deflated(members)}) {
    const Dataset table = read_bytes(bytes);
    EXPECT_THAT(table.doubles(), ElementsAre(1, 2, 3, 4));
    EXPECT_EQ(table.n_columns(), 2U);
    EXPECT_THAT(read_bytes(bytes, "", {.max_rows = 1}).doubles(), ElementsAre(1, 2));
  }
}

TEST(Npz, ReadsOneArrayOfSeveralByName) {
  const std::string bytes = zip({{"X.npy", array<float>({1, 2}, {1, 2})},
                                 {"y.npy", array<std::int32_t>({7, 8})},
                                 {"group/z.npy", array<double>({9})}});
  EXPECT_THAT(read_bytes(bytes, ":/X").floats(), ElementsAre(1, 2));
  EXPECT_THAT(read_bytes(bytes, ":/group/z").doubles(), ElementsAre(9));
  const TemporaryFile file(bytes, ".npz");
  EXPECT_THAT(read_labels(file.path() + ":/y"), ElementsAre(7, 8));
  EXPECT_THAT(refusal<OptionError>(bytes),
              AllOf(HasSubstr("holds 3 arrays (X, group/z, y); choose one, such as "), HasSubstr(".npz:/X")));
  EXPECT_THAT(refusal<OptionError>(bytes, ":/Z"), HasSubstr("has no array 'Z'; choose from X, group/z, y"));
}

TEST(Npz, NamesTheArrayInMessages) {
  const std::string bytes = zip({{"a.npy", array<double>({1, std::nan("")})}, {"b.npy", "nothing"}});
  EXPECT_THAT(refusal(bytes, ":/a"), HasSubstr(".npz:/a: row 2, column 1 (counted from 1): the value is nan"));
  EXPECT_THAT(refusal(bytes, ":/b"), HasSubstr(".npz:/b: not an NPY file"));
}

TEST(Npz, ReadsCompressedRows) {
  for (const std::string& bytes : {zip(compressed_rows()), deflated(compressed_rows()),
                                   zip(changed(compressed_rows(), "format.npy", word("csr", 'U')))}) {
    const Dataset table = read_bytes(bytes);
    ASSERT_TRUE(table.is_sparse());
    EXPECT_EQ(table.n_rows(), 2U);
    EXPECT_EQ(table.n_columns(), 3U);
    EXPECT_EQ(table.storage(), Storage::float64);
    EXPECT_THAT(table.sparse_row(0).columns, ElementsAre(1));
    EXPECT_THAT(table.sparse_row(1).columns, ElementsAre(0, 2));
    EXPECT_THAT(table.sparse_row(1).doubles, ElementsAre(7, 6));
    EXPECT_EQ(read_bytes(bytes, "", {.max_rows = 1}).n_rows(), 1U);
  }
}

TEST(Npz, TurnsCompressedColumnsIntoRows) {
  const Dataset table = read_bytes(zip({{"data.npy", array<float>({7, 5, 6})},
                                        {"indices.npy", array<std::int32_t>({1, 0, 1})},
                                        {"indptr.npy", array<std::int32_t>({0, 1, 2, 3})},
                                        {"shape.npy", array<std::int32_t>({2, 3})},
                                        {"format.npy", word("csc")}}));
  EXPECT_EQ(table.storage(), Storage::float32);
  EXPECT_THAT(table.sparse_row(0).columns, ElementsAre(1));
  EXPECT_THAT(table.sparse_row(0).floats, ElementsAre(5));
  EXPECT_THAT(table.sparse_row(1).columns, ElementsAre(0, 2));
  EXPECT_THAT(table.sparse_row(1).floats, ElementsAre(7, 6));
}

TEST(Npz, SortsAndAddsUpEntriesAsSciPyDoes) {
  ArchiveMembers members = compressed_rows();
  members["data.npy"] = array<double>({1, 2, 4, 8, 16, 99});  // one more than there are
  members["indices.npy"] = array<std::int32_t>({2, 0, 2, 1, 1, 0});
  members["indptr.npy"] = array<std::int32_t>({0, 3, 5});
  const Dataset table = read_bytes(zip(members));
  EXPECT_THAT(table.sparse_row(0).columns, ElementsAre(0, 2));
  EXPECT_THAT(table.sparse_row(0).doubles, ElementsAre(2, 5));
  EXPECT_THAT(table.sparse_row(1).columns, ElementsAre(1));
  EXPECT_THAT(table.sparse_row(1).doubles, ElementsAre(24));
}

TEST(Npz, KeepsRowsWithoutEntries) {
  ArchiveMembers members = compressed_rows();
  members["indptr.npy"] = array<std::int32_t>({0, 0, 3, 3});
  members["indices.npy"] = array<std::int32_t>({0, 1, 2});
  members["shape.npy"] = array<std::int32_t>({3, 3});
  const Dataset table = read_bytes(zip(members));
  EXPECT_EQ(table.n_rows(), 3U);
  EXPECT_THAT(table.sparse_row(0).columns, IsEmpty());
  EXPECT_EQ(table.sparse_row(1).size(), 3U);
}

TEST(Npz, RefusesOtherSparseFormats) {
  EXPECT_THAT(refusal(zip(changed(compressed_rows(), "format.npy", word("bsr")))),
              HasSubstr("sparse matrix of format 'bsr', expected csr or csc; convert it with .tocsr()"));
  EXPECT_THAT(refusal(zip({{"data.npy", array<double>({1})},
                           {"row.npy", array<std::int32_t>({0})},
                           {"col.npy", array<std::int32_t>({0})},
                           {"shape.npy", array<std::int32_t>({1, 1})},
                           {"format.npy", word("coo")}})),
              HasSubstr("format 'coo'"));
  EXPECT_THAT(refusal(zip(changed(compressed_rows(), "format.npy", array<double>({1})))), HasSubstr("format ''"));
}

TEST(Npz, RefusesPartsThatDoNotFitTogether) {
  const auto with = [](const char* name, const std::string& bytes) {
    return refusal(zip(changed(compressed_rows(), name, bytes)));
  };
  EXPECT_THAT(with("indptr.npy", array<std::int32_t>({0, 3})),
              HasSubstr("indptr has 2 numbers, expected 3 for 2 rows"));
  EXPECT_THAT(with("indptr.npy", array<std::int32_t>({1, 1, 3})), HasSubstr("indptr does not increase from 0 on"));
  EXPECT_THAT(with("indptr.npy", array<std::int32_t>({0, 2, 1})), HasSubstr("does not increase"));
  EXPECT_THAT(with("indptr.npy", array<std::int32_t>({0, 1, 9})),
              HasSubstr("indptr ends at 9, but there are 3 indices"));
  EXPECT_THAT(with("indptr.npy", array<double>({0, 1, 3})), HasSubstr("a list of whole numbers"));
  EXPECT_THAT(with("indices.npy", array<std::int32_t>({1, 0, 3})),
              HasSubstr("indices[2] is 3, but there are 3 columns"));
  EXPECT_THAT(with("indices.npy", array<std::int32_t>({-1, 0, 2})), HasSubstr("indices[0] is -1"));
  EXPECT_THAT(with("indices.npy", array<std::int32_t>({1, 0, 2}, {3, 1})), HasSubstr("a list of whole numbers"));
  EXPECT_THAT(with("data.npy", array<double>({5, 7})), HasSubstr("data has shape (2,), but indptr ends at 3"));
  EXPECT_THAT(with("data.npy", array<double>({5, 7, std::nan("")})),
              HasSubstr("row 2, column 3 (counted from 1): the value is nan"));
  EXPECT_THAT(with("shape.npy", array<std::int32_t>({2})), HasSubstr("its shape is (2)"));
  EXPECT_THAT(with("shape.npy", array<std::int32_t>({-2, 3})), HasSubstr("its shape is (-2, 3)"));
  EXPECT_THAT(with("shape.npy", array<std::int32_t>({2, 0})), HasSubstr("at least one of each"));
  ArchiveMembers without = compressed_rows();
  without.erase("indices.npy");
  EXPECT_THAT(refusal(zip(without)), HasSubstr("has no array 'indices'"));
}

TEST(Npz, RefusesShapesThatNoMemoryHolds) {
  EXPECT_THAT(refusal<LimitError>(zip(changed(compressed_rows(), "shape.npy", array<std::int32_t>({2, 5000000})))),
              HasSubstr("5000000 columns"));
  ArchiveMembers columns = compressed_rows();  // the number of rows stands in the shape alone
  columns["format.npy"] = word("csc");
  columns["indptr.npy"] = array<std::int32_t>({0, 1, 3, 3});
  std::string shape = array<double>({0, 0});
  const std::int64_t extents[2] = {std::int64_t{1} << 62, 3};
  shape.replace(shape.find("<f8"), 3, "<i8");
  shape.replace(shape.size() - sizeof(extents), sizeof(extents), reinterpret_cast<const char*>(extents),
                sizeof(extents));
  columns["shape.npy"] = shape;
  EXPECT_THAT(refusal<LimitError>(zip(columns)), HasSubstr("claims 4611686018427387904 rows, but has only 3 entries"));
  columns["shape.npy"] = array<std::int32_t>({1 << 30, 3});
  EXPECT_THAT(refusal<LimitError>(zip(columns)), HasSubstr("claims 1073741824 rows"));
  columns["shape.npy"] = array<std::int32_t>({1000, 3});
  EXPECT_EQ(read_bytes(zip(columns)).n_rows(), 1000U);
}

TEST(Npz, SaysWhatOtherArchivesAre) {
  EXPECT_THAT(refusal(zip({{"model.json", "{}"}, {"means.npy", array<double>({1})}})),
              HasSubstr("is a model that coppice wrote, expected a table"));
  EXPECT_THAT(refusal(zip({{"[Content_Types].xml", "<>"}, {"xl/workbook.xml", "<>"}})), HasSubstr("an Excel file"));
  EXPECT_THAT(refusal(zip({{"mimetype", "x"}, {"content.xml", "<>"}})), HasSubstr("an OpenDocument file"));
  EXPECT_THAT(refusal(zip({{"table.csv", "a,b\n1,2\n"}})), HasSubstr("a zip archive without an .npy array"));
  EXPECT_THAT(refusal("PK\x05\x06"s + std::string(18, '\0')), HasSubstr("without an .npy array"));
}

TEST(Npz, RefusesClaimsThatPackedBytesCannotKeep) {
  std::string bytes = deflated({{"a.npy", array<double>(std::vector<double>(1000, 0.0))}});
  // The unpacked size stands in the local and in the central header; both claim a gigabyte.
  const std::uint32_t size = 8000 + 128;
  const std::uint32_t claimed = 1U << 30U;
  const std::string old_size(reinterpret_cast<const char*>(&size), 4);
  std::size_t n_changed = 0;
  for (std::size_t at = bytes.find(old_size); at != std::string::npos; at = bytes.find(old_size, at + 4)) {
    bytes.replace(at, 4, reinterpret_cast<const char*>(&claimed), 4);
    ++n_changed;
  }
  ASSERT_GE(n_changed, 1U);
  EXPECT_THAT(refusal(bytes), HasSubstr("damaged"));
}

TEST(Npz, RefusesEveryTruncation) {
  const std::string bytes = deflated(compressed_rows());
  ASSERT_EQ(read_bytes(bytes).n_rows(), 2U);
  for (std::size_t length = 4; length < bytes.size(); length += 3) {
    EXPECT_THROW((void)read_bytes(bytes.substr(0, length)), DataError) << length;
  }
}

TEST(Npz, SurvivesDamagedBytes) {
  std::mt19937_64 random(4);
  for (const std::string& good : {zip(compressed_rows()), deflated(compressed_rows())}) {
    for (int round = 0; round < 2000; ++round) {
      std::string damaged = good;
      for (int change = 0; change < 1 + round % 3; ++change) {
        damaged[4 + random() % (damaged.size() - 4)] = static_cast<char>(random());
      }
      try {
        const Content content = content_of(damaged, "damaged");
        EXPECT_LE(npz::read({content, "", ""}, {}).data.n_rows(), 3U);
      } catch (const Error&) {
        continue;  // the other right answer
      }
    }
  }
}

}  // namespace
}  // namespace coppice::internal
