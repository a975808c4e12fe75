// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/family/soft_sums.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "family/centred_moments.hpp"

namespace coppice {

namespace {

class OneByOne final : public SoftSums {
 public:
  explicit OneByOne(const Components& components) : components_(components) {}

  void add(RowBlock& rows, std::span<const PanelPart> parts) const override {
    for (const PanelPart& part : parts) components_.add(part.into, rows, {part.shares, rows.n_rows()});
  }

 private:
  const Components& components_;
};

// Families that keep no products of columns: sums and squares of all clusters at once, about the rows' origin. A
// cluster that lies so far from it, for its width, that its squares would lose too many digits takes its rows by
// itself, about its own mean. `Second` says what becomes of the squares (centred_moments.hpp).
template <class Second>
class ColumnByColumn final : public SoftSums {
 public:
  explicit ColumnByColumn(const Components& components) : components_(components) {}

  void add(RowBlock& rows, std::span<const PanelPart> parts) const override {
    const std::size_t d = components_.n_columns();
    thread_local Workspace workspace;
    workspace.sets.clear();
    workspace.sums.resize(2 * d * parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      double* sums = &workspace.sums[2 * d * i];
      workspace.sets.push_back({parts[i].shares, sums, sums + d});
    }
    kernels::shared_sums(rows.panel(), workspace.sets);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::span<double> sums = std::span(workspace.sums).subspan(2 * d * i, d);
      const std::span<double> squares = std::span(workspace.sums).subspan(2 * d * i + d, d);
      if (!(parts[i].weight > 0.0)) continue;
      if (about_mean(parts[i].weight, sums, squares)) {
        merge(parts[i], sums, squares, workspace.own);
      } else {
        components_.add(parts[i].into, rows, {parts[i].shares, rows.n_rows()});
      }
    }
  }

 private:
  struct Workspace {
    std::vector<kernels::SharedSums> sets;
    std::vector<double> sums;  // of every part: sums, then squares
    std::vector<double> own;
  };

  // Of a column's squares about the origin, this much at least must be left about the mean: 33 of 53 bits are right.
  static constexpr double least_left = 0x1p-20;

  // Sums become means, and squares those about the means; false if they have lost too many digits (or are infinite).
  static bool about_mean(double weight, std::span<double> sums, std::span<double> squares) {
    bool is_right = true;
    for (std::size_t c = 0; c < sums.size(); ++c) {
      const double mean = sums[c] / weight;
      const double left = squares[c] - sums[c] * mean;
      is_right = is_right && left >= least_left * squares[c] && left < std::numeric_limits<double>::infinity();
      sums[c] = mean;
      squares[c] = left;
    }
    return is_right;
  }

  void merge(const PanelPart& part, std::span<const double> means, std::span<const double> squares,
             std::vector<double>& own) const {
    own.assign(components_.stats_size(), 0.0);
    own[0] = part.weight;
    std::ranges::copy(means, own.begin() + 1);
    Second::add_squares(StatsRef(own).subspan(1 + means.size()), squares);
    merge_centred<Second>(part.into, own, means.size());
  }

  const Components& components_;
};

}  // namespace

std::unique_ptr<SoftSums> make_soft_sums(const Components& components) {
  if (components.family() == "point-diagonal") return std::make_unique<ColumnByColumn<DiagonalSecond>>(components);
  if (components.family() == "point-spherical") return std::make_unique<ColumnByColumn<TraceSecond>>(components);
  return std::make_unique<OneByOne>(components);
}

}  // namespace coppice
