// SPDX-License-Identifier: BSD-3-Clause
#include "family/discrete_samplers.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "coppice/data/poisson.hpp"

namespace coppice::internal {

namespace {

class UrnSampler final : public RowSampler {
 public:
  UrnSampler(std::vector<Urn> clusters, std::optional<double> words) : clusters_(std::move(clusters)), words_(words) {}

  void draw(std::size_t cluster, RandomStream& random, std::span<double> row) const override {
    const Urn& urn = clusters_[cluster];
    const double n_words = words_ ? *words_ : draw_poisson(random, urn.mean_words);
    std::ranges::fill(row, 0.0);
    std::vector<std::uint32_t> drawn;
    drawn.reserve(static_cast<std::size_t>(n_words));
    for (double word = 0.0; word < n_words; word += 1.0) {
      drawn.push_back(draw_word(urn, drawn, random));
      row[drawn.back()] += 1.0;
    }
  }

 private:
  static std::uint32_t draw_word(const Urn& urn, std::span<const std::uint32_t> drawn, RandomStream& random) {
    const double of_prior = urn.running.back();
    const double place = random.uniform() * (of_prior + static_cast<double>(drawn.size()));
    // A word drawn before comes again in proportion to how often it came: any of those drawn, equally likely. So O(1)
    // for a word instead of sums over all columns.
    if (place >= of_prior) return drawn[random.below(drawn.size())];
    const auto found = std::ranges::upper_bound(urn.running, place);
    return static_cast<std::uint32_t>(found - urn.running.begin());
  }

  std::vector<Urn> clusters_;
  std::optional<double> words_;
};

class BitSampler final : public RowSampler {
 public:
  explicit BitSampler(std::vector<std::vector<double>> ones) : ones_(std::move(ones)) {}

  void draw(std::size_t cluster, RandomStream& random, std::span<double> row) const override {
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = random.uniform() < ones_[cluster][i] ? 1.0 : 0.0;
  }

 private:
  std::vector<std::vector<double>> ones_;
};

}  // namespace

std::unique_ptr<RowSampler> urn_sampler(std::vector<Urn> clusters, std::optional<double> words) {
  return std::make_unique<UrnSampler>(std::move(clusters), words);
}

std::unique_ptr<RowSampler> bit_sampler(std::vector<std::vector<double>> ones) {
  return std::make_unique<BitSampler>(std::move(ones));
}

}  // namespace coppice::internal
