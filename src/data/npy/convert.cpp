// SPDX-License-Identifier: BSD-3-Clause
#include "data/npy/convert.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace coppice::npy {

namespace {

static_assert(std::endian::native == std::endian::little, "NPY values are loaded as little endian");

// IEEE 754 half precision: 1 sign bit, 5 of exponent, 10 of fraction. Every half is exact as a float.
struct Half {
  std::uint16_t bits;
  explicit operator float() const noexcept {
    const int exponent = bits >> 10U & 31U;
    const auto fraction = static_cast<float>(bits & 1023U);
    // Exponent 0 has no hidden bit, and counts 2^-24. Others have it, 1024, and the bias of 15 with the 10 bits of the
    // fraction makes 25.
    const float size = exponent == 31  ? (fraction == 0.0F ? std::numeric_limits<float>::infinity()
                                                           : std::numeric_limits<float>::quiet_NaN())
                       : exponent == 0 ? std::ldexp(fraction, -24)
                                       : std::ldexp(1024.0F + fraction, exponent - 25);
    return (bits & 0x8000U) != 0 ? -size : size;
  }
  explicit operator double() const noexcept { return static_cast<double>(static_cast<float>(*this)); }
};

struct Boolean {
  std::uint8_t byte;
  explicit operator float() const noexcept { return byte != 0 ? 1.0F : 0.0F; }
  explicit operator double() const noexcept { return byte != 0 ? 1.0 : 0.0; }
};

template <class Raw>
Raw load(const char* from, bool big_endian) noexcept {
  std::array<char, sizeof(Raw)> bytes{};
  // Byte by byte, since data need not be aligned.
  std::memcpy(bytes.data(), from, sizeof(Raw));
  if (big_endian) std::ranges::reverse(bytes);
  return std::bit_cast<Raw>(bytes);
}

// The place in Fortran order of each element in C order: an odometer whose last wheel turns fastest.
class FortranOrder {
 public:
  explicit FortranOrder(const std::vector<std::size_t>& shape)
      : shape_(shape), index_(shape.size()), stride_(shape.size()) {
    std::size_t stride = 1;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      stride_[axis] = stride;
      stride *= shape[axis];
    }
  }
  std::size_t next() noexcept {
    const std::size_t result = place_;
    for (std::size_t axis = shape_.size(); axis-- > 0;) {
      place_ += stride_[axis];
      if (++index_[axis] < shape_[axis]) break;
      place_ -= stride_[axis] * shape_[axis];
      index_[axis] = 0;
    }
    return result;
  }

 private:
  const std::vector<std::size_t>& shape_;
  std::vector<std::size_t> index_;
  std::vector<std::size_t> stride_;
  std::size_t place_ = 0;
};

template <class Raw, class Value>
std::vector<Value> convert_from(const Header& header, std::string_view data) {
  std::vector<Value> values(header.count);
  const auto at = [&](std::size_t place) {
    return static_cast<Value>(load<Raw>(data.data() + place * sizeof(Raw), header.element.big_endian));
  };
  if (!header.fortran_order) {
    for (std::size_t place = 0; place < header.count; ++place) values[place] = at(place);
    return values;
  }
  FortranOrder order(header.shape);
  for (Value& value : values) value = at(order.next());
  return values;
}

// Calls convert_from with the type of the element's size.
template <class Value, class One, class Two, class Four, class Eight>
std::vector<Value> by_size(const Header& header, std::string_view data) {
  switch (header.element.size) {
    case 1:
      return convert_from<One, Value>(header, data);
    case 2:
      return convert_from<Two, Value>(header, data);
    case 4:
      return convert_from<Four, Value>(header, data);
    default:
      return convert_from<Eight, Value>(header, data);
  }
}

template <class Value>
std::vector<Value> from_signed(const Header& header, std::string_view data) {
  return by_size<Value, std::int8_t, std::int16_t, std::int32_t, std::int64_t>(header, data);
}

template <class Value>
std::vector<Value> from_unsigned(const Header& header, std::string_view data) {
  return by_size<Value, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(header, data);
}

}  // namespace

bool fits_float(const Element& element) noexcept {
  return element.kind == Kind::floating ? element.size <= 4 : element.size <= 2;
}

template <class Value>
std::vector<Value> convert(const Header& header, std::string_view data) {
  switch (header.element.kind) {
    case Kind::boolean:
      return convert_from<Boolean, Value>(header, data);
    case Kind::signed_integer:
      return from_signed<Value>(header, data);
    case Kind::unsigned_integer:
      return from_unsigned<Value>(header, data);
    case Kind::floating:
      break;
  }
  return by_size<Value, Half, Half, float, double>(header, data);  // there is no float of one byte
}

std::vector<std::int64_t> convert_integers(const Header& header, std::string_view data) {
  if (header.element.kind == Kind::signed_integer) return from_signed<std::int64_t>(header, data);
  if (header.element.kind == Kind::unsigned_integer) return from_unsigned<std::int64_t>(header, data);
  return {};
}

template std::vector<float> convert<float>(const Header&, std::string_view);
template std::vector<double> convert<double>(const Header&, std::string_view);

}  // namespace coppice::npy
