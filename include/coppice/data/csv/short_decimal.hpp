// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Numbers as most tables have them, such as -3.14: a sign, at most 15 digits, a point. Without the point they are a
// whole number below 2^53, and the power of ten that the point stands for is below 10^22: both are exact as doubles, so
// that a single division gives the nearest double, as every exact method does (Clinger 1990), only sooner.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace coppice::csv {

inline constexpr std::ptrdiff_t most_short_digits = 15;

inline constexpr std::array<double, most_short_digits + 1> powers_of_ten{1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                                         1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

// Takes the digits at `at` into the mantissa, up to `end`, and returns where they end.
inline const char* take_digits(const char* at, const char* end, std::uint64_t& mantissa) noexcept {
  for (; at != end; ++at) {
    const auto digit = static_cast<unsigned char>(*at - '0');
    if (digit > 9) break;
    mantissa = mantissa * 10 + digit;
  }
  return at;
}

// Where the number ends, or null if it is none of this form.
inline const char* short_decimal(const char* at, const char* end, double& value) noexcept {
  const bool is_negative = at != end && *at == '-';
  at += is_negative ? 1 : 0;
  const char* const limit = end - at > most_short_digits + 2 ? at + most_short_digits + 2 : end;
  std::uint64_t mantissa = 0;
  const char* point = take_digits(at, limit, mantissa);
  std::ptrdiff_t n_digits = point - at;
  std::ptrdiff_t n_decimals = 0;
  const char* last = point;
  if (point != limit && *point == '.') {
    last = take_digits(point + 1, limit, mantissa);
    n_decimals = last - point - 1;
    n_digits += n_decimals;
  }
  if (n_digits == 0 || n_digits > most_short_digits) return nullptr;
  if (last != end && (*last == 'e' || *last == 'E')) return nullptr;
  const auto whole = static_cast<double>(static_cast<std::int64_t>(mantissa));
  const double size = whole / powers_of_ten[static_cast<std::size_t>(n_decimals)];
  // Signs come at random, and a jump that cannot be foreseen costs more than the division: set the bit instead.
  const std::uint64_t sign = static_cast<std::uint64_t>(is_negative) << 63U;
  value = std::bit_cast<double>(std::bit_cast<std::uint64_t>(size) | sign);
  return last;
}

}  // namespace coppice::csv
