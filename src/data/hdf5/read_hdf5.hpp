// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// HDF5: a dataset of one or two dimensions, named as in file.h5:/group/dataset.

#include <string_view>

#include "coppice/data/format.hpp"

namespace coppice::hdf5 {

[[nodiscard]] bool looks_like_hdf5(std::string_view bytes) noexcept;

// The dataset that the input's part names, or the only one. DataError if this library was built without HDF5.
[[nodiscard]] internal::StoredTable read(const internal::Input& input, const ReadOptions& options);

}  // namespace coppice::hdf5
