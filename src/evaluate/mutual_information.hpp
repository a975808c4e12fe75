// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Entropy and mutual information of labelings, in nats.

#include <cstddef>
#include <span>

#include "coppice/evaluate/contingency.hpp"

namespace coppice::evaluate {

// H = - sum_i (a_i / N) log(a_i / N).
[[nodiscard]] double entropy(std::span<const std::size_t> sizes, std::size_t n_rows);

// MI = sum_ij (n_ij / N) log(N n_ij / (a_i b_j)), never negative.
[[nodiscard]] double mutual_information(const Contingency& table);

// (H1 + H2) / 2, the largest MI that both labelings allow together.
[[nodiscard]] double mean_entropy(const Contingency& table);

}  // namespace coppice::evaluate
