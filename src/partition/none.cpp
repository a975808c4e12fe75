// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <limits>

#include "partition/own_size_prior.hpp"

namespace coppice {
using namespace internal;

namespace {

// For k-means: sizes do not count, and merging clusters costs what the data say.
class NoPartitionPrior final : public OwnSizePrior {
 public:
  [[nodiscard]] std::unique_ptr<PartitionPrior> clone() const override { return make_no_partition_prior(); }
  [[nodiscard]] std::string_view name() const override { return "none"; }
  [[nodiscard]] std::vector<NamedParameter> parameters() const override { return {}; }

  void offsets(std::span<const double> /*sizes*/, double /*total*/, std::span<double> out) const override {
    std::ranges::fill(out, 0.0);
  }
  [[nodiscard]] double objective(std::span<const double> /*sizes*/, double /*total*/) const override { return 0.0; }
  [[nodiscard]] double pair(double /*size_a*/, double /*size_b*/) const override { return 0.0; }
  [[nodiscard]] double level(double /*total*/, std::size_t /*k*/) const override { return 0.0; }
  [[nodiscard]] double size_term(double /*size*/) const override { return 0.0; }
  [[nodiscard]] double log_share(double /*size*/, double /*total*/, std::size_t /*k*/) const override { return 0.0; }
  [[nodiscard]] double log_remainder(std::span<const double> /*sizes*/, double /*total*/) const override {
    return -std::numeric_limits<double>::infinity();
  }
  [[nodiscard]] bool is_monotone() const override { return true; }
};

}  // namespace

std::unique_ptr<PartitionPrior> make_no_partition_prior() { return std::make_unique<NoPartitionPrior>(); }

}  // namespace coppice
