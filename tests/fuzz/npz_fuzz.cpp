// SPDX-License-Identifier: BSD-3-Clause
#include <array>

#include "data/npz/read_npz.hpp"
#include "fuzz/archive_of.hpp"
#include "fuzz/refusals.hpp"

namespace {

// As make_corpus.py has them.
constexpr std::array<std::string_view, 7> names{"x.npy",     "data.npy",   "indices.npy", "indptr.npy",
                                                "shape.npy", "format.npy", "y.txt"};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace coppice;
  using namespace coppice::internal;
  const std::string bytes = fuzz::archive_of({reinterpret_cast<const char*>(data), size}, names);
  fuzz::check_reader([&] { return npz::read({content_of(bytes, "input"), {}, {}}, {}).data; });
  return 0;
}
