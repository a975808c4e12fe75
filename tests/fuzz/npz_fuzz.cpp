// SPDX-License-Identifier: BSD-3-Clause
#include "data/npz/read_npz.hpp"
#include "fuzz/refusals.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace coppice;
  fuzz::check_reader([&] { return npz::read({fuzz::content(data, size), {}, {}}, {}).data; });
  return 0;
}
