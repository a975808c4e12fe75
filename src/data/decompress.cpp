// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/decompress.hpp"

#include <archive.h>
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "coppice/runtime/error.hpp"

namespace coppice::internal {

namespace {

using namespace std::string_view_literals;

[[noreturn]] void throw_damaged(const std::string& name, std::string_view format, std::string_view why) {
  throw DataError(
      fmt::format("{}: the {} data cannot be unpacked ({}): the file is damaged or was cut short; fetch or "
                  "write it again",
                  name, format, why));
}

// Gzip goes through zlib itself, which checks the sums that libarchive leaves unchecked.
class Inflater {
 public:
  explicit Inflater(const Content& content) : content_(content), rest_(content.bytes) {
    // The largest window; 16 more says that the data are wrapped as gzip does it.
    constexpr int window_of_gzip = 15 + 16;
    if (inflateInit2(&stream_, window_of_gzip) != Z_OK) throw LimitError(content.name + ": no memory to unpack it");
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  void unpack_into(BoundedText& text) {
    for (;;) {
      const int code = inflate_a_block(text);
      if (code == Z_STREAM_END && !begins_another()) return;
      if (code == Z_STREAM_END) {
        inflateReset(&stream_);
      } else if (code != Z_OK) {
        const bool is_short = code == Z_BUF_ERROR;  // it wants more, and there is no more
        throw_damaged(content_.name, "gzip", is_short ? "it ends too early" : stream_.msg ? stream_.msg : "bad data");
      }
    }
  }

 private:
  int inflate_a_block(BoundedText& text) {
    // zlib counts in unsigned ints: what is longer is fed in parts.
    const std::size_t n_in = std::min<std::size_t>(rest_.size(), std::numeric_limits<uInt>::max());
    // zlib only reads here; its interface is older than const.
    stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(rest_.data()));  // NOLINT
    stream_.avail_in = static_cast<uInt>(n_in);
    stream_.next_out = reinterpret_cast<Bytef*>(buffer_.data());  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
    stream_.avail_out = static_cast<uInt>(buffer_.size());
    const int code = inflate(&stream_, Z_NO_FLUSH);
    rest_.remove_prefix(n_in - stream_.avail_in);
    text.append({buffer_.data(), buffer_.size() - stream_.avail_out});
    return code;
  }

  // Gzip files may be strung together; anything else behind the end is padding.
  [[nodiscard]] bool begins_another() const noexcept { return rest_.starts_with("\x1F\x8B"sv); }

  const Content& content_;
  std::string_view rest_;
  z_stream stream_ = {};
  std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 18U);
};

void unpack_gzip(const Content& content, BoundedText& text) { Inflater(content).unpack_into(text); }

struct ArchiveDeleter {
  void operator()(archive* reader) const noexcept { archive_read_free(reader); }
};
using Archive = std::unique_ptr<archive, ArchiveDeleter>;

using Filter = int (*)(archive*);

// The bytes behind one filter of libarchive.
void unpack_archive(const Content& content, BoundedText& text, std::string_view format, Filter filter) {
  const Archive reader(archive_read_new());
  archive* const raw = reader.get();
  if (raw == nullptr) throw LimitError(content.name + ": no memory to unpack it");
  const auto require = [&](int code) {
    if (code < ARCHIVE_WARN) {
      const char* why = archive_error_string(raw);
      throw_damaged(content.name, format, why == nullptr ? "bad data" : why);
    }
    return code;
  };
  require(filter(raw));
  require(archive_read_support_format_raw(raw));
  require(archive_read_support_format_empty(raw));
  require(archive_read_open_memory(raw, content.bytes.data(), content.bytes.size()));
  // A head that is not whole passes as text that is not packed.
  if (archive_filter_code(raw, 0) == ARCHIVE_FILTER_NONE) throw_damaged(content.name, format, "it ends too early");
  archive_entry* entry = nullptr;
  if (require(archive_read_next_header(raw, &entry)) == ARCHIVE_EOF) return;
  const void* block = nullptr;
  std::size_t size = 0;
  la_int64_t ignored = 0;
  while (require(archive_read_data_block(raw, &block, &size, &ignored)) != ARCHIVE_EOF) {
    text.append({static_cast<const char*>(block), size});
  }
}

void unpack_xz(const Content& content, BoundedText& text) {
  unpack_archive(content, text, "xz", archive_read_support_filter_xz);
}
void unpack_zstd(const Content& content, BoundedText& text) {
  unpack_archive(content, text, "zstd", archive_read_support_filter_zstd);
}
void unpack_bzip2(const Content& content, BoundedText& text) {
  unpack_archive(content, text, "bzip2", archive_read_support_filter_bzip2);
}

struct Compression {
  std::string_view first_bytes;
  void (*unpack)(const Content&, BoundedText&);
};

constexpr std::array compressions{
    Compression{"\x1F\x8B"sv, unpack_gzip},
    Compression{"\xFD"
                "7zXZ\0"sv,
                unpack_xz},
    Compression{"\x28\xB5\x2F\xFD"sv, unpack_zstd},
    Compression{"BZh"sv, unpack_bzip2},
};

// Words may begin with BZh; a bzip2 file goes on with its level and the first digits of pi, or of its root at the end
// of an empty one.
bool is_packed_by(const Compression& compression, std::string_view bytes) noexcept {
  if (!bytes.starts_with(compression.first_bytes)) return false;
  if (compression.unpack != unpack_bzip2) return true;
  const std::string_view block = bytes.substr(std::min<std::size_t>(bytes.size(), 4), 6);
  return block == "\x31\x41\x59\x26\x53\x59"sv || block == "\x17\x72\x45\x38\x50\x90"sv;
}

}  // namespace

Content decompressed(Content content, const ReadOptions& options) {
  for (const Compression& compression : compressions) {
    if (!is_packed_by(compression, content.bytes)) continue;
    BoundedText text(content.name, options);
    compression.unpack(content, text);
    return content_of(text.take(), content.name);
  }
  return content;
}

Input decompressed(Input input, const ReadOptions& options) {
  const char* const as_stored = input.content.bytes.data();
  input.content = decompressed(std::move(input.content), options);
  if (input.content.bytes.data() != as_stored) input.path.clear();
  return input;
}

}  // namespace coppice::internal
