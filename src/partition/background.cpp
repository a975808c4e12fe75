// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/partition/background.hpp"

#include <limits>
#include <utility>
#include <vector>

namespace coppice {

namespace {

class BesideBackground final : public PartitionPrior {
 public:
  BesideBackground(std::unique_ptr<PartitionPrior> clusters, Background background)
      : clusters_(std::move(clusters)), background_(background), n_more_(background.weight > 0.0 ? 1 : 0) {}

  [[nodiscard]] std::unique_ptr<PartitionPrior> clone() const override {
    return std::make_unique<BesideBackground>(clusters_->clone(), background_);
  }
  [[nodiscard]] std::string_view name() const override { return clusters_->name(); }
  [[nodiscard]] double parameter() const override { return clusters_->parameter(); }

  [[nodiscard]] double offset(double size, double total, std::size_t k) const override {
    return clusters_->offset(size, total + background_.weight, k + n_more_);
  }
  [[nodiscard]] double objective(std::span<const double> sizes, double total) const override {
    std::vector<double> groups(sizes.begin(), sizes.end());
    if (n_more_ > 0) groups.push_back(background_.weight);
    return clusters_->objective(groups, total + background_.weight) + background_.weight * background_.log_volume;
  }
  [[nodiscard]] double merge_pair(double size_a, double size_b) const override {
    return clusters_->merge_pair(size_a, size_b);
  }
  [[nodiscard]] double merge_level(double total, std::size_t k) const override {
    return clusters_->merge_level(total + background_.weight, k + n_more_);
  }
  [[nodiscard]] double size_term(double size) const override { return clusters_->size_term(size); }
  [[nodiscard]] double log_share(double size, double total, std::size_t k) const override {
    return clusters_->log_share(size, total + background_.weight, k + n_more_);
  }
  [[nodiscard]] double log_share_of_new(double total) const override {
    return clusters_->log_share_of_new(total + background_.weight);
  }
  [[nodiscard]] bool is_monotone() const override { return clusters_->is_monotone(); }

  [[nodiscard]] const PartitionPrior& clusters() const noexcept { return *clusters_; }
  [[nodiscard]] const Background& background() const noexcept { return background_; }

 private:
  std::unique_ptr<PartitionPrior> clusters_;
  Background background_;
  std::size_t n_more_;  // groups
};

const BesideBackground* beside(const PartitionPrior& partition) {
  return dynamic_cast<const BesideBackground*>(&partition);
}

}  // namespace

std::unique_ptr<PartitionPrior> beside_background(std::unique_ptr<PartitionPrior> clusters, Background background) {
  return std::make_unique<BesideBackground>(std::move(clusters), background);
}

const Background* background_of(const PartitionPrior& partition) {
  const BesideBackground* found = beside(partition);
  return found == nullptr ? nullptr : &found->background();
}

const PartitionPrior& without_background(const PartitionPrior& partition) {
  const BesideBackground* found = beside(partition);
  return found == nullptr ? partition : found->clusters();
}

double background_cost(const PartitionPrior& partition, double total, std::size_t k) {
  const Background* background = background_of(partition);
  if (background == nullptr || !(background->weight > 0.0)) return std::numeric_limits<double>::infinity();
  return background->log_volume + partition.offset(background->weight, total, k);
}

double background_log_joint(const PartitionPrior& partition, double total, std::size_t k) {
  const Background* background = background_of(partition);
  if (background == nullptr || !(background->weight > 0.0)) return -std::numeric_limits<double>::infinity();
  return partition.log_share(background->weight, total, k) - background->log_volume;
}

}  // namespace coppice
