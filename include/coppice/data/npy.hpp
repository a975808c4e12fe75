// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// NumPy's .npy format: header parsing and writing, and a reader that maps files of float32 and float64 instead of
// copying them.

#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coppice/data/dataset.hpp"

namespace coppice::npy {

// The first bytes of every .npy file.
[[nodiscard]] bool looks_like_npy(std::string_view head) noexcept;

// A 1-d array becomes one column. Integers and booleans are widened to the smallest float type that holds them.
[[nodiscard]] Dataset read(const std::string& path);

// A double array of any shape out of bytes in memory (a member of a model archive). `name` is for messages.
struct Array {
  std::vector<std::size_t> shape;
  std::vector<double> values;
  bool operator==(const Array&) const = default;
};
[[nodiscard]] Array parse_array(std::string_view bytes, const std::string& name);

// The bytes of a .npy file, version 1.0, C order, little endian.
[[nodiscard]] std::string to_bytes(std::span<const double> values, const std::vector<std::size_t>& shape);
[[nodiscard]] std::string to_bytes(std::span<const float> values, const std::vector<std::size_t>& shape);
[[nodiscard]] std::string to_bytes(std::span<const std::int32_t> values, const std::vector<std::size_t>& shape);

}  // namespace coppice::npy
