// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "coppice/data/mapped_file.hpp"
#include "coppice/data/read.hpp"
#include "coppice/data/zip_reader.hpp"

namespace coppice::npz {

// The arrays of an archive, unpacked one by one when they are asked for.
class Members {
 public:
  // All three must outlive this.
  Members(const internal::ZipReader& archive, const std::string& file, const ReadOptions& options)
      : archive_(archive), file_(file), options_(options) {}

  // The bytes of the array's NPY file, called file:/name in messages. LimitError if there is no memory for them.
  [[nodiscard]] internal::Content array(const std::string& name) const;

 private:
  const internal::ZipReader& archive_;
  const std::string& file_;
  const ReadOptions& options_;
};

}  // namespace coppice::npz
