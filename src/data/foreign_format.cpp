// SPDX-License-Identifier: BSD-3-Clause
#include "data/foreign_format.hpp"

#include <fmt/format.h>

#include <array>

#include "coppice/runtime/error.hpp"

namespace coppice::internal {

namespace {

struct ForeignFormat {
  std::string_view name;
  std::string_view mark;
  std::size_t place = 0;  // of the mark in the file
  std::string_view advice = "save the table as CSV or NPY";
};

using namespace std::string_view_literals;

constexpr std::string_view unpack = "unpack it first (gz, xz, zst and bz2 are unpacked while reading)";
constexpr std::size_t place_in_tar = 257;

constexpr std::array foreign_formats{
    ForeignFormat{"a Parquet file", "PAR1\x15"sv},
    ForeignFormat{"an Arrow file", "ARROW1\0"sv},
    ForeignFormat{"a Feather file", "FEA1\0"sv},
    ForeignFormat{"an Avro file", "Obj\x01"sv},
    ForeignFormat{"an old Excel file", "\xD0\xCF\x11\xE0"sv},
    ForeignFormat{"a MATLAB file", "MATLAB 5.0 MAT-file"sv},
    ForeignFormat{"an R data file", "RDX2\n"sv},
    ForeignFormat{"an R data file", "RDX3\n"sv},
    ForeignFormat{"an R object", "X\n\0\0\0"sv},
    ForeignFormat{"a PDF document", "%PDF-"sv},
    ForeignFormat{"an HTML page", "<!DOCTYPE"sv},
    ForeignFormat{"an HTML page", "<!doctype"sv},
    ForeignFormat{"an HTML page", "<html"sv},
    ForeignFormat{"an XML document", "<?xml"sv},
    ForeignFormat{"a tar archive", "ustar"sv, place_in_tar, unpack},
    ForeignFormat{"a 7z archive", "7z\xBC\xAF\x27\x1C"sv, 0, unpack},
    ForeignFormat{"an lz4 file", "\x04\x22\x4D\x18"sv, 0, unpack},
};

// A list of values or of objects, an object, or an object per line. A bracket before a word may be a column's name.
bool looks_like_json(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || (bytes[first] != '{' && bytes[first] != '[')) return false;
  const std::size_t next = bytes.find_first_not_of(" \t\r\n", first + 1);
  if (next == std::string_view::npos) return true;
  constexpr std::string_view of_object = "\"}";
  constexpr std::string_view of_list = "{[]\"-0123456789";
  return (bytes[first] == '{' ? of_object : of_list).find(bytes[next]) != std::string_view::npos;
}

}  // namespace

void refuse_foreign_format(const Content& content) {
  if (looks_like_json(content.bytes)) {
    throw DataError(fmt::format(
        "{}: looks like JSON, which coppice does not read; save the table as CSV, with a line for every row "
        "and a column for every value",
        content.name));
  }
  for (const ForeignFormat& format : foreign_formats) {
    if (content.bytes.size() < format.place) continue;
    if (!content.bytes.substr(format.place).starts_with(format.mark)) continue;
    throw DataError(
        fmt::format("{}: looks like {}, which coppice does not read; {}", content.name, format.name, format.advice));
  }
}

}  // namespace coppice::internal
