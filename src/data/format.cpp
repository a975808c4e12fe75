// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "coppice/data/npy.hpp"
#include "coppice/runtime/error.hpp"
#include "data/hdf5/read_hdf5.hpp"
#include "data/idx/read_idx.hpp"
#include "data/libsvm/read_libsvm.hpp"
#include "data/npy/read_npy.hpp"
#include "data/npz/read_npz.hpp"
#include "data/sqlite/read_sqlite.hpp"

namespace coppice::internal {

namespace {

// For formats that are a single array and need nothing but the bytes.
template <Dataset (*read)(const Content&, const ReadOptions&)>
StoredTable whole(const Input& input, const ReadOptions& options) {
  return {read(input.content, options), {}};
}

// LIBSVM text has no mark of its own and is told by what its lines look like: it comes last.
constexpr std::array formats{
    Format{"an NPY file", npy::looks_like_npy, whole<npy::read>},
    Format{"an NPZ file", npz::looks_like_npz, npz::read, true},
    Format{"an HDF5 file", hdf5::looks_like_hdf5, hdf5::read, true},
    Format{"an SQLite database", sqlite::looks_like_sqlite, sqlite::read, false, true},
    Format{"an IDX file", idx::looks_like_idx, whole<idx::read>},
    Format{"a LIBSVM file", libsvm::looks_like_libsvm, whole<libsvm::read>},
};

}  // namespace

const Format* find_format(const Input& input, const ReadOptions& options) {
  const auto found =
      std::ranges::find_if(formats, [&](const Format& format) { return format.looks_like(input.content.bytes); });
  const Format* format = found == formats.end() ? nullptr : &*found;
  const std::string_view name = format == nullptr ? "a text table" : format->name;
  if (!input.part.empty() && (format == nullptr || !format->has_parts)) {
    throw OptionError(fmt::format("{}: has no part '{}': it is {}, and only HDF5 and NPZ files have named parts",
                                  input.content.name, input.part, name));
  }
  if (options.query && (format == nullptr || !format->takes_a_query)) {
    throw OptionError(
        fmt::format("{}: a query is for SQLite databases, but this is {}; leave the query out, or choose columns",
                    input.content.name, name));
  }
  return format;
}

}  // namespace coppice::internal
