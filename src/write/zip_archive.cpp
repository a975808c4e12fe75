// SPDX-License-Identifier: BSD-3-Clause
#include "write/zip_archive.hpp"

#include <fmt/format.h>
#include <zip.h>

#include <memory>

#include "coppice/data/zip_reader.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/format_text.hpp"

namespace coppice::internal {

namespace {

struct DiscardArchive {
  void operator()(zip_t* archive) const noexcept { zip_discard(archive); }
};
struct FreeSource {
  void operator()(zip_source_t* source) const noexcept { zip_source_free(source); }
};
using Archive = std::unique_ptr<zip_t, DiscardArchive>;
using Source = std::unique_ptr<zip_source_t, FreeSource>;

constexpr zip_uint16_t dos_date_1980 = (0U << 9U) | (1U << 5U) | 1U;  // the earliest date that zip knows

[[noreturn]] void fail_writing() { throw IoError("the model archive could not be put together"); }

void add_member(zip_t* archive, const std::string& name, const std::string& content) {
  zip_source_t* source = zip_source_buffer(archive, content.data(), content.size(), 0);
  if (source == nullptr) fail_writing();
  const zip_int64_t index = zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    fail_writing();
  }
  const auto member = static_cast<zip_uint64_t>(index);
  if (zip_set_file_compression(archive, member, ZIP_CM_STORE, 0) != 0 ||
      zip_file_set_dostime(archive, member, 0, dos_date_1980, 0) != 0) {
    fail_writing();
  }
}

std::string contents(zip_source_t* source) {
  zip_stat_t info;
  zip_stat_init(&info);
  if (zip_source_stat(source, &info) != 0 || zip_source_open(source) != 0) fail_writing();
  std::string bytes(info.size, '\0');
  const zip_int64_t n_read = zip_source_read(source, bytes.data(), bytes.size());
  zip_source_close(source);
  if (n_read != static_cast<zip_int64_t>(bytes.size())) fail_writing();
  return bytes;
}

}  // namespace

std::string zip(const ArchiveMembers& members) {
  const Source source(zip_source_buffer_create(nullptr, 0, 0, nullptr));
  if (!source) fail_writing();
  zip_source_keep(source.get());  // the archive takes one reference, reading the bytes afterwards needs another
  Archive archive(zip_open_from_source(source.get(), ZIP_TRUNCATE, nullptr));
  if (!archive) fail_writing();
  for (const auto& [name, content] : members) add_member(archive.get(), name, content);
  if (zip_close(archive.get()) != 0) fail_writing();
  (void)archive.release();
  return contents(source.get());
}

ArchiveMembers unzip(const std::string& bytes, const std::string& name, std::size_t most_bytes) {
  try {
    const ZipReader archive(bytes, name);
    ArchiveMembers members;
    std::size_t total = 0;
    for (const ZipMember& member : archive.members()) {
      if (member.size > most_bytes - total) {
        throw DataError(fmt::format("{}: it unpacks to more than a model can hold", name));
      }
      total += member.size;
      members[member.name] = archive.unpack(member);
    }
    return members;
  } catch (const DataError& error) {
    throw DataError(format_text("{}; expected a model that coppice wrote", error.text()));
  }
}

}  // namespace coppice::internal
