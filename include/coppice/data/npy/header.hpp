// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The header of a .npy file: magic, version, length, and a Python dictionary such as
// {'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }. Nothing in it is trusted before it is checked.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coppice::npy {

inline constexpr std::string_view magic{"\x93NUMPY", 6};

enum class Kind : std::uint8_t { boolean, signed_integer, unsigned_integer, floating };

struct Element {
  Kind kind = Kind::floating;
  std::size_t size = 8;  // bytes
  bool big_endian = false;
};

struct Header {
  Element element;
  bool fortran_order = false;  // only where it makes a difference
  std::vector<std::size_t> shape;
  std::size_t count = 0;  // product of the shape
  std::size_t data_offset = 0;
};

// Throws DataError "name: what is wrong" also if the data are shorter or longer than the shape says.
[[nodiscard]] Header parse_header(std::string_view bytes, const std::string& name);

// The word in an array of one string (NumPy types S and U); empty if it is no such array.
[[nodiscard]] std::string parse_word(std::string_view bytes, const std::string& name);

// All bytes before the data of an array in C order, version 1.0.
[[nodiscard]] std::string header_bytes(std::string_view descr, const std::vector<std::size_t>& shape);

// As Python writes it: (3,), (2, 4).
[[nodiscard]] std::string shape_text(const std::vector<std::size_t>& shape);

}  // namespace coppice::npy
