// SPDX-License-Identifier: BSD-3-Clause
// The prior of the clusters with the background as one group more, of fixed weight: sizes are handed on with it, the
// total is raised by it, and its rows cost log V each. Merges of clusters leave it alone but for the number of groups.

#include "coppice/partition/background.hpp"

#include <limits>
#include <utility>
#include <vector>

namespace coppice::internal {

namespace {

class BesideBackground final : public PartitionPrior, public MergeTerms {
 public:
  BesideBackground(std::unique_ptr<PartitionPrior> clusters, Background background)
      : clusters_(std::move(clusters)), background_(std::move(background)), n_more_(background_.weight > 0.0 ? 1 : 0) {}

  [[nodiscard]] std::unique_ptr<PartitionPrior> clone() const override {
    return std::make_unique<BesideBackground>(clusters_->clone(), background_);
  }
  [[nodiscard]] std::string_view name() const override { return clusters_->name(); }
  [[nodiscard]] std::vector<NamedParameter> parameters() const override { return clusters_->parameters(); }

  void offsets(std::span<const double> sizes, double total, std::span<double> out) const override {
    clusters_->offsets(groups(sizes), total + background_.weight, out);
  }
  [[nodiscard]] double remainder_offset(std::span<const double> sizes, double total) const override {
    return clusters_->remainder_offset(groups(sizes), total + background_.weight);
  }
  [[nodiscard]] double objective(std::span<const double> sizes, double total) const override {
    return clusters_->objective(groups(sizes), total + background_.weight) +
           background_.weight * background_.log_volume;
  }
  void log_shares(std::span<const double> sizes, double total, std::span<double> out) const override {
    clusters_->log_shares(groups(sizes), total + background_.weight, out);
  }
  [[nodiscard]] double log_remainder(std::span<const double> sizes, double total) const override {
    return clusters_->log_remainder(groups(sizes), total + background_.weight);
  }
  [[nodiscard]] std::unique_ptr<ShareTable> share_table(std::span<const double> sizes, double total) const override {
    return clusters_->share_table(groups(sizes), total + background_.weight);
  }
  [[nodiscard]] const MergeTerms* closed_merges() const override {
    return clusters_->closed_merges() == nullptr ? nullptr : this;
  }
  [[nodiscard]] double pair(double size_a, double size_b) const override {
    // The background is no partner of either.
    return clusters_->merges().pair(size_a, size_b);
  }
  [[nodiscard]] double level(double total, std::size_t k) const override {
    return clusters_->merges().level(total + background_.weight, k + n_more_);
  }
  [[nodiscard]] double size_term(double size) const override { return clusters_->merges().size_term(size); }
  [[nodiscard]] bool is_monotone() const override { return clusters_->is_monotone(); }

  [[nodiscard]] const Background* background() const override { return &background_; }
  [[nodiscard]] const PartitionPrior& of_clusters() const override { return *clusters_; }

 private:
  // Sizes of the clusters, and of the background behind them.
  [[nodiscard]] std::vector<double> groups(std::span<const double> sizes) const {
    std::vector<double> all(sizes.begin(), sizes.end());
    if (n_more_ > 0) all.push_back(background_.weight);
    return all;
  }

  std::unique_ptr<PartitionPrior> clusters_;
  Background background_;
  std::size_t n_more_;  // groups
};

std::vector<double> background_first(const Background& background, std::span<const double> sizes) {
  // Whoever comes first is answered for.
  std::vector<double> groups{background.weight};
  groups.insert(groups.end(), sizes.begin(), sizes.end());
  return groups;
}

}  // namespace

std::unique_ptr<PartitionPrior> beside_background(std::unique_ptr<PartitionPrior> clusters, Background background) {
  return std::make_unique<BesideBackground>(std::move(clusters), std::move(background));
}

double background_cost(const PartitionPrior& partition, std::span<const double> sizes, double total) {
  const Background* background = partition.background();
  if (background == nullptr || !(background->weight > 0.0)) return std::numeric_limits<double>::infinity();
  double offset = 0.0;
  partition.of_clusters().offsets(background_first(*background, sizes), total + background->weight, {&offset, 1});
  return background->log_volume + offset;
}

double background_log_joint(const PartitionPrior& partition, std::span<const double> sizes, double total) {
  const Background* background = partition.background();
  if (background == nullptr || !(background->weight > 0.0)) return -std::numeric_limits<double>::infinity();
  double share = 0.0;
  partition.of_clusters().log_shares(background_first(*background, sizes), total + background->weight, {&share, 1});
  return share - background->log_volume;
}

}  // namespace coppice::internal
