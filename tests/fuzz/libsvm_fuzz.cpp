// SPDX-License-Identifier: BSD-3-Clause
#include "data/libsvm/read_libsvm.hpp"
#include "fuzz/refusals.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace coppice;
  fuzz::check_reader([&] { return libsvm::read(fuzz::content(data, size), {}); });
  return 0;
}
