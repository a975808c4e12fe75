// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/model/labelling.hpp"

#include <algorithm>
#include <numeric>

#include "coppice/assign/naive.hpp"

namespace coppice::internal {

namespace {

// Every label that occurs, in increasing order.
std::vector<std::int32_t> different_labels(std::span<const std::int32_t> labels) {
  std::vector<std::int32_t> different(labels.begin(), labels.end());
  std::ranges::sort(different);
  different.erase(std::unique(different.begin(), different.end()), different.end());  // Clang 14 lacks the range
  return different;
}

// Labels that lie close together: a table over their range, so that a row costs a look-up.
std::vector<std::int32_t> numbered_in_range(std::span<const std::int32_t> labels, std::int32_t least, std::size_t range,
                                            std::size_t& k) {
  const auto place = [least](std::int32_t label) { return static_cast<std::size_t>(std::int64_t{label} - least); };
  std::vector<std::int32_t> number(range, 0);
  for (const std::int32_t label : labels) number[place(label)] = 1;
  k = 0;
  for (std::int32_t& of_label : number) {
    if (of_label == 1) of_label = static_cast<std::int32_t>(k++);
  }
  std::vector<std::int32_t> result(labels.size());
  std::ranges::transform(labels, result.begin(), [&](std::int32_t label) { return number[place(label)]; });
  return result;
}

}  // namespace

std::vector<std::int32_t> numbered_from_zero(std::span<const std::int32_t> labels, std::size_t& k) {
  k = 0;
  if (labels.empty()) return {};
  const auto [least, most] = std::ranges::minmax(labels);
  // Of two 32-bit numbers: the difference may need 33 bits.
  const auto range = static_cast<std::size_t>(std::int64_t{most} - least) + 1;
  if (range <= 2 * labels.size()) return numbered_in_range(labels, least, range, k);
  const std::vector<std::int32_t> different = different_labels(labels);
  k = different.size();
  std::vector<std::int32_t> result(labels.size());
  std::ranges::transform(labels, result.begin(), [&](std::int32_t label) {
    return static_cast<std::int32_t>(std::ranges::lower_bound(different, label) - different.begin());
  });
  return result;
}

StatsArena labelling_statistics(const Execution& execution, const Rows& rows, const Components& components,
                                std::span<const std::int32_t> labels) {
  std::size_t k = 0;
  const std::vector<std::int32_t> numbered = numbered_from_zero(labels, k);
  const Units units(rows);
  const StatsArena stats = statistics_of_list(execution, Subset(units), components, numbered, k);
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
    // Equal sizes by their means, so that numbers do not hang on how clusters came about.
    return stats.weight(a) != stats.weight(b) ? stats.weight(a) > stats.weight(b) : means[a] < means[b];
  });
  std::vector<std::int32_t> place(stats.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<std::int32_t>(i);
  return place;
}

NumberedLabels number_by_size(const Components& components, std::vector<std::int32_t> labels, const StatsArena& stats) {
  const std::vector<std::int32_t> place = order_by_size(components, stats);
  NumberedLabels numbered{std::move(labels), StatsArena(stats.size(), stats.stats_size())};
  for (std::int32_t& label : numbered.labels) label = place[static_cast<std::size_t>(label)];
  for (std::size_t c = 0; c < stats.size(); ++c) {
    numbered.stats.assign(static_cast<std::size_t>(place[c]), stats[c]);
  }
  return numbered;
}

}  // namespace coppice::internal
