// SPDX-License-Identifier: BSD-3-Clause
#include "data/idx/read_idx.hpp"
#include "fuzz/refusals.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace coppice;
  fuzz::check_reader([&] { return idx::read(fuzz::content(data, size), {}); });
  return 0;
}
