// SPDX-License-Identifier: BSD-3-Clause
// n (n - 1) / 2 doubles, row after row of the upper triangle. Each is computed once, by a kernel whose distances are
// symmetric to the last bit. A task takes whole panels of the points behind its own, and writes into rows that are
// nobody else's.

#include "structure/distance_matrix.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "coppice/data/memory_need.hpp"
#include "coppice/kernels/squared_distances.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/runtime/for_each_task.hpp"
#include "coppice/runtime/format_text.hpp"
#include "structure/point_panels.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t points_together = 4;   // as many as the kernel takes at once
constexpr std::size_t points_per_task = 64;  // a multiple of that, and a divisor of panel_rows

void require_memory_for(std::size_t n) {
  const double bytes = static_cast<double>(n) * static_cast<double>(n - 1) / 2.0 * sizeof(double);
  const auto available = static_cast<double>(available_memory());
  if (bytes <= available) return;
  throw LimitError(
      format_text("the distances between {} rows take {:.1f} GB of memory, but only {:.1f} GB are free; take a method "
                  "that does not keep them (single, ward, abc), or fewer rows with {max_rows}",
                  n, bytes * 1e-9, available * 1e-9));
}

// Half the distances of a point stand in different rows. With pages of 4 KB each of them is on a page of its own, and
// finding that page takes longer than all else. A refusal does no harm.
void ask_for_large_pages([[maybe_unused]] double* values, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef MADV_HUGEPAGE
  void* begin = values;
  std::size_t room = bytes;
  constexpr std::size_t large_page = std::size_t{1} << 21U;
  if (std::align(large_page, large_page, begin, room) != nullptr) (void)madvise(begin, room, MADV_HUGEPAGE);
#endif
}

}  // namespace

DistanceMatrix::DistanceMatrix(const Execution& execution, const Rows& rows, std::span<const std::uint32_t> chosen)
    : n_(chosen.size()) {
  require_memory_for(n_);
  const std::size_t n_pairs = n_ * (n_ - 1) / 2;
  values_ = std::make_unique_for_overwrite<double[]>(n_pairs);
  ask_for_large_pages(values_.get(), n_pairs * sizeof(double));
  const PointPanels points(rows, chosen);
  const Blocks tasks{n_, points_per_task};
  for_each_task(execution, {.count = tasks.count()}, [&](std::size_t task) {
    for (std::size_t first = tasks.first(task); first < tasks.last(task); first += points_together) {
      throw_if_stopped(execution.stop);
      fill(points, first, std::min(first + points_together, tasks.last(task)));
    }
  });
}

void DistanceMatrix::fill(const PointPanels& points, std::size_t first, std::size_t last) {
  const std::size_t d = points.n_columns();
  std::vector<double> together((last - first) * d);
  for (std::size_t i = first; i < last; ++i) points.copy_point(i, std::span(together).subspan((i - first) * d, d));
  std::vector<double> squared(points_together * kernels::panel_rows);
  for (std::size_t panel = first / kernels::panel_rows; panel < points.n_panels(); ++panel) {
    kernels::squared_distances(points.panel(panel), together.data(), last - first, squared.data());
    const std::size_t begin = panel * kernels::panel_rows;
    const std::size_t end = begin + points.panel(panel).n_rows;
    for (std::size_t i = first; i < last; ++i) {
      const double* of_panel = squared.data() + (i - first) * kernels::panel_rows;
      // Distances and not squares: average linkage averages distances.
      for (std::size_t j = std::max(begin, i + 1); j < end; ++j) at(i, j) = std::sqrt(of_panel[j - begin]);
    }
  }
}

void DistanceMatrix::keep(std::span<const std::uint32_t> points) {
  // What is written stands never behind what is still to be read.
  double* to = values_.get();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double* from = behind(points[i]) - points[i] - 1;
    for (std::size_t j = i + 1; j < points.size(); ++j) *to++ = from[points[j]];
  }
  n_ = points.size();
}

}  // namespace coppice::internal
