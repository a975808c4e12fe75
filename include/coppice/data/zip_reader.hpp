// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The members of a zip archive whose bytes are in memory. Nothing that the archive says of itself is trusted before it
// is checked.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct zip;

namespace coppice::internal {

struct ZipMember {
  std::string name;
  std::size_t size = 0;  // unpacked
  std::uint64_t number = 0;
};

class ZipReader {
 public:
  // The bytes must outlive this. DataError "the archive is damaged ..." (`what` names it in messages).
  ZipReader(std::string_view bytes, std::string what);

  [[nodiscard]] const std::vector<ZipMember>& members() const noexcept { return members_; }

  // DataError if the member's bytes are damaged or not as many as the archive says.
  [[nodiscard]] std::string unpack(const ZipMember& member) const;

 private:
  struct Discard {
    void operator()(struct ::zip* archive) const noexcept;
  };
  std::string what_;
  std::unique_ptr<struct ::zip, Discard> archive_;
  std::vector<ZipMember> members_;
};

}  // namespace coppice::internal
