// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/model/labelling.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "coppice/assign/naive.hpp"

namespace coppice {

std::vector<std::int32_t> numbered_from_zero(std::span<const std::int32_t> labels, std::size_t& k) {
  std::map<std::int32_t, std::int32_t> number;
  for (const std::int32_t label : labels) number.emplace(label, 0);
  std::int32_t next = 0;
  for (auto& [label, place] : number) place = next++;
  k = number.size();
  std::vector<std::int32_t> result;
  result.reserve(labels.size());
  for (const std::int32_t label : labels) result.push_back(number.at(label));
  return result;
}

StatsArena labelling_statistics(const Execution& execution, const Rows& rows, const Components& components,
                                std::span<const std::int32_t> labels) {
  std::size_t k = 0;
  const std::vector<std::int32_t> numbered = numbered_from_zero(labels, k);
  const Units units(rows);
  const StatsArena stats = statistics_of_list(execution, Part(units), components, numbered, k);
  StatsArena occupied(0, components.stats_size());
  for (std::size_t c = 0; c < k; ++c) {
    if (stats.weight(c) > 0.0) occupied.append(stats[c]);  // rows of weight 0 are no cluster
  }
  return occupied;
}

double labelling_objective(const Execution& execution, const Rows& rows, const Components& components,
                           const PartitionPrior& partition, std::span<const std::int32_t> labels) {
  const StatsArena stats = labelling_statistics(execution, rows, components, labels);
  const std::vector<double> log_evidence = components.log_evidences(execution, stats);
  std::vector<double> sizes;
  double data_part = 0.0;
  double total = 0.0;
  for (std::size_t c = 0; c < stats.size(); ++c) {
    sizes.push_back(stats.weight(c));
    total += stats.weight(c);
    data_part -= log_evidence[c];
  }
  return data_part + partition.objective(sizes, total);
}

std::vector<std::int32_t> order_by_size(const Components& components, const StatsArena& stats) {
  std::vector<std::size_t> order(stats.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::vector<double>> means;
  for (std::size_t c = 0; c < stats.size(); ++c) means.push_back(components.column_moments(stats[c]).mean);
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return stats.weight(a) != stats.weight(b) ? stats.weight(a) > stats.weight(b) : means[a] < means[b];
  });
  std::vector<std::int32_t> place(stats.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<std::int32_t>(i);
  return place;
}

NumberedLabels number_by_size(const Execution& execution, const Rows& rows, const Components& components,
                              std::vector<std::int32_t> labels, std::size_t k) {
  const Units units(rows);
  const StatsArena as_given = statistics_of_list(execution, Part(units), components, labels, k);
  const std::vector<std::int32_t> place = order_by_size(components, as_given);
  NumberedLabels numbered{std::move(labels), StatsArena(k, components.stats_size())};
  for (std::int32_t& label : numbered.labels) label = place[static_cast<std::size_t>(label)];
  for (std::size_t c = 0; c < k; ++c) numbered.stats.assign(static_cast<std::size_t>(place[c]), as_given[c]);
  return numbered;
}

}  // namespace coppice
