// SPDX-License-Identifier: BSD-3-Clause
#include "structure/split_starts.hpp"

#include <algorithm>

#include "coppice/data/row_draw.hpp"
#include "coppice/kernels/panel.hpp"

namespace coppice {

namespace {

// Calls visit(position, value(column)) style work panel by panel: `use` gets a panel and the position of its first row.
template <class Use>
void for_each_panel(const Units& units, std::span<const std::size_t> members, const Use& use) {
  const std::size_t n_columns = units.rows().n_columns();
  BlockBuffer buffer(n_columns);
  for (std::size_t first = 0; first < members.size(); first += kernels::panel_rows) {
    const auto chosen = members.subspan(first, std::min(kernels::panel_rows, members.size() - first));
    RowBlock block(units.rows(), chosen, buffer);
    use(block.panel(), first);
  }
}

// sum_d (x_d - from_d) * direction_d for every member.
std::vector<double> projections(const Problem& problem, std::span<const std::size_t> members,
                                std::span<const double> from, std::span<const double> direction) {
  std::vector<double> result(members.size(), 0.0);
  if (!problem.units.are_rows()) {
    for (std::size_t i = 0; i < members.size(); ++i) {
      const std::vector<double> mean = problem.components.column_moments(problem.units.summary(members[i])).mean;
      for (std::size_t d = 0; d < from.size(); ++d) result[i] += (mean[d] - from[d]) * direction[d];
    }
    return result;
  }
  for_each_panel(problem.units, members, [&](const kernels::PanelView& panel, std::size_t first) {
    for (std::size_t d = 0; d < panel.n_columns; ++d) {
      const double* column = panel.column(d);
      for (std::size_t row = 0; row < panel.n_rows; ++row)
        result[first + row] += (column[row] - from[d]) * direction[d];
    }
  });
  return result;
}

// Squared distances to a member, every column divided by its spread inside the cluster.
std::vector<double> squared_distances(const Problem& problem, std::span<const std::size_t> members, std::size_t to,
                                      std::span<const double> precision) {
  std::vector<double> centre(precision.size());
  problem.units.rows().copy_row(to, centre);
  std::vector<double> result(members.size(), 0.0);
  for_each_panel(problem.units, members, [&](const kernels::PanelView& panel, std::size_t first) {
    for (std::size_t d = 0; d < panel.n_columns; ++d) {
      const double* column = panel.column(d);
      for (std::size_t row = 0; row < panel.n_rows; ++row) {
        const double t = column[row] - centre[d];
        result[first + row] += precision[d] * t * t;
      }
    }
  });
  return result;
}

// Two members, the second drawn in proportion to its squared distance from the first; everyone joins the nearer one.
std::vector<std::int32_t> seeded_sides(const Problem& problem, std::span<const std::size_t> members,
                                       std::span<const double> precision, RandomStream& random) {
  const Rows& rows = problem.units.rows();
  std::vector<double> masses(members.size());
  for (std::size_t i = 0; i < members.size(); ++i) masses[i] = rows.weight(members[i]);
  const std::size_t first = draw_row(rows.data(), members, masses, random);
  const std::vector<double> to_first = squared_distances(problem, members, first, precision);
  for (std::size_t i = 0; i < members.size(); ++i) masses[i] *= to_first[i];
  const std::size_t second = draw_row(rows.data(), members, masses, random);
  const std::vector<double> to_second = squared_distances(problem, members, second, precision);
  std::vector<std::int32_t> sides(members.size());
  for (std::size_t i = 0; i < members.size(); ++i) sides[i] = to_second[i] < to_first[i] ? 1 : 0;
  return sides;
}

}  // namespace

std::vector<std::int32_t> principal_sides(const Problem& problem, ConstStatsRef stats,
                                          std::span<const std::size_t> members) {
  const std::vector<double> mean = problem.components.column_moments(stats).mean;
  const SplitAxis axis = problem.components.split_axis(stats);
  const std::vector<double> projection = projections(problem, members, mean, axis.direction);
  std::vector<std::int32_t> sides(members.size());
  for (std::size_t i = 0; i < members.size(); ++i) sides[i] = projection[i] >= 0.0 ? 0 : 1;
  return sides;
}

std::vector<std::vector<std::int32_t>> split_starts(const Problem& problem, ConstStatsRef stats, std::size_t cluster,
                                                    std::span<const std::size_t> members, const SplitOptions& options,
                                                    const StopSignal& stop) {
  std::vector<std::vector<std::int32_t>> starts;
  starts.push_back(principal_sides(problem, stats, members));
  if (!problem.units.are_rows()) return starts;  // draws go by a row's content, which summaries do not have
  std::vector<double> precision = problem.components.column_moments(stats).variance;
  for (double& value : precision) value = value > 0.0 ? 1.0 / value : 0.0;
  for (std::size_t i = 0; i < options.n_seeded; ++i) {
    throw_if_stopped(stop);
    RandomStream random{options.seed, Purpose::split, (options.stream << 28U) + (cluster << 4U) + i};
    starts.push_back(seeded_sides(problem, members, precision, random));
  }
  return starts;
}

}  // namespace coppice
