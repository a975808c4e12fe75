// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace coppice::internal {

// Gathers text and hands it on in pieces.
class Pieces {
 public:
  explicit Pieces(const std::function<void(std::string_view)>& write) : write_(write) {}
  // Where the next line goes.
  std::string& text() {
    if (text_.size() >= piece_size) finish();
    return text_;
  }
  void finish() {
    write_(text_);
    text_.clear();
  }

 private:
  static constexpr std::size_t piece_size = std::size_t{1} << 20U;

  const std::function<void(std::string_view)>& write_;
  std::string text_;
};

}  // namespace coppice::internal
