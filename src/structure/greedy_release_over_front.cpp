// SPDX-License-Identifier: BSD-3-Clause
// The part of the greedy search that opens a growing front: for trials, for what F falls by, and for a last look.
#include <algorithm>
#include <numeric>
#include <utility>

#include "coppice/structure/greedy_release.hpp"

namespace coppice::internal {

namespace {

// Over a front, what a component is cut by; and where every component has failed with that. Nodes hide more the more
// columns there are.
constexpr TrialUnits in_trials{.units = 64, .leaves = 16, .rows = 128};
constexpr TrialUnits in_last_trials{.units = 256, .leaves = 16, .rows = 2048};
constexpr std::size_t rows_of_all_components = 4096;  // which are looked at one by one in any case
constexpr std::size_t rows_per_column = 125;

}  // namespace

// What its units were before shared alike; so may what they have become, and F does not rise.
void GreedyRelease::renew(Mixture& mixture) {
  if (front_ == nullptr) return;
  mixture = at(mixture.next);
  journal_.count_iteration();
}

bool GreedyRelease::open_for_gain(Mixture& mixture) {
  if (front_ == nullptr || !front_->open_for_gain(execution_, problem_, mixture.stats)) return false;
  renew(mixture);
  return true;
}

// Whenever there are twice as many components.
bool GreedyRelease::open_by_sample(Mixture& mixture) {
  if (front_ == nullptr || mixture.stats.size() < 2 * n_when_sampled_) return false;
  if (front_->open_by_sample(execution_, problem_, mixture.stats)) {
    renew(mixture);
    return true;
  }
  n_when_sampled_ = mixture.stats.size();
  return false;
}

bool GreedyRelease::open_to_budget(Mixture& mixture) {
  if (front_ == nullptr) return false;
  const Opening opening = front_->open_to_budget(execution_, problem_, mixture.stats);
  if (opening.has_opened) {
    renew(mixture);
  } else {
    mixture.gap = opening.left;
  }
  return opening.has_opened;
}

bool GreedyRelease::release() {
  if (front_ == nullptr) return release_among({});
  if (release_among(in_trials)) return true;
  const std::shared_ptr<const Front> front = front_->now();
  Mixture before = now_;
  is_last_look_ = true;
  const bool has_released = release_at_last();
  is_last_look_ = false;
  if (has_released) {
    show(now_, "release");
    return true;
  }
  front_->go_back(front);
  now_ = std::move(before);
  return false;
}

// Over a front that is opened wide for it.
bool GreedyRelease::release_at_last() {
  std::vector<std::size_t> all(now_.stats.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const std::size_t rows = std::max({in_last_trials.rows, rows_per_column * problem_.components.n_columns(),
                                     rows_of_all_components / now_.stats.size()});
  const TrialUnits last{in_last_trials.units, in_last_trials.leaves, rows};
  return open_for_trials(all, last) && release_among(last);
}

bool GreedyRelease::open_for_trials(std::span<const std::size_t> candidates, const TrialUnits& least) {
  bool has_opened = false;
  while (front_ != nullptr && front_->open_for_trials(now_.labels.list(), candidates, least)) {
    has_opened = true;
    renew(now_);
    show(now_, "update");
  }
  return has_opened;
}

}  // namespace coppice::internal
