// SPDX-License-Identifier: BSD-3-Clause
#include "data/hdf5/read_hdf5.hpp"

namespace coppice::hdf5 {

bool looks_like_hdf5(std::string_view bytes) noexcept { return bytes.starts_with("\x89HDF\r\n\x1A\n"); }

}  // namespace coppice::hdf5
