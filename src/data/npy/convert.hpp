// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The values of an NPY array of any type and order, as floats or doubles in C order.

#include <cstdint>
#include <string_view>
#include <vector>

#include "coppice/data/npy/header.hpp"

namespace coppice::npy {

// Is every value of the type exact as a float? (f2, f4, bool, integers of 8 and 16 bits)
[[nodiscard]] bool fits_float(const Element& element) noexcept;

// `data` are the bytes after the header. Integers above 2^53 are rounded to the nearest double.
template <class Value>
[[nodiscard]] std::vector<Value> convert(const Header& header, std::string_view data);

// The values of an array of integers; beyond 2^63 they turn negative. Empty if the array holds something else.
[[nodiscard]] std::vector<std::int64_t> convert_integers(const Header& header, std::string_view data);

extern template std::vector<float> convert<float>(const Header&, std::string_view);
extern template std::vector<double> convert<double>(const Header&, std::string_view);

}  // namespace coppice::npy
