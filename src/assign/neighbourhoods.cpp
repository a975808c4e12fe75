// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/assign/neighbourhoods.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "assign/draw_different.hpp"
#include "coppice/assign/accumulators.hpp"
#include "coppice/kernels/aligned.hpp"
#include "coppice/kernels/panel.hpp"
#include "coppice/kernels/squared_distances.hpp"
#include "coppice/runtime/for_each_task.hpp"

namespace coppice::internal {

void Neighbourhoods::set(std::size_t cluster, std::span<const std::uint32_t> neighbours) {
  sizes_[cluster] = static_cast<std::uint32_t>(neighbours.size());
  std::ranges::copy(neighbours, clusters_.begin() + static_cast<std::ptrdiff_t>(cluster * most_));
}

Neighbourhoods random_neighbourhoods(std::size_t n_clusters, std::size_t most, std::uint64_t seed) {
  Neighbourhoods drawn(n_clusters, most);
  RandomStream random{seed, Purpose::truncation, 1};
  std::vector<std::uint32_t> some;
  for (std::size_t c = 0; c < n_clusters; ++c) {
    some.assign(1, static_cast<std::uint32_t>(c));
    draw_different(most, n_clusters, random, some);
    drawn.set(c, some);
  }
  return drawn;
}

namespace {

// The neighbours of a panel of centres, from the distances of all.
class NearestOfPanel {
 public:
  NearestOfPanel(std::span<const double> centres, std::size_t n_columns)
      : centres_(centres), n_columns_(n_columns), n_(centres.size() / n_columns), squared_(n_ * kernels::panel_rows) {
    panel_.resize(n_columns * kernels::panel_stride);
    order_.resize(n_);
  }

  void find(std::size_t first, std::size_t count, Neighbourhoods& out) {
    const std::vector<double> nowhere(n_columns_, 0.0);
    kernels::load_panel(centres_.data() + first * n_columns_, nullptr, count, nowhere, panel_.data());
    kernels::squared_distances({panel_.data(), count, n_columns_}, centres_.data(), n_, squared_.data());
    for (std::size_t i = 0; i < count; ++i) {
      double* own = &squared_[(first + i) * kernels::panel_rows + i];
      *own = -1.0;  // itself comes first, whoever lies at the same place
      const auto is_nearer = [&](std::uint32_t a, std::uint32_t b) {
        const double to_a = squared_[a * kernels::panel_rows + i];
        const double to_b = squared_[b * kernels::panel_rows + i];
        return to_a < to_b || (to_a == to_b && a < b);
      };
      std::iota(order_.begin(), order_.end(), 0U);
      const auto end = order_.begin() + static_cast<std::ptrdiff_t>(out.most());
      std::nth_element(order_.begin(), end - 1, order_.end(), is_nearer);
      std::sort(order_.begin(), end);
      out.set(first + i, std::span(order_).first(out.most()));
    }
  }

 private:
  std::span<const double> centres_;
  std::size_t n_columns_;
  std::size_t n_;
  kernels::AlignedVector<double> panel_;
  std::vector<double> squared_;
  std::vector<std::uint32_t> order_;
};

}  // namespace

Neighbourhoods nearest_neighbourhoods(const Execution& execution, std::span<const double> centres,
                                      std::size_t n_columns, std::size_t most) {
  const std::size_t n = centres.size() / n_columns;
  Neighbourhoods found(n, most);
  const std::size_t n_panels = (n + kernels::panel_rows - 1) / kernels::panel_rows;
  Workspaces<NearestOfPanel> workspaces(execution.n_threads());
  for_each_task(execution, {.count = n_panels}, [&](std::size_t task, std::size_t worker) {
    NearestOfPanel& workspace =
        workspaces.of(worker, [&] { return std::make_unique<NearestOfPanel>(centres, n_columns); });
    const std::size_t first = task * kernels::panel_rows;
    workspace.find(first, std::min(kernels::panel_rows, n - first), found);
  });
  return found;
}

}  // namespace coppice::internal
