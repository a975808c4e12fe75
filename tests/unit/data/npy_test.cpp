// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/npy.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "coppice/data/read.hpp"
#include "coppice/runtime/error.hpp"
#include "data/npy/read_npy.hpp"
#include "unit/data/temporary_file.hpp"

namespace coppice::internal {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using Shape = std::vector<std::size_t>;

std::string with_header(std::string dictionary, const std::string& data, char version = 1) {
  const std::size_t prefix = version == 1 ? 10 : 12;
  dictionary.append(63 - (prefix + dictionary.size()) % 64, ' ');
  dictionary += '\n';
  std::string bytes = "\x93NUMPY"s + version + '\0';
  for (std::size_t byte = 0; byte < prefix - 8; ++byte)
    bytes += static_cast<char>(dictionary.size() >> (8 * byte) & 255U);
  return bytes + dictionary + data;
}

std::string described(std::string_view descr, std::string_view shape, const std::string& data, bool fortran = false) {
  return with_header(
      fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}", descr, fortran ? "True" : "False", shape),
      data);
}

template <class Value>
std::string raw(std::initializer_list<Value> values, bool big_endian = false) {
  std::string bytes;
  for (const Value value : values) {
    std::string one(sizeof(Value), '\0');
    std::memcpy(one.data(), &value, sizeof(Value));
    if (big_endian) std::ranges::reverse(one);
    bytes += one;
  }
  return bytes;
}

Dataset read_bytes(const std::string& bytes) { return npy::read(TemporaryFile(bytes, ".npy").path()); }

std::string refusal(const std::string& bytes) {
  return message_of<DataError>([&] { (void)read_bytes(bytes); });
}

TEST(Npy, ReadsDoublesAndFloatsAsStored) {
  const std::vector<double> doubles{1.5, -0.0, 5e-324, 1.7976931348623157e308, 3, 4};
  const Dataset table = read_bytes(npy::to_bytes(doubles, {3, 2}));
  EXPECT_EQ(table.storage(), Storage::float64);
  EXPECT_EQ(table.n_rows(), 3U);
  EXPECT_EQ(std::memcmp(table.doubles().data(), doubles.data(), 6 * sizeof(double)), 0);
  const Dataset floats = read_bytes(npy::to_bytes(std::vector<float>{1, 2, 3}, {3}));
  EXPECT_EQ(floats.storage(), Storage::float32);
  EXPECT_EQ(floats.n_columns(), 1U);
  EXPECT_EQ(floats.columns()[0].name, "x1");
  EXPECT_THAT(floats.floats(), ElementsAre(1.0F, 2.0F, 3.0F));
}

TEST(Npy, MapOutlivesTheFilesName) {
  Dataset table;
  {
    const TemporaryFile file(npy::to_bytes(std::vector<double>{1, 2, 3, 4}, {2, 2}), ".npy");
    table = npy::read(file.path());
  }
  const Dataset copy = table;
  EXPECT_THAT(copy.doubles(), ElementsAre(1, 2, 3, 4));
}

TEST(Npy, ReadsVersionsTwoAndThree) {
  const std::string dictionary = "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }";
  for (const char version : {'\1', '\2', '\3'}) {
    EXPECT_THAT(read_bytes(with_header(dictionary, raw({1.0, 2.0}), version)).doubles(), ElementsAre(1, 2));
  }
}

TEST(Npy, TakesKeysInAnyOrderAndLongNumbersOfOldPythons) {
  const std::string dictionary = "{\"shape\":(1L,2L),\"fortran_order\":False,\"descr\":\"<f8\"}";
  EXPECT_THAT(read_bytes(with_header(dictionary, raw({1.0, 2.0}))).doubles(), ElementsAre(1, 2));
}

TEST(Npy, CopiesDataThatAreNotAligned) {
  std::string bytes = "\x93NUMPY\1\0\x39\0{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }"s + raw({1.0, 2.0});
  ASSERT_NE((bytes.size() - 16) % 8, 0U);
  EXPECT_THAT(read_bytes(bytes).doubles(), ElementsAre(1, 2));
}

TEST(Npy, WidensSmallTypesToFloat) {
  const auto floats = [](const std::string& bytes) {
    const Dataset table = read_bytes(bytes);
    EXPECT_EQ(table.storage(), Storage::float32);
    return std::vector<float>(table.floats().begin(), table.floats().end());
  };
  EXPECT_THAT(floats(described("|i1", "(2,)", raw<std::int8_t>({-128, 127}))), ElementsAre(-128, 127));
  EXPECT_THAT(floats(described("|u1", "(2,)", raw<std::uint8_t>({0, 255}))), ElementsAre(0, 255));
  EXPECT_THAT(floats(described("|b1", "(2,)", raw<std::uint8_t>({0, 1}))), ElementsAre(0, 1));
  EXPECT_THAT(floats(described("<i2", "(2,)", raw<std::int16_t>({-32768, 7}))), ElementsAre(-32768, 7));
  EXPECT_THAT(floats(described(">u2", "(2,)", raw<std::uint16_t>({65535, 1}, true))), ElementsAre(65535, 1));
  EXPECT_THAT(floats(described(">f4", "(1,)", raw<float>({1.5F}, true))), ElementsAre(1.5F));
}

TEST(Npy, ReadsHalfPrecision) {
  // 1, -2, the largest (65504), the smallest (2^-24), the smallest normal (2^-14), -0
  const auto bytes = raw<std::uint16_t>({0x3C00, 0xC000, 0x7BFF, 0x0001, 0x0400, 0x8000});
  const Dataset table = read_bytes(described("<f2", "(6,)", bytes));
  EXPECT_THAT(table.floats(), ElementsAre(1.0F, -2.0F, 65504.0F, std::ldexp(1.0F, -24), std::ldexp(1.0F, -14), 0.0F));
  EXPECT_TRUE(std::signbit(table.floats()[5]));
  EXPECT_THAT(refusal(described("<f2", "(1,)", raw<std::uint16_t>({0x7C00}))), HasSubstr("inf"));
  EXPECT_THAT(refusal(described("<f2", "(1,)", raw<std::uint16_t>({0x7E00}))), HasSubstr("nan"));
}

TEST(Npy, WidensLargeTypesToDouble) {
  const auto doubles = [](const std::string& bytes) {
    const Dataset table = read_bytes(bytes);
    EXPECT_EQ(table.storage(), Storage::float64);
    return std::vector<double>(table.doubles().begin(), table.doubles().end());
  };
  EXPECT_THAT(doubles(described("<i4", "(2,)", raw<std::int32_t>({-2147483647 - 1, 16777217}))),
              ElementsAre(-2147483648.0, 16777217.0));
  EXPECT_THAT(doubles(described("<u4", "(1,)", raw<std::uint32_t>({4294967295U}))), ElementsAre(4294967295.0));
  EXPECT_THAT(doubles(described(">i8", "(1,)", raw<std::int64_t>({-5}, true))), ElementsAre(-5.0));
  EXPECT_THAT(doubles(described("<u8", "(1,)", raw<std::uint64_t>({~0ULL}))), ElementsAre(18446744073709551616.0));
  EXPECT_THAT(doubles(described(">f8", "(1,)", raw<double>({0.1}, true))), ElementsAre(0.1));
}

TEST(Npy, TurnsFortranOrderRoundToRows) {
  const Dataset table = read_bytes(described("<f8", "(2, 3)", raw<double>({1, 4, 2, 5, 3, 6}), true));
  EXPECT_THAT(table.doubles(), ElementsAre(1, 2, 3, 4, 5, 6));
  const npy::Array cube =
      npy::parse_array(described("|u1", "(2, 2, 2)", raw<std::uint8_t>({0, 4, 2, 6, 1, 5, 3, 7}), true), "cube");
  EXPECT_THAT(cube.values, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

// The six numbers of a table of 2 x 3 in every type, order and endianness.
template <class Value>
void expect_six_numbers(char kind) {
  for (const bool fortran : {false, true}) {
    for (const bool big_endian : {false, true}) {
      const std::string descr = fmt::format("{}{}{}", big_endian ? '>' : '<', kind, sizeof(Value));
      const std::string data =
          fortran ? raw<Value>({Value{1}, Value{4}, Value{2}, Value{5}, Value{3}, Value{6}}, big_endian)
                  : raw<Value>({Value{1}, Value{2}, Value{3}, Value{4}, Value{5}, Value{6}}, big_endian);
      const Dataset table = read_bytes(described(descr, "(2, 3)", data, fortran));
      for (std::size_t place = 0; place < 6; ++place) {
        EXPECT_EQ(table.value(place / 3, place % 3), static_cast<double>(place + 1)) << descr << fortran;
      }
    }
  }
}

TEST(Npy, ReadsEveryTypeOrderAndEndianness) {
  expect_six_numbers<float>('f');
  expect_six_numbers<double>('f');
  expect_six_numbers<std::int8_t>('i');
  expect_six_numbers<std::int16_t>('i');
  expect_six_numbers<std::int32_t>('i');
  expect_six_numbers<std::int64_t>('i');
  expect_six_numbers<std::uint8_t>('u');
  expect_six_numbers<std::uint16_t>('u');
  expect_six_numbers<std::uint32_t>('u');
  expect_six_numbers<std::uint64_t>('u');
}

TEST(Npy, ReadsHalvesAndTruthValuesInEveryOrder) {
  for (const bool big_endian : {false, true}) {
    const auto halves = raw<std::uint16_t>({0x3C00, 0x4200, 0x4000, 0x4400}, big_endian);  // 1, 3, 2, 4
    const std::string descr = big_endian ? ">f2" : "<f2";
    EXPECT_THAT(read_bytes(described(descr, "(2, 2)", halves, true)).floats(), ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(read_bytes(described(descr, "(2, 2)", halves, false)).floats(), ElementsAre(1, 3, 2, 4));
  }
  const auto truths = raw<std::uint8_t>({1, 0, 1, 1});
  EXPECT_THAT(read_bytes(described("|b1", "(2, 2)", truths, true)).floats(), ElementsAre(1, 1, 0, 1));
  EXPECT_THAT(read_bytes(described("?", "(2, 2)", truths, false)).floats(), ElementsAre(1, 0, 1, 1));
}

TEST(Npy, ViewsOnlyWhatIsStoredAsItIsUsed) {
  const auto is_viewed = [](const std::string& bytes) {
    const Content content = content_of(bytes, "array");
    const Dataset table = npy::read(content, {});
    const void* values = table.storage() == Storage::float32 ? static_cast<const void*>(table.floats().data())
                                                             : static_cast<const void*>(table.doubles().data());
    const auto* first = static_cast<const char*>(values);
    return first >= content.bytes.data() && first < content.bytes.data() + content.bytes.size();
  };
  const std::string doubles = raw<double>({1, 2, 3, 4});
  EXPECT_TRUE(is_viewed(described("<f8", "(2, 2)", doubles)));
  EXPECT_TRUE(is_viewed(described("<f8", "(4, 1)", doubles, true)));  // one column has one order
  EXPECT_TRUE(is_viewed(described("<f4", "(8,)", doubles)));
  EXPECT_FALSE(is_viewed(described("<f8", "(2, 2)", doubles, true)));
  EXPECT_FALSE(is_viewed(described("<i8", "(2, 2)", doubles)));
  EXPECT_FALSE(is_viewed(described(">f8", "(2, 2)", raw<double>({1, 2, 3, 4}, true))));
}

TEST(Npy, ReadsTheFirstRowsOnly) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const TemporaryFile rows(npy::to_bytes(std::vector<double>{1, 2, 3, 4, nan, 6}, {3, 2}), ".npy");
  EXPECT_THAT(read(rows.path(), {.max_rows = 2}).doubles(), ElementsAre(1, 2, 3, 4));
  const TemporaryFile columns(described("<i4", "(3, 2)", raw<std::int32_t>({1, 3, 5, 2, 4, 6}), true), ".npy");
  EXPECT_THAT(read(columns.path(), {.max_rows = 2}).doubles(), ElementsAre(1, 2, 3, 4));
}

TEST(Npy, RefusesWhatIsNoTable) {
  EXPECT_THAT(refusal(described("<f8", "()", raw({1.0}))), HasSubstr("shape ()"));
  EXPECT_THAT(refusal(described("<f8", "(1, 2, 1)", raw({1.0, 2.0}))), HasSubstr("shape (1, 2, 1)"));
  EXPECT_THAT(refusal(described("<f8", "(0, 3)", "")), HasSubstr("(0, 3) is empty"));
  EXPECT_THAT(refusal(described("<f8", "(3, 0)", "")), HasSubstr("empty"));
}

TEST(Npy, RefusesTypesThatAreNoNumbers) {
  EXPECT_THAT(refusal(described("|O", "(1,)", "x")), HasSubstr("Python objects"));
  EXPECT_THAT(refusal(described("<U3", "(1,)", "123456789012")), HasSubstr("strings"));
  EXPECT_THAT(refusal(described("<c16", "(1,)", raw({1.0, 2.0}))), HasSubstr("complex"));
  EXPECT_THAT(refusal(described("<f16", "(1,)", raw({1.0, 2.0}))), HasSubstr("long doubles"));
  EXPECT_THAT(refusal(described("<M8[ns]", "(1,)", raw({1.0}))), HasSubstr("dates"));
  const std::string records = "{'descr': [('a', '<f8'), ('b]', '<i4')], 'fortran_order': False, 'shape': (1,), }";
  EXPECT_THAT(refusal(with_header(records, "123456789012")), HasSubstr("records"));
}

TEST(Npy, NamesTheFileAndTheValueThatIsNotFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const TemporaryFile file(npy::to_bytes(std::vector<double>{1, 2, 3, nan}, {2, 2}), ".npy");
  const auto message = message_of<DataError>([&] { (void)npy::read(file.path()); });
  EXPECT_THAT(message, HasSubstr(file.path() + ": row 2, column 2 (counted from 1): the value is nan"));
}

TEST(Npy, RefusesShapesThatDoNotFitTheData) {
  EXPECT_THAT(refusal(described("<f8", "(3,)", raw({1.0, 2.0}))), HasSubstr("needs 24 bytes of data, but 16 follow"));
  EXPECT_THAT(refusal(described("<f8", "(1,)", raw({1.0, 2.0}))), HasSubstr("needs 8 bytes of data, but 16 follow"));
  EXPECT_THAT(refusal(described("<f8", "(4294967296, 4294967296)", "")), HasSubstr("too large"));
  EXPECT_THAT(refusal(described("<f8", "(2305843009213693952,)", "")), HasSubstr("too large"));
  EXPECT_THAT(refusal(described("<f8", "(99999999999999999999,)", "")), HasSubstr("number of rows"));
  EXPECT_THAT(refusal(described("<f8", "(-1,)", "")), HasSubstr("number of rows"));
}

TEST(Npy, RefusesDamagedHeaders) {
  const std::string data = raw({1.0});
  for (const char* dictionary :
       {"", "{", "{}", "}", "[]", "{'descr'}", "{'descr': }", "{'descr': '<f8'", "{'descr': '<f8}", "{'descr': [",
        "{'descr': '<f8', 'fortran_order': False}", "{'descr': '<f8', 'fortran_order': Maybe, 'shape': (1,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1}", "{'descr': '<f8', 'fortran_order': False, 'shape': 1}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)} x", "{'descr': '<f8', 'descr': '<f8'}",
        "{'descr': '<f8' 'fortran_order': False, 'shape': (1,)}", "{'colour': 'red'}"}) {
    EXPECT_THAT(refusal(with_header(dictionary, data)), HasSubstr("damaged NPY file")) << dictionary;
  }
  for (const char* descr : {"", "<", "f", "<f", "<f8x", "<f-8", "<f3", "<i16", "<q8", "b2"}) {
    EXPECT_THAT(refusal(described(descr, "(1,)", data)), HasSubstr("expected numbers of type")) << descr;
  }
  std::string dimensions = "(";
  for (int dimension = 0; dimension < 65; ++dimension) dimensions += "1, ";
  EXPECT_THAT(refusal(described("<f8", dimensions + ")", data)), HasSubstr("64 dimensions"));
}

TEST(Npy, RefusesOtherMagicAndVersions) {
  EXPECT_THAT(refusal("hello"), HasSubstr("not an NPY file"));
  EXPECT_THAT(refusal("\x93NUMPY\x04\0\0\0"s), HasSubstr("version 4"));
  EXPECT_THAT(refusal("\x93NUMPY\x02\0\xFF\xFF\xFF\xFF"s), HasSubstr("4294967295 bytes"));
  EXPECT_TRUE(npy::looks_like_npy("\x93NUMPY\x01"));
  EXPECT_FALSE(npy::looks_like_npy("\x93NUMP"));
}

TEST(Npy, RefusesEveryTruncation) {
  const std::string bytes = npy::to_bytes(std::vector<double>{1, 2, 3, 4}, {2, 2});
  ASSERT_EQ(npy::parse_array(bytes, "whole").values.size(), 4U);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    // In a vector, so that a sanitizer sees one byte read too many (a string has a zero after its end).
    const std::vector<char> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
    EXPECT_THROW((void)npy::parse_array({cut.data(), cut.size()}, "cut"), DataError) << length;
  }
  EXPECT_THROW((void)npy::parse_array(bytes + '\0', "longer"), DataError);
}

TEST(Npy, SurvivesDamagedBytes) {
  const std::string bytes = npy::to_bytes(std::vector<float>{1, 2, 3, 4}, {2, 2});
  std::mt19937_64 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::string damaged = bytes;
    for (int change = 0; change < 1 + round % 3; ++change) damaged[random() % 128] = static_cast<char>(random());
    try {
      const npy::Array array = npy::parse_array(damaged, "damaged");
      EXPECT_LE(array.values.size(), 16U);
    } catch (const DataError&) {
      continue;  // the other right answer
    }
  }
}

TEST(Npy, ArraysOfAnyShapeComeBack) {
  for (const Shape& shape : {Shape{}, Shape{4}, Shape{0}, Shape{2, 0, 3}, Shape{2, 3, 4}, Shape{1, 1, 1, 1}}) {
    std::size_t count = 1;
    for (const std::size_t extent : shape) count *= extent;
    std::vector<double> values(count);
    for (std::size_t place = 0; place < count; ++place) values[place] = 0.1 * static_cast<double>(place) - 1.0;
    const std::string bytes = npy::to_bytes(values, shape);
    EXPECT_EQ((bytes.size() - count * sizeof(double)) % 64, 0U);
    EXPECT_EQ(npy::parse_array(bytes, "array"), (npy::Array{shape, values}));
  }
}

TEST(Npy, IntegersAndFloatsComeBackAsDoubles) {
  EXPECT_THAT(npy::parse_array(npy::to_bytes(std::vector<std::int32_t>{-1, 2147483647}, {2}), "i").values,
              ElementsAre(-1, 2147483647));
  EXPECT_THAT(npy::parse_array(npy::to_bytes(std::vector<float>{0.1F}, {1}), "f").values, ElementsAre(double{0.1F}));
}

TEST(Npy, RandomTablesComeBackBitForBit) {
  std::mt19937_64 random(2);
  std::vector<double> values;
  while (values.size() < 3000) {
    const auto value = std::bit_cast<double>(random());
    if (std::isfinite(value)) values.push_back(value);
  }
  const Dataset table = read_bytes(npy::to_bytes(values, {1000, 3}));
  EXPECT_EQ(std::memcmp(table.doubles().data(), values.data(), values.size() * sizeof(double)), 0);
}

}  // namespace
}  // namespace coppice::internal
