// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the exact kd-tree asks of a family on top of the rest: to say which clusters are out of the question for every
// row inside a box, from the box alone.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "coppice/family/family.hpp"
#include "coppice/kernels/contested_box.hpp"

namespace coppice {

// low <= x <= high, column by column, in coordinates less the data's origin.
struct Box {
  std::span<const double> low;
  std::span<const double> high;
};

// Which of a set of clusters are out of the question in a box. Made once for many boxes; threads may share it.
class BoxTest {
 public:
  BoxTest() = default;
  BoxTest(const BoxTest&) = delete;
  BoxTest& operator=(const BoxTest&) = delete;
  virtual ~BoxTest() = default;

  // One box, or both children of a node, which begin with the same candidates. Drops every candidate that some other
  // candidate beats in the whole box by more than `lead` and by more than any tie (tie_rule.hpp), and moves the others
  // to the front without changing their order. At least one is left. `scratch` is memory to work in, one per thread.
  virtual void prune(std::span<kernels::ContestedBox> boxes, double lead, std::vector<double>& scratch) const = 0;
};

template <class F>
concept BoxBounded = Family<F> &&
    requires(const F f, std::span<const typename F::Posterior> all, std::span<const double> offsets) {
  { f.box_test(all, offsets) } -> std::same_as<std::unique_ptr<BoxTest>>;  // by cost + offset
};

}  // namespace coppice
