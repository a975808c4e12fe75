// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/evaluate/scores.hpp"

#include "coppice/evaluate/adjusted_mutual_information.hpp"
#include "coppice/evaluate/adjusted_rand_index.hpp"
#include "coppice/evaluate/normalized_mutual_information.hpp"
#include "coppice/evaluate/purity.hpp"

namespace coppice::evaluate {

std::map<std::string, double> label_scores(const Contingency& table) {
  return {{"ari", adjusted_rand_index(table)},
          {"nmi", normalized_mutual_information(table)},
          {"ami", adjusted_mutual_information(table)},
          {"purity", purity(table)}};
}

}  // namespace coppice::evaluate
