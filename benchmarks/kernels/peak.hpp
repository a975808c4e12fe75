// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace coppice::bench {

// Multiply-adds per second that one thread reaches here on registers alone: what a kernel's rate is compared with.
[[nodiscard]] double peak_multiply_adds_per_second();

}  // namespace coppice::bench
