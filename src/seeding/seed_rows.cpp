// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/seeding/seed_rows.hpp"

#include "coppice/seeding/afk_mc2.hpp"
#include "coppice/seeding/farthest_first.hpp"
#include "coppice/seeding/kmeanspp.hpp"
#include "coppice/seeding/uniform.hpp"

namespace coppice::internal {

std::vector<std::size_t> seed_rows(const Execution& execution, const ScaledRows& rows, std::size_t k,
                                   const SeedingOptions& options, RandomStream& random) {
  switch (options.rule) {
    case SeedingRule::kmeanspp:
      return kmeanspp_rows(execution, rows, k, options.candidates, random);
    case SeedingRule::afk_mc2:
      return afk_mc2_rows(execution, rows, k, options.chain_length, random);
    case SeedingRule::uniform:
      return uniform_rows(execution, rows.rows, k, random);
    case SeedingRule::farthest:
      return farthest_first_rows(execution, rows, k);
  }
  return {};
}

std::vector<double> copy_points(const Rows& rows, std::span<const std::size_t> chosen) {
  const std::size_t n_columns = rows.n_columns();
  std::vector<double> points(chosen.size() * n_columns);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    rows.copy_row(chosen[i], std::span(points).subspan(i * n_columns, n_columns));
  }
  return points;
}

}  // namespace coppice::internal
