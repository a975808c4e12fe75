// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Priors over partitions, as run-time objects: what they add to the cost of a label, to the objective, and to the gain
// of a merge. Every question comes with the sizes of all clusters, since a prior may go by their order and by the
// weight behind each (sticks), or by their number alone. The order in which sizes are given means nothing. `total` is
// the weight of all rows; empty clusters count only through the number of clusters.

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coppice {

namespace internal {
struct Background;
}

struct NamedParameter {
  std::string name;
  double value = 0.0;
  bool operator==(const NamedParameter&) const = default;
};

// What merging two clusters changes in the objective, where that is a part that depends on the two sizes alone and one
// that is the same for all pairs. Agglomeration, splits and single moves go by it.
class MergeTerms {
 public:
  // Two clusters of these sizes become one.
  [[nodiscard]] virtual double pair(double size_a, double size_b) const = 0;
  // The number of clusters falls from k to k - 1.
  [[nodiscard]] virtual double level(double total, std::size_t k) const = 0;
  // What one cluster takes off the objective: pair(a, b) = size_term(a) + size_term(b) - size_term(a + b).
  [[nodiscard]] virtual double size_term(double size) const = 0;

 protected:
  ~MergeTerms() = default;
};

// Log shares of the clusters for the next row, worked out once for given sizes, and what they would be if one cluster
// had another size: rows that might leave are judged by their cluster without them.
class ShareTable {
 public:
  explicit ShareTable(std::vector<double> log_shares) : log_shares_(std::move(log_shares)) {}
  ShareTable(const ShareTable&) = delete;
  ShareTable& operator=(const ShareTable&) = delete;
  virtual ~ShareTable() = default;

  [[nodiscard]] double log_share(std::size_t cluster) const { return log_shares_[cluster]; }
  // From several threads.
  [[nodiscard]] virtual double log_share_if(std::size_t cluster, double size) const = 0;

 private:
  std::vector<double> log_shares_;
};

class PartitionPrior {
 public:
  PartitionPrior() = default;
  PartitionPrior(const PartitionPrior&) = delete;
  PartitionPrior& operator=(const PartitionPrior&) = delete;
  virtual ~PartitionPrior() = default;

  [[nodiscard]] virtual std::unique_ptr<PartitionPrior> clone() const = 0;
  [[nodiscard]] virtual std::string_view name() const = 0;
  // Name and parameters are enough to make the prior again.
  [[nodiscard]] virtual std::vector<NamedParameter> parameters() const = 0;

  // -E[log weight] of the first out.size() clusters, added to every labelling cost: whoever works on some of the
  // clusters names those first.
  virtual void offsets(std::span<const double> sizes, double total, std::span<double> out) const = 0;
  // The same for all clusters not seen yet, taken as one that is at its prior: rows may have shares in them, which are
  // what `sizes` lack of `total`. +infinity: none can come, as with most priors while labels are sought.
  [[nodiscard]] virtual double remainder_offset(std::span<const double> sizes, double total) const;
  // -log p(labels): the partition's part of the objective.
  [[nodiscard]] virtual double objective(std::span<const double> sizes, double total) const = 0;
  // Log shares of the first out.size() clusters for the next row, and that of all clusters not seen yet (-infinity:
  // none can come).
  virtual void log_shares(std::span<const double> sizes, double total, std::span<double> out) const = 0;
  [[nodiscard]] virtual double log_remainder(std::span<const double> sizes, double total) const = 0;
  // The same shares to be asked for many times; keep the prior meanwhile. Unless a prior knows better, one question
  // costs as much as all shares.
  [[nodiscard]] virtual std::unique_ptr<ShareTable> share_table(std::span<const double> sizes, double total) const;
  // True if batch sweeps can never raise the objective, so that no repair is needed.
  [[nodiscard]] virtual bool is_monotone() const = 0;

  // A background beside the clusters (beside_background), or nullptr; and the prior of the clusters alone.
  [[nodiscard]] virtual const internal::Background* background() const { return nullptr; }
  [[nodiscard]] virtual const PartitionPrior& of_clusters() const { return *this; }

  // nullptr if merges of this prior have no closed form: it is then for searches that compare whole objectives.
  [[nodiscard]] virtual const MergeTerms* closed_merges() const { return nullptr; }
  // The same for those who cannot do without: std::logic_error.
  [[nodiscard]] const MergeTerms& merges() const;
};

[[nodiscard]] std::vector<double> offsets_of(const PartitionPrior& partition, std::span<const double> sizes,
                                             double total);
[[nodiscard]] std::vector<double> log_shares_of(const PartitionPrior& partition, std::span<const double> sizes,
                                                double total);

// Finite symmetric Dirichlet(phi0) over K labelled clusters.
[[nodiscard]] std::unique_ptr<PartitionPrior> make_dirichlet(double phi0);
// Dirichlet process (Chinese restaurant) with mass alpha.
[[nodiscard]] std::unique_ptr<PartitionPrior> make_dirichlet_process(double alpha);
// Sticks broken off without end, each a Beta(alpha1, alpha2) part of what is left (partition/sticks.hpp).
[[nodiscard]] std::unique_ptr<PartitionPrior> make_sticks(double alpha1, double alpha2);
// No say in the labels and no part in the objective: k-means.
[[nodiscard]] std::unique_ptr<PartitionPrior> make_no_partition_prior();
// The parameters that clusters bring. Each costs log(N) / 2 in the objective, as in BIC, N the weight of the rows that
// the objective is of: likelihood and price are of the same rows, whatever these weigh.
struct ClusterParameters {
  double first = 0.0;
  double further = 0.0;  // every other
};
// The shares of a mixture by maximum likelihood: a cluster's part of the weight, or 1 / K for every cluster.
[[nodiscard]] std::unique_ptr<PartitionPrior> make_shares(ClusterParameters parameters = {});
[[nodiscard]] std::unique_ptr<PartitionPrior> make_equal_shares();
// The shares at the mode of their posterior under a symmetric Dirichlet(phi0). OptionError if phi0 < 1.
[[nodiscard]] std::unique_ptr<PartitionPrior> make_modal_shares(double phi0);

// By name, with exactly the parameters that it has: "dirichlet" (phi0), "dp" (alpha), "sticks" (alpha1, alpha2),
// "truncated-sticks" (alpha1, alpha2, truncation), "none", "shares", "equal", "modal-shares" (phi0). OptionError for
// other names, for other parameters, and for values that are not positive.
[[nodiscard]] std::unique_ptr<PartitionPrior> make_partition_prior(std::string_view name,
                                                                   std::span<const NamedParameter> parameters);
// The same for priors of at most one parameter; those that have none do without the number.
[[nodiscard]] std::unique_ptr<PartitionPrior> make_partition_prior(std::string_view name, double parameter);

}  // namespace coppice
