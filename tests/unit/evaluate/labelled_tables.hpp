// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Labelled tables that several tests score, with the values scikit-learn 1.2.1 gives for them.

#include <cstdint>
#include <vector>

#include "coppice/data/dataset.hpp"
#include "coppice/runtime/random.hpp"

namespace coppice::evaluate {

struct ScoredTable {
  Dataset data;
  std::vector<std::int32_t> labels;
  double silhouette;
  double calinski_harabasz;
  double davies_bouldin;
};

inline std::vector<ScoredTable> scored_tables() {
  using Values = std::vector<double>;
  return {
      {.data = Dataset::from_rows(Values{8.21, 6.92, 10.26, 7.9,   8.8,   11.09, 8.55,  6.22,  10.53, 11.93, 9.41,
                                         8.22, 9.33, 6.91,  12.04, 12.71, 8.05,  8.38,  11.16, 6.06,  10.96, 12.98,
                                         8.75, 11.0, 11.33, 13.33, 9.77,  7.39,  11.28, 6.04,  9.36,  14.36},
                                  16, 2),
       .labels = {-1, 0, -1, -1, 0, 0, 0, 0, 0, 1, 0, -1, 1, 0, -1, 1},
       .silhouette = -0.11999481413869745,
       .calinski_harabasz = 1.0783741480247382,
       .davies_bouldin = 3.3151243940085293},
      // Label -1 has one row.
      {.data = Dataset::from_rows(
           Values{14.46, 15.76, 14.94, 10.01, 14.82, 11.38, 11.09, 7.54,  10.28, 13.03, 8.11, 12.01, 13.01, 6.78,
                  14.31, 12.05, 8.33,  11.12, 13.77, 13.41, 15.12, 12.95, 10.12, 11.05, 8.96, 12.25, 9.26,  10.98,
                  7.79,  10.4,  9.55,  9.11,  9.94,  7.9,   4.86,  9.95,  10.43, 17.24, 9.41, 14.36, 14.2,  14.05},
           14, 3),
       .labels = {3, 1, 0, 1, 3, 1, 3, 1, -1, 0, 0, 0, 0, 3},
       .silhouette = 0.027383269033832428,
       .calinski_harabasz = 2.26089586435468,
       .davies_bouldin = 1.737294077816204},
      {.data =
           Dataset::from_rows(Values{8.95, 7.84, 10.6, 9.32, 10.3, 10.91, 8.53, 6.94, 9.49, 8.93, 8.04, 9.06}, 12, 1),
       .labels = {-1, -1, 0, -1, 0, 0, -1, -1, 0, -1, -1, 0},
       .silhouette = 0.34603750927684646,
       .calinski_harabasz = 13.272848102074729,
       .davies_bouldin = 0.7536317789622139},
  };
}

// n_rows x n_columns standard normal numbers around `centre`.
inline std::vector<double> normal_values(std::size_t n_rows, std::size_t n_columns, double centre) {
  internal::RandomStream random{12, internal::Purpose::test};
  std::vector<double> values(n_rows * n_columns);
  for (double& value : values) value = centre + random.normal();
  return values;
}

}  // namespace coppice::evaluate
