// SPDX-License-Identifier: BSD-3-Clause
#include "structure/distance_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coppice/kernels/squared_distances.hpp"
#include "coppice/runtime/error.hpp"
#include "data/memory_need.hpp"
#include "structure/point_panels.hpp"

namespace coppice {

namespace {

constexpr std::size_t points_together = 4;   // as many as the kernel takes at once
constexpr std::size_t points_per_task = 64;  // a multiple of that, and a divisor of panel_rows

void require_memory_for(std::size_t n) {
  const double bytes = static_cast<double>(n) * static_cast<double>(n - 1) / 2.0 * sizeof(double);
  const auto available = static_cast<double>(available_memory());
  if (bytes <= available) return;
  throw LimitError(
      fmt::format("the distances between {} rows take {:.1f} GB of memory, but only {:.1f} GB are free; take a method "
                  "that does not "
                  "keep them (single, ward), or fewer rows with --max-rows",
                  n, bytes * 1e-9, available * 1e-9));
}

}  // namespace

DistanceMatrix::DistanceMatrix(const Execution& execution, const Rows& rows, std::span<const std::uint32_t> chosen)
    : n_(chosen.size()) {
  require_memory_for(n_);
  values_.resize(n_ * (n_ - 1) / 2);
  const PointPanels points(rows, chosen);
  const std::size_t d = points.n_columns();
  const Blocks tasks{n_, points_per_task};
  execution.pool.run(tasks.count(), [&](std::size_t task, std::size_t /*worker*/) {
    std::vector<double> together(points_together * d);
    std::vector<double> squared(points_together * kernels::panel_rows);
    for (std::size_t first = tasks.first(task); first < tasks.last(task); first += points_together) {
      throw_if_stopped(execution.stop);
      const std::size_t n_points = std::min(points_together, tasks.last(task) - first);
      for (std::size_t p = 0; p < n_points; ++p) points.copy_point(first + p, std::span(together).subspan(p * d, d));
      for (std::size_t panel = first / kernels::panel_rows; panel < points.n_panels(); ++panel) {
        kernels::squared_distances(points.panel(panel), together.data(), n_points, squared.data());
        const std::size_t begin = panel * kernels::panel_rows;
        const std::size_t end = begin + points.panel(panel).n_rows;
        for (std::size_t p = 0; p < n_points; ++p) {
          const double* from = squared.data() + p * kernels::panel_rows;
          for (std::size_t j = std::max(begin, first + p + 1); j < end; ++j) {
            at(first + p, j) = std::sqrt(from[j - begin]);
          }
        }
      }
    }
  });
}

void DistanceMatrix::keep(std::span<const std::uint32_t> points) {
  // What is written stands never behind what is still to be read.
  double* to = values_.data();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double* from = behind(points[i]) - points[i] - 1;
    for (std::size_t j = i + 1; j < points.size(); ++j) *to++ = from[points[j]];
  }
  n_ = points.size();
}

}  // namespace coppice
