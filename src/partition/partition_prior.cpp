// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/partition/partition_prior.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "coppice/partition/sticks.hpp"
#include "coppice/runtime/counted.hpp"
#include "coppice/runtime/error.hpp"

namespace coppice {
using namespace internal;

namespace {

// For priors that have to look at all sizes again.
class AnyShares final : public ShareTable {
 public:
  AnyShares(const PartitionPrior& prior, std::span<const double> sizes, double total)
      : ShareTable(log_shares_of(prior, sizes, total)),
        prior_(prior),
        sizes_(sizes.begin(), sizes.end()),
        total_(total) {}

  [[nodiscard]] double log_share_if(std::size_t cluster, double size) const override {
    // O(K) for a question; priors whose shares go by their own size alone have a table that takes O(1)
    // (own_size_prior.hpp).
    std::vector<double> sizes = sizes_;
    sizes[cluster] = size;
    std::swap(sizes[cluster], sizes.front());  // the first are told
    double log_share = 0.0;
    prior_.log_shares(sizes, total_, {&log_share, 1});
    return log_share;
  }

 private:
  const PartitionPrior& prior_;
  std::vector<double> sizes_;
  double total_;
};

// A prior that goes by a name, and how it is made from its parameters, in this order.
using Values = std::span<const double>;
struct Entry {
  std::string_view name;
  std::vector<std::string_view> parameters;
  std::unique_ptr<PartitionPrior> (*make)(Values values);
};

const Entry& entry_of(std::string_view name) {
  // The names in model files, which stay what they are.
  static const std::vector<Entry> entries{
      {"dirichlet", {"phi0"}, [](Values values) { return make_dirichlet(values[0]); }},
      {"dp", {"alpha"}, [](Values values) { return make_dirichlet_process(values[0]); }},
      {"sticks", {"alpha1", "alpha2"}, [](Values values) { return make_sticks(values[0], values[1]); }},
      {"truncated-sticks",
       {"alpha1", "alpha2", "truncation"},
       [](Values values) {
         return make_truncated_sticks(values[0], values[1], static_cast<std::size_t>(std::max(1.0, values[2])));
       }},
      {"none", {}, [](Values /*values*/) { return make_no_partition_prior(); }},
      {"shares", {}, [](Values /*values*/) { return make_shares(); }},
      {"modal-shares", {"phi0"}, [](Values values) { return make_modal_shares(values[0]); }},
      {"equal", {}, [](Values /*values*/) { return make_equal_shares(); }},
  };
  const auto found = std::ranges::find(entries, name, &Entry::name);
  if (found != entries.end()) return *found;
  throw OptionError(fmt::format("there is no partition prior '{}'; choose dirichlet or dp", name));
}

std::unique_ptr<PartitionPrior> make(const Entry& entry, Values values) {
  for (const double value : values) {
    if (value > 0.0 && std::isfinite(value)) continue;
    throw OptionError(
        fmt::format("the parameter of the partition prior '{}' is {}, but must be positive", entry.name, value));
  }
  return entry.make(values);
}

}  // namespace

std::unique_ptr<ShareTable> PartitionPrior::share_table(std::span<const double> sizes, double total) const {
  return std::make_unique<AnyShares>(*this, sizes, total);
}

double PartitionPrior::remainder_offset(std::span<const double> /*sizes*/, double /*total*/) const {
  return std::numeric_limits<double>::infinity();
}

const MergeTerms& PartitionPrior::merges() const {
  if (const MergeTerms* terms = closed_merges()) return *terms;
  throw std::logic_error(fmt::format("merges of the partition prior '{}' have no closed form", name()));
}

std::vector<double> offsets_of(const PartitionPrior& partition, std::span<const double> sizes, double total) {
  std::vector<double> offsets(sizes.size());
  partition.offsets(sizes, total, offsets);
  return offsets;
}

std::vector<double> log_shares_of(const PartitionPrior& partition, std::span<const double> sizes, double total) {
  std::vector<double> log_shares(sizes.size());
  partition.log_shares(sizes, total, log_shares);
  return log_shares;
}

std::unique_ptr<PartitionPrior> make_partition_prior(std::string_view name,
                                                     std::span<const NamedParameter> parameters) {
  const Entry& entry = entry_of(name);
  std::vector<double> values;
  for (const std::string_view wanted : entry.parameters) {
    const auto found = std::ranges::find(parameters, wanted, &NamedParameter::name);
    if (found == parameters.end()) {
      throw OptionError(fmt::format("the partition prior '{}' needs a value of {}", name, wanted));
    }
    values.push_back(found->value);
  }
  if (parameters.size() != values.size()) {
    throw OptionError(fmt::format("the partition prior '{}' has {}, not {}", name, counted(values.size(), "parameter"),
                                  parameters.size()));
  }
  return make(entry, values);
}

std::unique_ptr<PartitionPrior> make_partition_prior(std::string_view name, double parameter) {
  const Entry& entry = entry_of(name);
  return make(entry, Values(&parameter, 1).first(entry.parameters.size()));
}

}  // namespace coppice
