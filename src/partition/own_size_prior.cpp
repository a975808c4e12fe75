// SPDX-License-Identifier: BSD-3-Clause
#include "partition/own_size_prior.hpp"

namespace coppice::internal {

namespace {

class OwnSizeShares final : public ShareTable {
 public:
  OwnSizeShares(const OwnSizePrior& prior, std::span<const double> sizes, double total)
      : ShareTable(log_shares_of(prior, sizes, total)), prior_(prior), total_(total), k_(sizes.size()) {}

  [[nodiscard]] double log_share_if(std::size_t /*cluster*/, double size) const override {
    return prior_.log_share(size, total_, k_);
  }

 private:
  const OwnSizePrior& prior_;
  double total_;
  std::size_t k_;
};

}  // namespace

void OwnSizePrior::log_shares(std::span<const double> sizes, double total, std::span<double> out) const {
  for (std::size_t c = 0; c < out.size(); ++c) out[c] = log_share(sizes[c], total, sizes.size());
}

std::unique_ptr<ShareTable> OwnSizePrior::share_table(std::span<const double> sizes, double total) const {
  return std::make_unique<OwnSizeShares>(*this, sizes, total);
}

}  // namespace coppice::internal
