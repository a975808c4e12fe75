// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/kernels/dot_products.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "coppice/runtime/random.hpp"
#include "unit/kernels/simd_targets.hpp"

namespace coppice::kernels {
using namespace internal;
namespace {

TEST(DotProducts, EqualTheDefinition) {
  for_each_target([] {
    for (const std::size_t n : {0U, 1U, 3U, 7U, 8U, 9U, 31U, 136U}) {
      for (const std::size_t n_vectors : {0U, 1U, 3U, 4U, 5U, 11U}) {
        RandomStream random{n, Purpose::test, n_vectors};
        std::vector<double> x(n);
        std::vector<double> vectors(n * n_vectors);
        for (double& value : x) value = random.normal();
        for (double& value : vectors) value = random.normal();
        std::vector<double> out(n_vectors + 1, -7.0);
        dot_products(x.data(), n, vectors.data(), n_vectors, out.data());
        for (std::size_t v = 0; v < n_vectors; ++v) {
          long double sum = 0.0L;
          for (std::size_t i = 0; i < n; ++i) sum += static_cast<long double>(x[i]) * vectors[v * n + i];
          ASSERT_NEAR(out[v], static_cast<double>(sum), 1e-14 * (1.0 + std::abs(static_cast<double>(n)))) << n;
        }
        ASSERT_EQ(out.back(), -7.0) << "nothing is written behind the last";
      }
    }
  });
}

}  // namespace
}  // namespace coppice::kernels
