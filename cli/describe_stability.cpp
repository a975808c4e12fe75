// SPDX-License-Identifier: BSD-3-Clause
#include "describe_stability.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "coppice/runtime/counted.hpp"

namespace coppice::cli {
using namespace internal;

namespace {

// "K = 5 in 18 of 20 resamples (4 in 2), mean ARI 0.972": other numbers by how often they came.
std::string number_line(const Stability& stability, std::size_t k) {
  constexpr std::size_t most_numbers = 4;
  std::vector<std::pair<std::size_t, std::size_t>> others;  // number of clusters, how often
  for (const auto& [number, count] : stability.k_counts) {
    if (number != k) others.emplace_back(number, count);
  }
  std::ranges::stable_sort(others, std::ranges::greater{}, [](const auto& other) { return other.second; });
  std::size_t n_rest = 0;
  std::vector<std::string> entries;
  for (const auto& [number, count] : others) {
    if (entries.size() < most_numbers) {
      entries.push_back(fmt::format("{} in {}", number, count));
    } else {
      n_rest += count;
    }
  }
  if (n_rest > 0) entries.push_back(fmt::format("others in {}", n_rest));
  const auto same = stability.k_counts.find(k);
  return fmt::format("K = {} in {} of {}{}, mean ARI {:.3f}\n", k, same == stability.k_counts.end() ? 0 : same->second,
                     counted(stability.resamples, "resample"),
                     entries.empty() ? "" : fmt::format(" ({})", fmt::join(entries, ", ")), stability.ari);
}

struct Pair {
  std::size_t a = 0;
  std::size_t b = 0;
  double together = 0.0;
};

// The pairs of clusters whose rows often share a cluster, the most frequent first.
std::vector<Pair> merging_pairs(const Stability& stability) {
  constexpr double least_share = 0.25;
  std::vector<Pair> pairs;
  const std::size_t k = stability.together.empty() ? 0 : stability.clusters.size();
  for (std::size_t a = 0; a < k; ++a) {
    for (std::size_t b = a + 1; b < k; ++b) {
      if (stability.together_of(a, b) >= least_share) pairs.push_back({a, b, stability.together_of(a, b)});
    }
  }
  std::ranges::stable_sort(pairs, std::ranges::greater{}, &Pair::together);
  return pairs;
}

// "Often in one cluster there: 0 and 3 (45%), 2 and 7 (31%)"
std::string pairs_line(const Stability& stability) {
  constexpr std::size_t most_pairs = 4;
  const std::vector<Pair> pairs = merging_pairs(stability);
  std::vector<std::string> entries;
  for (const Pair& pair : pairs) {
    if (entries.size() == most_pairs) break;
    entries.push_back(fmt::format("{} and {} ({:.0f}%)", pair.a, pair.b, 100.0 * pair.together));
  }
  if (entries.empty()) return {};
  const std::string more =
      pairs.size() > most_pairs ? fmt::format(" and {}", counted(pairs.size() - most_pairs, "more pair")) : "";
  return fmt::format("Often in one cluster there: {}{}\n", fmt::join(entries, ", "), more);
}

}  // namespace

std::string stability_lines(const Stability& stability, std::size_t k) {
  if (stability.resamples == 0) return "No resample was fitted: nothing is known about the stability\n";
  return number_line(stability, k) + pairs_line(stability);
}

}  // namespace coppice::cli
