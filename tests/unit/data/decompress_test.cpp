// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/decompress.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <charconv>
#include <random>

#include "coppice/runtime/error.hpp"
#include "unit/data/memory_limit.hpp"
#include "unit/data/temporary_file.hpp"

namespace coppice::internal {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t at = 0; at + 1 < hex.size(); at += 2) {
    unsigned byte = 0;
    std::from_chars(hex.data() + at, hex.data() + at + 2, byte, 16);
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

struct Packed {
  std::string format;
  std::string bytes;
};

// The same text, as gzip, xz, zstd and bzip2 write it.
const std::string text = "a,b\n1,2\n3,4.5\n";
const std::vector<Packed> packed{
    {"gzip", from_hex("1f8b08000000000002034bd449e232d431e232d631d133e50200c844a6c60e000000")},
    {"xz",
     from_hex("fd377a585a000004e6d6b4460200210116000000742fe5a301000d612c620a312c320a332c342e350a00000010dee7ca25df1381"
              "0001260e081be0041fb6f37d010000000004595a")},
    {"zstd", from_hex("28b52ffd0458710000612c620a312c320a332c342e350ade5b3944")},
    {"bzip2",
     from_hex("425a68393141592653591386e65f0000065900001000053e003000200031003021a0623d5c5b280755e2ee48a70a120270dc"
              "cbe0")},
};
// 45 million zeros in 50 bytes.
const std::string bomb =
    from_hex("425a6839314159265359c901b6c80158ab4020c00010000008200030cc0529a65248526c5492149e2ee48a70a12192036d90");

std::string unpacked(const std::string& bytes) {
  return std::string(decompressed(content_of(bytes, "t.csv.z"), ReadOptions{}).bytes);
}

TEST(Decompress, UnpacksByContent) {
  for (const Packed& file : packed) {
    EXPECT_EQ(unpacked(file.bytes), text) << file.format;
    EXPECT_EQ(decompressed(content_of(file.bytes, "t.csv.z"), ReadOptions{}).name, "t.csv.z");
    EXPECT_THAT(read(TemporaryFile(file.bytes, ".dat").path()).doubles(), ElementsAre(1, 2, 3, 4.5)) << file.format;
  }
}

TEST(Decompress, LeavesOtherContentWhereItIs) {
  for (const std::string& bytes : {""s, "a,b\n1,2\n"s, "BZh,b\n1,2\n"s, "BZh9"s, "\x1F"s, "PK\x03\x04"s}) {
    const Content content = content_of(bytes, "t");
    EXPECT_EQ(decompressed(content, ReadOptions{}).bytes.data(), content.bytes.data());
  }
}

TEST(Decompress, ForgetsThePathOfWhatItUnpacks) {
  const TemporaryFile file(packed[0].bytes);
  EXPECT_EQ(decompressed(open_input(file.path()), {}).path, "");
  file.write(text);
  EXPECT_EQ(decompressed(open_input(file.path()), {}).path, file.path());
}

TEST(Decompress, UnpacksFilesStrungTogether) {
  for (const Packed& file : packed) EXPECT_EQ(unpacked(file.bytes + file.bytes), text + text) << file.format;
  EXPECT_EQ(unpacked(packed[0].bytes + std::string(100, '\0')), text);  // gzip on tape pads with zeros
}

TEST(Decompress, UnpacksOnlyOnce) {
  // A gzip file of one stored block that holds a gzip file.
  const std::string stored = from_hex("1f8b0800000000000003010500faff1f8b080000cc97d91005000000");
  EXPECT_EQ(unpacked(stored), "\x1F\x8B\x08\0\0"s);
}

TEST(Decompress, UnpacksNothing) {
  for (const char* empty : {"1f8b080000000000020303000000000000000000", "425a683917724538509000000000",
                            "fd377a585a000004e6d6b446000000001cdf44211fb6f37d010000000004595a"}) {
    EXPECT_EQ(unpacked(from_hex(empty)), "");
  }
}

TEST(Decompress, RefusesFilesThatAreCutShort) {
  for (const Packed& file : packed) {
    for (std::size_t length = 10; length < file.bytes.size(); ++length) {
      const std::string message = message_of<DataError>([&] { (void)unpacked(file.bytes.substr(0, length)); });
      EXPECT_THAT(message, StartsWith("t.csv.z: the " + file.format + " data cannot be unpacked (")) << length;
    }
  }
}

// A changed byte is noticed or without meaning: it never changes what comes out.
TEST(Decompress, NoticesDamage) {
  for (const Packed& file : packed) {
    std::size_t n_noticed = 0;
    for (std::size_t at = 10; at < file.bytes.size(); ++at) {
      for (const int flip : {1, 16, 128}) {
        std::string damaged = file.bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ flip);
        try {
          EXPECT_EQ(unpacked(damaged), text) << file.format << " byte " << at;
        } catch (const DataError& error) {
          EXPECT_THAT(error.what(), HasSubstr("t.csv.z: the " + file.format));
          ++n_noticed;
        }
      }
    }
    EXPECT_GT(n_noticed, file.bytes.size()) << file.format;
  }
}

TEST(Decompress, StopsBeforeTheMemoryDoes) {
  if (!can_limit_memory) GTEST_SKIP() << "a sanitizer is at work";
  std::string bombs;
  for (int copy = 0; copy < 40; ++copy) bombs += bomb;  // 1.8 GB
  const MemoryLimit limit(std::size_t{300} << 20U);
  const std::string message = message_of<LimitError>([&] { (void)unpacked(bombs); });
  EXPECT_THAT(message, StartsWith("t.csv.z: "));
}

TEST(Decompress, ReadsPackedLabels) {
  const std::string stored = from_hex("1f8b0800000000000003010600f9ff310a320a310a5a36694506000000");
  EXPECT_THAT(read_labels(TemporaryFile(stored).path()), ElementsAre(1, 2, 1));
}

}  // namespace
}  // namespace coppice::internal
