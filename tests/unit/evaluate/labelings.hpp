// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Labellings that several tests score, with the values scikit-learn 1.2.1 gives for them.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "coppice/runtime/random.hpp"

namespace coppice::evaluate {

using Labels = std::vector<std::int32_t>;

struct ScoredPair {
  Labels labels;
  Labels truth;
  double ari;
  double nmi;
  double ami;
  double purity;
};

inline std::vector<ScoredPair> scored_pairs() {
  return {
      // cases/partition_scores.json
      {.labels = {0, 0, 0, 1, 1, 2, 2, 2, 2},
       .truth = {0, 0, 1, 1, 1, 2, 2, 0, 2},
       .ari = 0.35714285714285715,
       .nmi = 0.5895098274473048,
       .ami = 0.4086705097217217,
       .purity = 0.7777777777777778},
      {.labels = {3, -1, 0, 0, 0, -1, -1, 3, 1, 0, -1, 0, 1, 0, -1, -1, 1, 0, 1, 2, -1, -1, 0, -1},
       .truth = {1, -1, 0, 0, -1, -1, -1, -1, -1, 0, -1, 0, 1, 0, -1, -1, 1, 0, 1, -1, -1, -1, 1, -1},
       .ari = 0.4545781184502066,
       .nmi = 0.5120911632064488,
       .ami = 0.41350020809589266,
       .purity = 0.8333333333333334},
      {.labels = {2, 1, 3, 0, 2, 5, 1, 5, 3, 2, 3, 4, 1, 2, 0, 3, 4, 3, 2, 1, 2, 0, 1, 4, 5, 2, 3, 4, 0, 1},
       .truth = {2, 1, 3, 0, 0, 1, -1, 2, 3, 3, 2, 1, 3, 2, -1, 3, 3, -1, 3, 1, 3, 1, 2, 2, 0, 1, -1, 1, -1, 1},
       .ari = 0.004098814667109782,
       .nmi = 0.25394099298374123,
       .ami = 0.001829416751287793,
       .purity = 0.4666666666666667},
      {.labels = {-1, 7, -1, 0, 1, 3, -1, -1, 10, 9, 9, 11, 11, 2, 7, 0, 0, 0, 0, 0},
       .truth = {-1, 0, -1, 0, 1, 1, -1, -1, 1, 1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0},
       .ari = 0.4313079916192757,
       .nmi = 0.6510112139427139,
       .ami = 0.48689137913275493,
       .purity = 0.95},
  };
}

inline Labels random_labels(std::size_t n_rows, std::size_t k, std::uint64_t index) {
  internal::RandomStream random{11, internal::Purpose::test, index};
  Labels labels(n_rows);
  for (std::int32_t& label : labels) label = static_cast<std::int32_t>(random.below(k)) - 1;
  return labels;
}

// Pairs of labellings on which a formula is 0/0 unless equal partitions score 1.
inline std::vector<std::pair<Labels, Labels>> equal_partitions() {
  return {{{}, {}},
          {{0}, {5}},
          {{2, 2, 2}, {-1, -1, -1}},
          {{0, 1, 2, 3}, {3, 2, 1, 0}},
          {{0, 0, 1}, {1, 1, 0}},
          {{7, -1, 7, 3}, {0, 1, 0, 2}}};
}

}  // namespace coppice::evaluate
