// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A run that several processes make together (communicator.hpp): if it fails on one of them, it fails on all.
//
//   return together(communicator, [&] { return fit_rows(data, method); });

#include <exception>

#include "coppice/runtime/communicator.hpp"

namespace coppice::internal {

// What work() returns, once all ranks have come to its end. If it throws, the other ranks end with RankError and this
// one with its own error; nobody is left waiting.
template <class Work>
auto together(const Communicator& communicator, const Work& work) {
  try {
    auto result = work();
    (void)communicator.gather({});
    return result;
  } catch (const std::exception& error) {
    communicator.leave(error);
    throw;
  }
}

}  // namespace coppice::internal
