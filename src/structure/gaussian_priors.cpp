// SPDX-License-Identifier: BSD-3-Clause
// Priors of Gaussian kinds by a few numbers that a fit can turn: gamma, the size of typical clusters in variances of
// the data; nu, how sure that size is (eta0 above what a proper prior needs, docs/errata.md, 7); xi0, how far apart
// clusters lie. All scale with the data, so that units do not matter.

#include "coppice/structure/gaussian_priors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

#include "coppice/family/adapter.hpp"
#include "coppice/family/diagonal.hpp"
#include "coppice/family/gaussian.hpp"
#include "coppice/family/spherical.hpp"
#include "coppice/family/student.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/structure/calm_moments.hpp"
#include "structure/gaussian_evidence.hpp"

namespace coppice {
using namespace internal;

namespace {

// Where searches start: clusters of a third, and of a twentieth, of the data's standard deviation.
constexpr double start_gammas[] = {0.1, 0.003};
constexpr double start_nu = 2.0;
constexpr double start_xi0 = 0.1;
// Clusters may have from 1 / 32 of the typical variance to 32 times as much.
constexpr double most_log_multiple = 5.0 * std::numbers::ln2;
// NormalWishart::multiples_decay: e^2 times less likely for every factor e, so that typical clusters pay little for the
// choice. Two columns in steps of log 2: 0.5 nats for f = 1 and 7.4 for f = 32, where equal chances would cost 2.4.
constexpr double multiples_decay = 2.0;

constexpr double start_freedom = 8.0;

// Up to which numbers are fitted. m0 is the mean of the data and v their variance: without limits, one cluster of all
// rows would pay nothing for its own.
struct Limits {
  double nu = 200.0;
  double xi0 = 1.0;
};
// With fewer rows than columns these charges, such as (D / 2) log(N + 1) for the mean, are more than what labels cost.
// As far as clusters without a mean or a scale of their own evade them, noise would be cut into many. And means may be
// nearer to each other, column by column, than rows are to them.
constexpr Limits limits_of_wide{1e6, 1e6};

Limits limits_along_axes(const GaussianShape& shape) { return is_wide(shape) ? limits_of_wide : Limits{}; }

enum Number : std::size_t { gamma, nu, xi0, freedom };

class GaussianPrior : public AdjustablePrior {
 public:
  // `least_eta` is what eta0 must exceed, so that nu = eta0 - least_eta.
  GaussianPrior(GaussianShape shape, double least_eta, const Limits& limits)
      : shape_(std::move(shape)), least_eta_(least_eta) {
    const auto given = [](const std::optional<double>& value, double low, double high) {
      return value ? std::pair(*value, *value) : std::pair(low, high);
    };
    // No grid at all: families then need not think of one.
    if (std::ranges::all_of(shape_.rounding, [](double r) { return r == 0.0; })) shape_.rounding.clear();
    std::optional<double> given_nu;
    if (shape_.eta0) given_nu = *shape_.eta0 - least_eta_;
    const auto [least_nu, most_nu] = given(given_nu, 1.0, limits.nu);
    const auto [low_xi0, high_xi0] = given(shape_.xi0, 1e-4, limits.xi0);
    const bool has_b0 = !shape_.b0.empty();
    // A B0 that is given by hand is not scaled: gamma stays 1.
    numbers_ = {
        {"gamma", has_b0 ? 1.0 : 1e-6, has_b0 ? 1.0 : 1e3}, {"nu", least_nu, most_nu}, {"xi0", low_xi0, high_xi0}};
    for (const double start_gamma : start_gammas) {
      starts_.push_back({std::clamp(start_gamma, numbers_[gamma].low, numbers_[gamma].high),
                         std::clamp(start_nu, numbers_[nu].low, numbers_[nu].high),
                         std::clamp(start_xi0, numbers_[xi0].low, numbers_[xi0].high)});
      if (has_b0) break;
    }
  }

  [[nodiscard]] const std::vector<PriorNumber>& numbers() const override { return numbers_; }
  [[nodiscard]] const std::vector<std::vector<double>>& starts() const override { return starts_; }

 protected:
  void add_number(PriorNumber number, double start) {
    numbers_.push_back(std::move(number));
    for (std::vector<double>& values : starts_) values.push_back(start);
  }
  [[nodiscard]] const GaussianShape& shape() const noexcept { return shape_; }
  [[nodiscard]] std::size_t n_columns() const noexcept { return shape_.mean.size(); }
  [[nodiscard]] double mean_variance() const {
    const std::vector<double>& v = shape_.variance;
    return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
  }
  [[nodiscard]] double eta0(std::span<const double> values) const noexcept { return least_eta_ + values[nu]; }
  [[nodiscard]] NormalGamma normal_gamma(std::span<const double> values, std::vector<double> b0) const {
    return {shape_.mean, values[xi0], eta0(values), std::move(b0), shape_.rounding};
  }

 private:
  GaussianShape shape_;
  double least_eta_;
  std::vector<PriorNumber> numbers_;
  std::vector<std::vector<double>> starts_;
};

class FullPrior : public GaussianPrior {
 public:
  using Kind = Gaussian;
  static constexpr std::string_view name = "gaussian";
  explicit FullPrior(const GaussianShape& shape)
      : GaussianPrior(shape, static_cast<double>(shape.mean.size()) - 1.0, Limits{}) {}

  [[nodiscard]] std::string_view family() const override { return name; }
  [[nodiscard]] std::unique_ptr<Components> at(std::span<const double> values) const override {
    return std::make_unique<FamilyAdapter<Gaussian>>(Gaussian(prior_at(values)));
  }
  [[nodiscard]] std::unique_ptr<EvidenceOfPrior> evidence_of(const Execution& execution,
                                                             const StatsArena& clusters) const override {
    if (!shape().b0.empty()) return AdjustablePrior::evidence_of(execution, clusters);
    return std::make_unique<GaussianEvidence>(execution, prior_at(starts().front()), unscaled_b0(), clusters,
                                              [this](std::span<const double> values) { return scaled(values); });
  }
  // With fewer rows than columns in a cluster on average, its evidence is the prior's, and more clusters always win.
  [[nodiscard]] std::size_t most_clusters(double total_weight) const override {
    return std::max<std::size_t>(1, static_cast<std::size_t>(total_weight / static_cast<double>(n_columns())));
  }

 protected:
  // The more columns there are, the finer: the evidence of a cluster falls by about (D s)^2 / 16 nats where its scale
  // is half a step of s away from what would suit it.
  [[nodiscard]] std::vector<double> multiples() const {
    constexpr double widest_step = 4.0;  // per column
    if (!shape().varies_in_scale || !shape().b0.empty()) return {};
    const double step = std::min(std::numbers::ln2, widest_step / static_cast<double>(n_columns()));
    const double n_up = std::ceil(most_log_multiple / step);
    std::vector<double> multiples;
    // Symmetric about f = 1, which is one of them.
    for (double i = -n_up; i <= n_up; i += 1.0) multiples.push_back(std::exp(i * step));
    return multiples;
  }
  // B0 = c V
  [[nodiscard]] ScaledPrior scaled(std::span<const double> values) const {
    ScaledPrior prior{values[xi0], eta0(values), eta0(values) * values[gamma]};
    if (values.size() > freedom) prior.freedom = values[freedom];  // clusters with tails
    return prior;
  }
  [[nodiscard]] std::vector<double> unscaled_b0() const {  // the diagonal of V
    return shape().is_round ? std::vector<double>(n_columns(), mean_variance()) : shape().variance;
  }
  [[nodiscard]] NormalWishart prior_at(std::span<const double> values) const {
    const std::size_t d = n_columns();
    std::vector<double> b0 = shape().b0;
    if (b0.empty()) {
      b0.assign(d * d, 0.0);
      const std::vector<double> v = unscaled_b0();
      for (std::size_t i = 0; i < d; ++i) b0[i * (d + 1)] = scaled(values).c * v[i];
    }
    return {shape().mean, values[xi0], eta0(values), std::move(b0), shape().rounding, multiples(), multiples_decay};
  }
};

class DiagonalPrior : public GaussianPrior {
 public:
  using Kind = DiagonalGaussian;
  static constexpr std::string_view name = "diagonal";
  explicit DiagonalPrior(const GaussianShape& shape) : GaussianPrior(shape, 0.0, limits_along_axes(shape)) {}

  [[nodiscard]] std::string_view family() const override { return name; }
  [[nodiscard]] std::unique_ptr<Components> at(std::span<const double> values) const override {
    return std::make_unique<FamilyAdapter<DiagonalGaussian>>(DiagonalGaussian(prior_at(values)));
  }

 protected:
  [[nodiscard]] NormalGamma prior_at(std::span<const double> values) const {
    std::vector<double> b0 = shape().variance;
    for (double& value : b0) value *= eta0(values) * values[gamma];
    return normal_gamma(values, std::move(b0));
  }
};

class SphericalPrior : public GaussianPrior {
 public:
  using Kind = SphericalGaussian;
  static constexpr std::string_view name = "spherical";
  explicit SphericalPrior(const GaussianShape& shape) : GaussianPrior(shape, 0.0, limits_along_axes(shape)) {}

  [[nodiscard]] std::string_view family() const override { return name; }
  [[nodiscard]] std::unique_ptr<Components> at(std::span<const double> values) const override {
    return std::make_unique<FamilyAdapter<SphericalGaussian>>(SphericalGaussian(prior_at(values)));
  }

 protected:
  [[nodiscard]] NormalGamma prior_at(std::span<const double> values) const {
    return normal_gamma(values, {eta0(values) * values[gamma] * mean_variance()});
  }
};

// Clusters of a kind with tails.
template <class KindPrior>
class StudentPrior final : public KindPrior {
 public:
  using Tailed = StudentOf<typename KindPrior::Kind>;
  static constexpr std::string_view name = student_name<typename KindPrior::Kind>;
  explicit StudentPrior(const GaussianShape& shape) : KindPrior(shape) {
    this->add_number({"freedom", 1.0, 1000.0}, start_freedom);
  }

  [[nodiscard]] std::string_view family() const override { return name; }
  [[nodiscard]] std::unique_ptr<Components> at(std::span<const double> values) const override {
    return std::make_unique<FamilyAdapter<Tailed>>(Tailed(this->prior_at(values), values[freedom]));
  }
};

template <class Prior>
std::unique_ptr<AdjustablePrior> prior_of(const GaussianShape& shape) {
  return std::make_unique<Prior>(shape);
}

struct GaussianFamily {
  std::string_view name;
  std::unique_ptr<AdjustablePrior> (*make)(const GaussianShape& shape);
};

template <class Prior>
constexpr GaussianFamily known = {Prior::name, prior_of<Prior>};

constexpr GaussianFamily gaussian_families[] = {known<FullPrior>,
                                                known<DiagonalPrior>,
                                                known<SphericalPrior>,
                                                known<StudentPrior<FullPrior>>,
                                                known<StudentPrior<DiagonalPrior>>,
                                                known<StudentPrior<SphericalPrior>>};

}  // namespace

bool vary_alike(std::span<const double> variances) {
  constexpr double most = 4.0;
  std::vector<double> sorted(variances.begin(), variances.end());
  std::ranges::sort(sorted);
  return sorted.back() <= most * sorted[(sorted.size() - 1) / 2];  // of two in the middle the smaller one
}

bool is_wide(const GaussianShape& shape) { return 0 < shape.n_different && shape.n_different < shape.mean.size(); }

bool is_mean_much_of_evidence(const GaussianShape& shape) {
  const auto n = static_cast<double>(shape.n_different);
  return 0.0 < n && n * (n - 1.0) < 4.0 * static_cast<double>(shape.mean.size());
}

bool has_few_rows(const Dataset& data) {
  constexpr double few_rows_per_column = 10.0;
  return static_cast<double>(data.n_rows()) < few_rows_per_column * static_cast<double>(data.n_columns());
}

GaussianShape gaussian_shape(const Execution& execution, const Rows& rows) {
  ColumnMoments moments = calm_moments(execution, rows);
  for (std::size_t i = 0; i < rows.n_columns(); ++i) {
    if (!std::isfinite(moments.mean[i]) || !std::isfinite(moments.variance[i])) {
      throw DataError(
          fmt::format("column '{}' holds values so large that their squares overflow; divide it by a constant",
                      rows.data().columns()[i].name));
    }
    if (!(moments.variance[i] > 0.0)) moments.variance[i] = 1.0;  // constant: nothing to go by
  }
  return {std::move(moments.mean), std::move(moments.variance), {}};
}

std::unique_ptr<AdjustablePrior> make_gaussian_prior(std::string_view family, const GaussianShape& shape) {
  const auto* const found = std::ranges::find(gaussian_families, family, &GaussianFamily::name);
  if (found != std::end(gaussian_families)) return found->make(shape);
  throw OptionError(fmt::format("there is no Gaussian family '{}'", family));
}

}  // namespace coppice
