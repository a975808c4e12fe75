// SPDX-License-Identifier: BSD-3-Clause
#include "data/npy/read_npy.hpp"
#include "fuzz/refusals.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace coppice;
  fuzz::check_reader([&] { return npy::read(fuzz::content(data, size), {}); });
  return 0;
}
