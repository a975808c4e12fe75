// SPDX-License-Identifier: BSD-3-Clause
#include "data/foreign_format.hpp"

#include <fmt/format.h>

#include <array>

#include "coppice/runtime/error.hpp"

namespace coppice {

namespace {

struct Format {
  std::string_view first_bytes;
  std::string_view name;
  std::string_view advice;
};

using namespace std::string_view_literals;

constexpr std::string_view unpack = "decompress it first";
constexpr std::string_view save_as = "save the table as CSV or NPY";

constexpr std::array formats{
    Format{"\x1F\x8B"sv, "a gzip file", unpack},
    Format{"\xFD"
           "7zXZ\0"sv,
           "an xz file", unpack},
    Format{"\x28\xB5\x2F\xFD"sv, "a zstd file", unpack},
    Format{"BZh91AY&SY"sv, "a bzip2 file", unpack},
    Format{"PK\x03\x04"sv, "a zip archive (NPZ and Excel files are such)",
           "unpack it, or save the table as CSV or NPY"},
    Format{"\x89HDF\r\n\x1A\n"sv, "an HDF5 file", save_as},
    Format{"SQLite format 3\0"sv, "an SQLite database", save_as},
    Format{"PAR1\x15"sv, "a Parquet file", save_as},
    Format{"\xD0\xCF\x11\xE0"sv, "an old Excel file", save_as},
};

}  // namespace

void refuse_foreign_format(const Content& content) {
  for (const Format& format : formats) {
    if (content.bytes.substr(0, format.first_bytes.size()) != format.first_bytes) continue;
    throw DataError(fmt::format("{}: looks like {}, which cannot be read yet; expected CSV, TSV or NPY: {}",
                                content.name, format.name, format.advice));
  }
}

}  // namespace coppice
