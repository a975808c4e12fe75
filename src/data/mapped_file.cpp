// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/mapped_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>
#include <system_error>
#include <utility>

#include "coppice/data/memory_need.hpp"
#include "coppice/runtime/error.hpp"

namespace coppice::internal {

namespace {

[[noreturn]] void cannot(std::string_view what, const std::string& name, int code) {
  throw IoError(fmt::format("cannot {} {}: {}", what, name, std::generic_category().message(code)));
}

// An open file; standard input is left open.
class Descriptor {
 public:
  explicit Descriptor(const std::string& path) : owned_(path != "-") {
    if (!owned_) return;
    number_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (number_ < 0) cannot("open", path, errno);
  }
  ~Descriptor() {
    if (owned_) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  [[nodiscard]] int number() const noexcept { return number_; }

 private:
  bool owned_ = false;
  int number_ = STDIN_FILENO;
};

std::string read_all(int descriptor, const std::string& name) {
  const ReadOptions no_options;
  BoundedText text(name, no_options);
  std::array<char, 1U << 16> buffer{};
  for (;;) {
    const ssize_t n = ::read(descriptor, buffer.data(), buffer.size());
    if (n == 0) return text.take();
    if (n > 0) {
      text.append({buffer.data(), static_cast<std::size_t>(n)});
    } else if (errno != EINTR) {
      cannot("read", name, errno);
    }
  }
}

}  // namespace

MappedFile::MappedFile(int descriptor, std::size_t size, const std::string& path) : size_(size) {
  address_ = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (address_ == MAP_FAILED) cannot("map", path, errno);
}

MappedFile::~MappedFile() { ::munmap(address_, size_); }

void BoundedText::append(std::string_view bytes) {
  if (text_.capacity() - text_.size() < bytes.size()) {
    // Doubled, so that appending takes linear time in all.
    const std::size_t larger = std::max(2 * text_.capacity(), text_.size() + bytes.size());
    require_memory(larger, name_, options_);
    try {
      text_.reserve(larger);
    } catch (const std::bad_alloc&) {
      throw LimitError(fmt::format("{}: no memory for {} bytes of text", name_, larger));
    }
  }
  text_.append(bytes);
}

Content load(const std::string& path) {
  const Descriptor file(path);
  const std::string name = path == "-" ? "standard input" : path;
  struct stat status = {};
  if (::fstat(file.number(), &status) != 0) cannot("read", name, errno);
  if (S_ISDIR(status.st_mode)) cannot("read", name, EISDIR);
  // Files that the kernel makes up (/proc) say that they have no bytes; only reading shows.
  const bool can_be_mapped = path != "-" && S_ISREG(status.st_mode) && status.st_size > 0;
  if (!can_be_mapped) return content_of(read_all(file.number(), name), name);
  auto map = std::make_shared<const MappedFile>(file.number(), static_cast<std::size_t>(status.st_size), name);
  const std::string_view bytes = map->bytes();
  return {std::move(map), bytes, name};
}

Content content_of(std::string text, std::string name) {
  auto owner = std::make_shared<const std::string>(std::move(text));
  const std::string_view bytes = *owner;
  return {std::move(owner), bytes, std::move(name)};
}

}  // namespace coppice::internal
