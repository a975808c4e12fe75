// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "coppice/runtime/error.hpp"
#include "data/hdf5/read_hdf5.hpp"

namespace coppice::hdf5 {
using namespace internal;

StoredTable read(const Input& input, const ReadOptions&) {
  throw DataError(
      fmt::format("{}: is an HDF5 file, but coppice was built without the HDF5 library; build it again with "
                  "COPPICE_HDF5=ON, or save the dataset as NPY",
                  input.content.name));
}

}  // namespace coppice::hdf5
