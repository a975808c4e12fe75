// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Hierarchies by linkage: single, complete, average and ward. The whole tree is the result (Fit::hierarchy); the labels
// are one level of it.
//
//   Fit fit = coppice::fit(points, WardLinkage{.k = 5});
//   cut(fit.hierarchy->tree, 7);                           // another level

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "coppice/data/dataset.hpp"
#include "coppice/methods/describe.hpp"
#include "coppice/methods/fit.hpp"
#include "coppice/methods/method_facts.hpp"
#include "coppice/structure/linkage.hpp"

namespace coppice {

[[nodiscard]] constexpr MethodFacts linkage_facts(Linkage kind) noexcept {
  constexpr Capabilities capabilities{.weights = true, .tree = true};
  MethodFacts facts{to_string(kind), "", "", summed_squares, capabilities};
  switch (kind) {
    case Linkage::single:
      facts.class_name = "SingleLinkage";
      facts.summary = "single linkage: a tree of clusters by their closest rows; follows chains";
      break;
    case Linkage::complete:
      facts.class_name = "CompleteLinkage";
      facts.summary = "complete linkage: a tree of clusters by their farthest rows; N^2 memory";
      break;
    case Linkage::average:
      facts.class_name = "AverageLinkage";
      facts.summary = "average linkage: a tree of clusters by their mean distance; N^2 memory";
      break;
    case Linkage::ward:
      facts.class_name = "WardLinkage";
      facts.summary = "Ward's linkage: a tree of clusters by the growth of the summed squares";
      break;
  }
  return facts;
}

// One method per linkage; they differ in nothing but the distance between clusters.
template <Linkage kind>
struct LinkageMethod {
  static constexpr MethodFacts facts = linkage_facts(kind);
  static constexpr std::string_view name = facts.name;

  std::optional<std::uint64_t> k = {};
  std::optional<double> height = {};
  std::uint64_t seed = 0;
};

using SingleLinkage = LinkageMethod<Linkage::single>;
using CompleteLinkage = LinkageMethod<Linkage::complete>;
using AverageLinkage = LinkageMethod<Linkage::average>;
using WardLinkage = LinkageMethod<Linkage::ward>;

template <class Method>
inline constexpr bool is_linkage_method = false;
template <Linkage kind>
inline constexpr bool is_linkage_method<LinkageMethod<kind>> = true;

template <class Self, class Visit>
requires is_linkage_method<std::remove_const_t<Self>>
void describe(Self& o, Visit&& visit) {
  visit("k", o.k, Range::at_least(1),
        "number of clusters to cut the tree into; without {k} and {height} at the widest gap between heights");
  visit("height", o.height, Range::at_least(0), "cut the tree at this height: all merges up to it are made");
  visit("seed", o.seed, Range::at_least(0), "random seed of {transform} and {stability}; the tree needs none");
}

// Where a tree is cut into clusters: by their number, by height, or, if neither is given, at the widest gap.
struct TreeCut {
  std::optional<std::uint64_t> k = {};
  std::optional<double> height = {};
};

// The number of clusters when all merges up to this height are made. Heights must not fall from merge to merge.
[[nodiscard]] std::size_t clusters_at_height(const Dendrogram& tree, double height);
// The same below the widest gap between the heights of successive merges; the highest of equal ones. 1 if there is no
// gap. A rule of thumb, no more.
[[nodiscard]] std::size_t clusters_at_widest_gap(const Dendrogram& tree);

[[nodiscard]] Fit fit_linkage(const Dataset& data, Linkage kind, const TreeCut& where, const RunOptions& run);
[[nodiscard]] double score_linkage(const Dataset& data, std::span<const std::int32_t> labels, Linkage kind,
                                   const RunOptions& run);

// OptionError if the options do not fit the data, LimitError if it is too large. A fit that is stopped before the tree
// is complete has one cluster and no hierarchy.
template <Linkage kind>
[[nodiscard]] Fit fit(const Dataset& data, const LinkageMethod<kind>& method, const RunOptions& run = {}) {
  check_options(method);
  return fit_linkage(data, kind, {method.k, method.height}, run);
}

// The sum of squared distances from the means of a given labelling.
template <Linkage kind>
[[nodiscard]] double score(const Dataset& data, std::span<const std::int32_t> labels, const LinkageMethod<kind>& method,
                           const RunOptions& run = {}) {
  check_options(method);
  return score_linkage(data, labels, kind, run);
}

}  // namespace coppice
