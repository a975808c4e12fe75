// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The way down a tree with a list of candidates that shrinks: whoever wants to know where the rows of a node belong
// says which candidates are out of the question for a box, what to do with a node of which one candidate is left, and
// what to do with the rows of a leaf.
//
//   struct Visitor {
//     void prune(std::span<NodeCandidates> nodes);     // one, or both children of a node; cuts down their lists
//     void own(std::size_t node, std::int32_t candidate);
//     bool ends(std::size_t node);                                               // at the leaves, or earlier
//     void leaf(std::size_t node, std::span<const std::int32_t> candidates);     // where the way ends
//     void prefetch(std::size_t node, bool is_owned);  // own() or leaf() will soon be called for it
//   };
//
// The way leads down level by level: boxes of one level do not wait for each other, and while they are judged, those of
// the next are on their way from memory. Where a way ends nobody can foretell, so that nothing branches on it. own()
// and leaf() come afterwards, in the tree's order.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "coppice/tree/kd_tree.hpp"

namespace coppice::internal {

struct NodeCandidates {
  std::size_t node = 0;
  std::int32_t* candidates = nullptr;
  std::size_t n = 0;  // of them
};

// Memory for one descent after the other.
class Descent {
 public:
  template <class Visitor>
  void run(const KdTree& tree, std::size_t root, std::span<const std::int32_t> candidates, Visitor& visitor) {
    start(root, candidates, visitor);
    while (!open_.empty()) next_level(tree, visitor);
    hand_over(visitor);
  }

 private:
  static constexpr std::uint32_t nowhere = 0xffffffffU;

  // A node that no other of the places lies above or below. The places are a list from left to right that begins at
  // place 0: when a node is opened, its left child takes its place, and the right child one of its own behind it.
  struct Place {
    std::uint32_t node = 0;
    std::uint32_t n = 0;     // candidates
    std::size_t list = 0;    // where they begin
    std::uint32_t next = 0;  // place
  };

  template <class Visitor>
  void start(std::size_t root, std::span<const std::int32_t> candidates, Visitor& visitor) {
    lists_.assign(candidates.begin(), candidates.end());
    NodeCandidates at{root, lists_.data(), candidates.size()};
    visitor.prune(std::span(&at, 1));
    places_.assign(1, {static_cast<std::uint32_t>(root), static_cast<std::uint32_t>(at.n), 0, nowhere});
    open_.assign(is_open(places_.front(), visitor) ? 1 : 0, 0);
    n_candidates_ = at.n;
  }

  template <class Visitor>
  static bool is_open(const Place& place, const Visitor& visitor) {
    return (place.n > 1) & !visitor.ends(place.node);
  }

  template <class Visitor>
  void next_level(const KdTree& tree, Visitor& visitor) {
    auto right = static_cast<std::uint32_t>(places_.size());
    std::size_t list = lists_.size();
    places_.resize(right + open_.size());
    lists_.resize(list + n_candidates_);
    next_.resize(2 * open_.size());
    n_candidates_ = 0;
    std::size_t n_next = 0;
    const auto note = [&](std::uint32_t place) {
      const bool is_open_still = is_open(places_[place], visitor);
      next_[n_next] = place;
      n_next += is_open_still ? 1 : 0;
      n_candidates_ += is_open_still ? places_[place].n : 0;
      tree.prefetch(is_open_still ? tree.left(places_[place].node) : 0);
      tree.prefetch(is_open_still ? tree.right(places_[place].node) : 0);
    };
    for (const std::uint32_t left : open_) {
      const std::size_t n = places_[left].n;
      open(tree, left, right, list, visitor);
      list += n;
      note(left);
      note(right++);
    }
    next_.resize(n_next);
    std::swap(open_, next_);
  }

  // Puts the children of the node at place `left` there and at place `right`; the right one's candidates to `list`.
  template <class Visitor>
  void open(const KdTree& tree, std::uint32_t left, std::uint32_t right, std::size_t list, Visitor& visitor) {
    Place& parent = places_[left];
    const std::size_t n = parent.n;
    std::int32_t* candidates = &lists_[parent.list];
    for (std::size_t i = 0; i < n; ++i) lists_[list + i] = candidates[i];
    NodeCandidates children[2] = {{tree.left(parent.node), candidates, n}, {tree.right(parent.node), &lists_[list], n}};
    visitor.prune(children);
    places_[right] = {static_cast<std::uint32_t>(children[1].node), static_cast<std::uint32_t>(children[1].n), list,
                      parent.next};
    parent.node = static_cast<std::uint32_t>(children[0].node);
    parent.n = static_cast<std::uint32_t>(children[0].n);
    parent.next = right;
  }

  template <class Visitor>
  void hand_over(Visitor& visitor) const {
    constexpr std::size_t places_ahead = 8;
    std::uint32_t ahead = 0;
    const auto look_ahead = [&] {
      if (ahead == nowhere) return;
      visitor.prefetch(places_[ahead].node, places_[ahead].n == 1);
      ahead = places_[ahead].next;
    };
    for (std::size_t i = 0; i < places_ahead; ++i) look_ahead();
    for (std::uint32_t at = 0; at != nowhere; at = places_[at].next) {
      look_ahead();
      const Place& place = places_[at];
      if (place.n == 1) {
        visitor.own(place.node, lists_[place.list]);
      } else {
        visitor.leaf(place.node, {&lists_[place.list], place.n});
      }
    }
  }

  std::vector<Place> places_;
  std::vector<std::uint32_t> open_;  // places, from left to right, whose nodes are to be opened
  std::vector<std::uint32_t> next_;
  std::size_t n_candidates_ = 0;     // of all that are to be opened
  std::vector<std::int32_t> lists_;  // of candidates
};

// A visitor's prune() by a family's test of boxes.
inline void prune_boxes(const BoxTest& test, double lead, const KdTree& tree, std::span<NodeCandidates> nodes,
                        std::vector<double>& scratch) {
  kernels::ContestedBox boxes[2];
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Box box = tree.box(nodes[i].node);
    boxes[i] = {box.low.data(), box.high.data(), nodes[i].candidates, nodes[i].n};
  }
  test.prune({boxes, nodes.size()}, lead, scratch);
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i].n = boxes[i].n;
}

}  // namespace coppice::internal
