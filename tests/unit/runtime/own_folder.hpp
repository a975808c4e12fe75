// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A folder of its own for every test.

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

namespace coppice::test {

class OwnFolder : public testing::Test {
 protected:
  OwnFolder() : folder_(std::filesystem::path(testing::TempDir()) / ("coppice_folder_" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directory(folder_);
  }
  ~OwnFolder() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  [[nodiscard]] std::filesystem::path at(const std::string& name) const { return folder_ / name; }
  [[nodiscard]] std::set<std::string> names() const { return names(folder_); }

  static std::set<std::string> names(const std::filesystem::path& folder) {
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      found.insert(entry.path().filename().string());
    return found;
  }
  static std::string content(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void put(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }
  static mode_t mode(const std::filesystem::path& path) {
    struct stat status = {};
    return stat(path.c_str(), &status) == 0 ? status.st_mode & 07777U : 0;
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace coppice::test
