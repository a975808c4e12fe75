// SPDX-License-Identifier: BSD-3-Clause
// Everything about the evidence but the determinants, and the search for the best multiple of B0: eight multiples at a
// time, spread over those that are left, since a kernel finds several determinants side by side.

#include "coppice/family/wishart_evidence.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "coppice/kernels/special.hpp"
#include "family/log_constants.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t at_once = 8;  // multiples: as many as fill the widest vectors

}  // namespace

WishartEvidence::WishartEvidence(const Numbers& numbers, std::span<const double> multiples)
    : numbers_(numbers),
      multiples_(multiples.begin(), multiples.end()),
      log_multigamma0_(kernels::log_multigamma(numbers.eta0 / 2.0, numbers.n_columns)) {
  if (multiples_.empty()) return;
  double sum = 0.0;
  for (const double multiple : multiples_) sum += std::exp(log_prior_of(multiple));
  log_sum_of_multiples_ = std::log(sum);
}

double WishartEvidence::log_prior_of(double multiple) const {
  return -numbers_.multiples_decay * std::abs(std::log(multiple)) - log_sum_of_multiples_;
}

// D / 2, not 1 / 2, before log(xi0 / xi): [S] Eq. 3.3 corrected, see docs/errata.md.
double WishartEvidence::of_any_multiple(WeighedRows rows) const {
  const auto dimension = static_cast<double>(numbers_.n_columns);
  return -dimension * rows.n / 2.0 * log_pi + dimension / 2.0 * std::log(numbers_.xi0 / (numbers_.xi0 + rows.weight)) +
         numbers_.eta0 / 2.0 * numbers_.log_det_b0 +
         kernels::log_multigamma((numbers_.eta0 + rows.n) / 2.0, numbers_.n_columns) - log_multigamma0_;
}

double WishartEvidence::of_multiple(double multiple, double log_det, double n_rows) const {
  return numbers_.eta0 / 2.0 * static_cast<double>(numbers_.n_columns) * std::log(multiple) -
         (numbers_.eta0 + n_rows) / 2.0 * log_det + log_prior_of(multiple);
}

// With B = f B0 + S the evidence is concave in log f: its slope there, (eta0 D - eta tr(f B0 B^-1)) / 2, falls; and so
// is log_prior_of. So the best one is between the neighbours of the best of a few.
WishartEvidence::AtMultiple WishartEvidence::best(double n_rows, const LogDets& log_dets) const {
  constexpr double one = 1.0;
  const std::span<const double> multiples =
      multiples_.empty() ? std::span(&one, 1) : std::span<const double>(multiples_);
  std::size_t first = 0;
  std::size_t last = multiples.size() - 1;
  for (;;) {
    const std::size_t count = std::min(at_once, last - first + 1);
    std::array<std::size_t, at_once> places{};
    std::array<double, at_once> some{};
    std::array<double, at_once> values{};
    for (std::size_t i = 0; i < count; ++i) {
      places[i] = first + (last - first) * i / std::max<std::size_t>(1, count - 1);
      some[i] = multiples[places[i]];
    }
    log_dets(std::span(some).first(count), values.data());
    std::size_t best = 0;
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = of_multiple(some[i], values[i], n_rows);
      if (values[i] > values[best]) best = i;
    }
    // All that were left have been looked at.
    if (last - first < at_once) return {some[best], values[best]};
    first = best == 0 ? first : places[best - 1] + 1;
    last = best + 1 == count ? last : places[best + 1] - 1;
  }
}

}  // namespace coppice::internal
