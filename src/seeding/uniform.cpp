// SPDX-License-Identifier: BSD-3-Clause
// Draws without replacement by weight, copies counting as one content: k different places to start from.

#include "coppice/seeding/uniform.hpp"

#include <array>
#include <cstdint>

#include "coppice/data/row_draw.hpp"
#include "seeding/content_order.hpp"
#include "seeding/whole_mass.hpp"

namespace coppice::internal {

namespace {

// Contents in an urn. A draw walks over at most 256 groups, 256 buckets of one group and the rows of one bucket.
class Urn {
 public:
  Urn(const Execution& execution, const SeedingTable& table)
      : table_(table),
        order_(execution, table),
        unit_(WholeMass::make(table.total_weight(), 1.0)),
        is_drawn_(order_.rows().size(), 0),
        buckets_(n_content_buckets, 0) {
    for (std::size_t position = 0; position < is_drawn_.size(); ++position) add(position, mass(position));
  }

  [[nodiscard]] bool is_empty() const noexcept { return total_ == 0; }

  // Takes out a content and returns the first of its rows.
  std::size_t draw(RandomStream& random) {
    auto target = static_cast<std::int64_t>(random.below(static_cast<std::size_t>(total_)));
    std::size_t bucket = n_groups * pass(groups_.data(), target);
    bucket += pass(buckets_.data() + bucket, target);
    std::size_t position = order_.begin(bucket);
    for (;; ++position) {
      if (is_drawn_[position] != 0) continue;
      if (target < mass(position)) break;
      target -= mass(position);
    }
    return take_out(position);
  }

 private:
  static constexpr std::size_t n_groups = 256;

  [[nodiscard]] std::int64_t mass(std::size_t position) const noexcept {
    return unit_(1.0, table_.rows().weight(order_.rows()[position]));
  }
  void add(std::size_t position, std::int64_t mass) noexcept {
    const std::size_t bucket = table_.bucket(order_.rows()[position]);
    buckets_[bucket] += mass;
    groups_[bucket / n_groups] += mass;
    total_ += mass;
  }
  // How many masses the target passes; it is less them afterwards.
  static std::size_t pass(const std::int64_t* masses, std::int64_t& target) noexcept {
    std::size_t n = 0;
    for (; target >= masses[n]; ++n) target -= masses[n];
    return n;
  }
  [[nodiscard]] bool are_copies(std::size_t a, std::size_t b) const {
    return !content_less(table_.rows().data(), order_.rows()[a], order_.rows()[b]);  // a stands before b
  }
  std::size_t take_out(std::size_t position) {
    std::size_t first = position;
    // Copies stand together in content order.
    while (first > 0 && are_copies(first - 1, position)) --first;
    for (std::size_t copy = first; copy < is_drawn_.size() && are_copies(position, copy); ++copy) {
      is_drawn_[copy] = 1;
      add(copy, -mass(copy));
    }
    return order_.rows()[first];
  }

  const SeedingTable& table_;
  ContentOrder order_;
  WholeMass unit_;
  std::vector<std::uint8_t> is_drawn_;
  std::vector<std::int64_t> buckets_;
  std::array<std::int64_t, n_groups> groups_{};
  std::int64_t total_ = 0;
};

}  // namespace

std::vector<std::size_t> uniform_rows(const Execution& execution, const Rows& rows, std::size_t k,
                                      RandomStream& random) {
  const SeedingTable table(execution, rows);
  std::vector<std::size_t> chosen;
  if (k == 0 || table.n_present() == 0) return chosen;
  Urn urn(execution, table);
  while (chosen.size() < k && !urn.is_empty()) {
    throw_if_stopped(execution.stop);
    chosen.push_back(urn.draw(random));
  }
  return chosen;
}

}  // namespace coppice::internal
