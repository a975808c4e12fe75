// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coppice/data/read.hpp"
#include "coppice/runtime/error.hpp"
#include "data/idx/read_idx.hpp"
#include "unit/data/temporary_file.hpp"

namespace coppice::internal {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;
using testing::HasSubstr;

std::string big_endian(std::uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 255U);
  return bytes;
}

std::string idx(char type, std::initializer_list<std::uint32_t> shape, const std::string& data) {
  std::string bytes = "\0\0"s + type + static_cast<char>(shape.size());
  for (const std::uint32_t extent : shape) bytes += big_endian(extent);
  return bytes + data;
}

Dataset read_bytes(const std::string& bytes, const ReadOptions& options = {}) {
  return read(TemporaryFile(bytes, ".idx").path(), options);
}

std::string refusal(const std::string& bytes) {
  return message_of<DataError>([&] { (void)read_bytes(bytes); });
}

TEST(Idx, MakesColumnsOfAllAxesButTheFirst) {
  const Dataset images = read_bytes(idx(0x08, {2, 2, 3}, "\x00\x01\x02\x03\x04\x05\xFF\xFE\x80\x7F\x00\x01"s));
  EXPECT_EQ(images.n_rows(), 2U);
  EXPECT_EQ(images.n_columns(), 6U);
  EXPECT_EQ(images.storage(), Storage::float32);
  EXPECT_THAT(images.floats(), ElementsAre(0, 1, 2, 3, 4, 5, 255, 254, 128, 127, 0, 1));
  EXPECT_EQ(images.columns()[5].name, "x6");
  const Dataset cube = read_bytes(idx(0x08, {1, 1, 2, 1, 2}, "abcd"));
  EXPECT_EQ(cube.n_columns(), 4U);
}

TEST(Idx, ReadsEveryTypeBigEndian) {
  EXPECT_THAT(read_bytes(idx(0x09, {2}, "\x80\x7F"s)).floats(), ElementsAre(-128, 127));
  EXPECT_THAT(read_bytes(idx(0x0B, {2}, "\x80\x00\x01\x02"s)).floats(), ElementsAre(-32768, 258));
  EXPECT_THAT(read_bytes(idx(0x0C, {2}, "\x80\x00\x00\x00\x01\x02\x03\x04"s)).doubles(),
              ElementsAre(-2147483648.0, 16909060.0));
  EXPECT_THAT(read_bytes(idx(0x0D, {1}, "\xBF\xC0\x00\x00"s)).floats(), ElementsAre(-1.5F));
  EXPECT_THAT(read_bytes(idx(0x0E, {1}, "\x3F\xF8\x00\x00\x00\x00\x00\x01"s)).doubles(),
              ElementsAre(1.5000000000000002));
}

TEST(Idx, ReadsTheFirstRowsOnly) {
  const Dataset table = read_bytes(idx(0x08, {3, 2}, "abcdef"), {.max_rows = 2});
  EXPECT_THAT(table.floats(), ElementsAre('a', 'b', 'c', 'd'));
  EXPECT_EQ(read_bytes(idx(0x08, {3, 2}, "abcdef"), {.max_rows = 9}).n_rows(), 3U);
}

TEST(Idx, ReadsLabels) {
  const TemporaryFile file(idx(0x08, {4}, "\x05\x00\x04\x01"s), ".idx");
  EXPECT_THAT(read_labels(file.path()), ElementsAre(5, 0, 4, 1));
  const TemporaryFile wide(idx(0x08, {2, 2}, "abcd"), ".idx");
  EXPECT_THAT(message_of<DataError>([&] { (void)read_labels(wide.path()); }), HasSubstr("2 columns"));
}

TEST(Idx, RefusesEveryTruncationAndWhatFollows) {
  const std::string bytes = idx(0x0B, {2, 2}, "abcdefgh");
  ASSERT_EQ(read_bytes(bytes).n_rows(), 2U);
  for (std::size_t length = 4; length < bytes.size(); ++length) {
    EXPECT_THAT(refusal(bytes.substr(0, length)), HasSubstr("damaged IDX file")) << length;
  }
  EXPECT_THAT(refusal(bytes + "x"), HasSubstr("shape (2, 2) needs 8 bytes of data, but 9 follow"));
}

TEST(Idx, RefusesAbsurdShapes) {
  EXPECT_THAT(refusal(idx(0x08, {0xFFFFFFFFU, 0xFFFFFFFFU, 0xFFFFFFFFU}, "a")), HasSubstr("far more bytes of data"));
  EXPECT_THAT(refusal(idx(0x0E, {0xFFFFFFFFU, 0x20000000U}, "a")), HasSubstr("bytes of data, but 1 follow"));
  EXPECT_THAT(refusal(idx(0x08, {0, 5}, "")), HasSubstr("(0, 5) is empty"));
  EXPECT_THAT(refusal("\0\0\x08\xFF"s), HasSubstr("255 extents take 1020 bytes, but only 0 follow"));
}

TEST(Idx, RefusesNumbersThatAreNotFinite) {
  EXPECT_THAT(refusal(idx(0x0D, {1, 2}, "\x00\x00\x00\x00\x7F\x80\x00\x00"s)),
              HasSubstr(".idx: row 1, column 2 (counted from 1): the value is inf"));
}

TEST(Idx, RefusesOtherBytes) {
  for (const std::string& bytes : {""s, "\0\0\x08"s, "\0\0\x01\0\0\0\0\0"s}) {
    EXPECT_THROW((void)idx::read(content_of(bytes, "other"), {}), DataError);
  }
}

TEST(Idx, IsToldByItsFirstBytes) {
  EXPECT_TRUE(idx::looks_like_idx("\0\0\x08\x01"s));
  EXPECT_FALSE(idx::looks_like_idx("\0\0\x08"s));
  EXPECT_FALSE(idx::looks_like_idx("\0\0\x0A\x01"s));
  EXPECT_FALSE(idx::looks_like_idx("\0\0\x08\0"s));
  EXPECT_FALSE(idx::looks_like_idx("\0\1\x08\x01"s));
}

}  // namespace
}  // namespace coppice::internal
