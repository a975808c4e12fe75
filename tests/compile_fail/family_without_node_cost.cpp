// SPDX-License-Identifier: BSD-3-Clause
// A family that cannot tell the cost of a whole node is none: tree nodes and summaries need it.
#include "coppice/family/adapter.hpp"
#include "coppice/family/gaussian.hpp"

class OwnFamily : public coppice::internal::Gaussian {
 public:
  using coppice::internal::Gaussian::Gaussian;
  explicit OwnFamily(coppice::internal::Gaussian base) : coppice::internal::Gaussian(std::move(base)) {}
  static OwnFamily from_arrays(const coppice::NamedArrays& arrays) {
    return OwnFamily(coppice::internal::Gaussian::from_arrays(arrays));
  }
#ifdef COPPICE_MISUSE
  double node_cost(const Posterior& q, coppice::ConstStatsRef stats) const = delete;
#endif
};

std::size_t size_of(const coppice::FamilyAdapter<OwnFamily>& components) { return components.size(); }
