// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The bytes of an input. Regular files are mapped, so that reading costs no copy; pipes and standard input are read
// into memory. A file that another program cuts short while it is mapped ends this one: write to a new name instead.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "coppice/data/read.hpp"

namespace coppice::internal {

// A read-only map of the first `size` bytes of an open file, given back at the end.
class MappedFile {
 public:
  MappedFile(int descriptor, std::size_t size, const std::string& path);  // IoError
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] std::string_view bytes() const noexcept { return {static_cast<const char*>(address_), size_}; }

 private:
  void* address_ = nullptr;
  std::size_t size_ = 0;
};

// Bytes, what keeps them alive, and what messages call them.
struct Content {
  std::shared_ptr<const void> owner;
  std::string_view bytes;
  std::string name;
};

// Text that grows to a length nobody knows beforehand, and stops before the memory does.
class BoundedText {
 public:
  BoundedText(std::string name, const ReadOptions& options) : name_(std::move(name)), options_(options) {}

  // LimitError if the memory for it is not there.
  void append(std::string_view bytes);
  [[nodiscard]] std::string take() noexcept { return std::move(text_); }

 private:
  std::string text_;
  std::string name_;
  const ReadOptions& options_;
};

// "-" is standard input. IoError if there is no such file, if it is a folder, or if it may not be read.
[[nodiscard]] Content load(const std::string& path);

// Text that the caller already has.
[[nodiscard]] Content content_of(std::string text, std::string name);

}  // namespace coppice::internal
