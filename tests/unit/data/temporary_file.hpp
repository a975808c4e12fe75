// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A small file for one test, gone at its end, and the message that reading it gives.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

namespace coppice {

class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view bytes, std::string_view suffix = ".csv") {
    static int n_files = 0;
    path_ = testing::TempDir() + "coppice_data_" + std::to_string(::getpid()) + "_" + std::to_string(n_files++);
    path_ += suffix;
    write(bytes);
  }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  void write(std::string_view bytes) const {
    std::ofstream(path_, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

// What the function's exception of exactly this type says; a test failure if there is none.
template <class Expected, class Function>
std::string message_of(Function&& function) {
  try {
    std::forward<Function>(function)();
  } catch (const Expected& error) {
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another type of error: " << error.what();
    return {};
  }
  ADD_FAILURE() << "no error";
  return {};
}

}  // namespace coppice
