// SPDX-License-Identifier: BSD-3-Clause
// The one place that lists all methods by their types. Whoever goes by the catalogue knows none of them.

#include "coppice/methods/catalogue.hpp"

#include <algorithm>

#include "coppice/methods/abc.hpp"
#include "coppice/methods/bayesian_kmeans.hpp"
#include "coppice/methods/blei_jordan.hpp"
#include "coppice/methods/gaussian_mixture.hpp"
#include "coppice/methods/kmeans.hpp"
#include "coppice/methods/linkages.hpp"
#include "coppice/methods/mog_bic.hpp"
#include "coppice/methods/variational_dp.hpp"
#include "coppice/methods/variational_mixture.hpp"
#include "methods/options_of.hpp"

namespace coppice {
using namespace internal;

namespace {

template <class Method>
class MethodOf final : public AnyMethod {
 public:
  [[nodiscard]] const MethodFacts& facts() const override { return Method::facts; }
  [[nodiscard]] Objective objective() const override {
    if constexpr (requires(const Method& method) { method.objective(); }) {
      return method_.objective();
    } else {
      return Method::facts.objective;
    }
  }
  [[nodiscard]] Options& options() override { return options_; }
  [[nodiscard]] const Options& options() const override { return options_; }
  [[nodiscard]] Fit fit(const Dataset& data, const RunOptions& run) const override {
    return coppice::fit(data, method_, run);
  }
  [[nodiscard]] double score(const Dataset& data, std::span<const std::int32_t> labels,
                             const RunOptions& run) const override {
    return coppice::score(data, labels, method_, run);
  }

 private:
  Method method_;
  OptionsOf<Method> options_{method_};
};

template <class... Methods>
std::vector<MethodEntry> entries_of() {
  return {MethodEntry{Methods::facts, list_options<Methods>(),
                      [] { return std::unique_ptr<AnyMethod>(std::make_unique<MethodOf<Methods>>()); }}...};
}

}  // namespace

std::span<const MethodEntry> methods() {
  static const std::vector<MethodEntry> entries =
      entries_of<BayesianKMeans, AgglomerativeBayesian, VariationalMixture, VariationalDp, BleiJordan, KMeans,
                 GaussianMixtureEm, MixtureByBic, SingleLinkage, CompleteLinkage, AverageLinkage, WardLinkage>();
  return entries;
}

const MethodEntry* find_method(std::string_view name) noexcept {
  const std::span<const MethodEntry> all = methods();
  const auto found = std::ranges::find(all, name, [](const MethodEntry& entry) { return entry.facts.name; });
  return found == all.end() ? nullptr : &*found;
}

std::unique_ptr<Options> run_options(RunOptions& run) { return std::make_unique<OptionsOf<RunOptions>>(run); }

}  // namespace coppice
