// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/zip_reader.hpp"

#include <fmt/format.h>
#include <zip.h>

#include <utility>

#include "coppice/runtime/error.hpp"

namespace coppice::internal {

namespace {

struct CloseMember {
  void operator()(zip_file_t* file) const noexcept { zip_fclose(file); }
};
using OpenMember = std::unique_ptr<zip_file_t, CloseMember>;

// A byte of deflated data stands for 1032 at most; whoever claims more has no such data.
constexpr std::size_t most_per_byte = 1032;

bool is_believable(const zip_stat_t& info) {
  if (info.comp_method == ZIP_CM_STORE) return info.size == info.comp_size;
  return info.size / most_per_byte <= info.comp_size;
}

}  // namespace

void ZipReader::Discard::operator()(struct ::zip* archive) const noexcept { zip_discard(archive); }

ZipReader::ZipReader(std::string_view bytes, std::string what) : what_(std::move(what)) {
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, nullptr);
  if (source != nullptr) archive_.reset(zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, nullptr));
  if (!archive_) {
    zip_source_free(source);
    throw DataError(fmt::format("{}: this is not a zip archive, or it is damaged", what_));
  }
  const zip_int64_t n_members = zip_get_num_entries(archive_.get(), 0);
  for (zip_uint64_t number = 0; number < static_cast<zip_uint64_t>(n_members); ++number) {
    zip_stat_t info;
    constexpr zip_uint64_t needed = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
    if (zip_stat_index(archive_.get(), number, 0, &info) != 0 || (info.valid & needed) != needed) {
      throw DataError(fmt::format("{}: its list of contents is damaged", what_));
    }
    if (!is_believable(info)) {
      throw DataError(fmt::format("{}: its part '{}' is damaged: {} bytes cannot unpack to {}", what_, info.name,
                                  info.comp_size, info.size));
    }
    members_.push_back({info.name, info.size, number});
  }
}

std::string ZipReader::unpack(const ZipMember& member) const {
  const OpenMember open(zip_fopen_index(archive_.get(), member.number, 0));
  std::string bytes(member.size, '\0');
  const bool is_whole =
      open && zip_fread(open.get(), bytes.data(), bytes.size()) == static_cast<zip_int64_t>(bytes.size());
  char beyond = 0;  // reading to the end makes libzip compare the checksum
  if (!is_whole || zip_fread(open.get(), &beyond, 1) != 0) {
    throw DataError(fmt::format("{}: its part '{}' is damaged, encrypted, or packed in a way that is unknown here",
                                what_, member.name));
  }
  return bytes;
}

}  // namespace coppice::internal
