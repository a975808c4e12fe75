// SPDX-License-Identifier: BSD-3-Clause
#include <limits>

#include "coppice/partition/partition_prior.hpp"

namespace coppice {

namespace {

class NoPartitionPrior final : public PartitionPrior {
 public:
  [[nodiscard]] std::unique_ptr<PartitionPrior> clone() const override { return make_no_partition_prior(); }
  [[nodiscard]] std::string_view name() const override { return "none"; }
  [[nodiscard]] double parameter() const override { return 0.0; }

  [[nodiscard]] double offset(double /*size*/, double /*total*/, std::size_t /*k*/) const override { return 0.0; }
  [[nodiscard]] double objective(std::span<const double> /*sizes*/, double /*total*/) const override { return 0.0; }
  [[nodiscard]] double merge_pair(double /*size_a*/, double /*size_b*/) const override { return 0.0; }
  [[nodiscard]] double merge_level(double /*total*/, std::size_t /*k*/) const override { return 0.0; }
  [[nodiscard]] double size_term(double /*size*/) const override { return 0.0; }
  [[nodiscard]] double log_share(double /*size*/, double /*total*/, std::size_t /*k*/) const override { return 0.0; }
  [[nodiscard]] double log_share_of_new(double /*total*/) const override {
    return -std::numeric_limits<double>::infinity();
  }
  [[nodiscard]] bool is_monotone() const override { return true; }
};

}  // namespace

std::unique_ptr<PartitionPrior> make_no_partition_prior() { return std::make_unique<NoPartitionPrior>(); }

}  // namespace coppice
