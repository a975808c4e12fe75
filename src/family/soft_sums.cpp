// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/family/soft_sums.hpp"

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

// Families that keep no products of columns: sums and squares of all clusters, column by column. `Second` says what
// becomes of the squares (centred_moments.hpp).
template <class Second>
class ColumnByColumn final : public SoftSums {
 public:
  explicit ColumnByColumn(const Components& components)
      : n_columns_(components.n_columns()), stats_size_(components.stats_size()) {}

  void add(RowBlock& rows, std::span<const PanelPart> parts) const override {
    const kernels::PanelView panel = rows.panel();
    thread_local Workspace workspace;
    workspace.prepare(parts.size(), n_columns_, stats_size_);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      workspace.targets[i] = {
          parts[i].shares,
          {base(parts[i], i, panel, workspace).subspan(1, n_columns_), workspace.row(workspace.sums, i, n_columns_),
           workspace.row(workspace.squares, i, n_columns_)}};
    }
    kernels::add_squares(panel, workspace.targets);
    for (std::size_t i = 0; i < parts.size(); ++i) finish(parts[i], i, workspace);
  }

 private:
  struct Workspace {
    std::vector<double> own;  // statistics of parts that outweigh what is there
    std::vector<double> sums;
    std::vector<double> squares;
    std::vector<kernels::WeightedSums> targets;

    void prepare(std::size_t n_parts, std::size_t n_columns, std::size_t stats_size) {
      own.assign(n_parts * stats_size, 0.0);
      sums.assign(n_parts * n_columns, 0.0);
      squares.assign(n_parts * n_columns, 0.0);
      targets.resize(n_parts);
    }
    static std::span<double> row(std::vector<double>& values, std::size_t i, std::size_t size) {
      return std::span(values).subspan(i * size, size);
    }
  };

  // As in add_centred: about the mean that is there, unless the panel outweighs it.
  static bool is_own(const PanelPart& part) { return part.weight > part.into[0]; }

  StatsRef base(const PanelPart& part, std::size_t i, const kernels::PanelView& panel, Workspace& workspace) const {
    if (!is_own(part)) return part.into;
    const StatsRef own = Workspace::row(workspace.own, i, stats_size_);
    const kernels::PaddedWeights weights({part.shares, panel.n_rows}, panel.n_rows);
    if (weights.total() > 0.0) kernels::weighted_means(panel, weights, own.subspan(1, n_columns_));
    return own;
  }

  void finish(const PanelPart& part, std::size_t i, Workspace& workspace) const {
    if (!(part.weight > 0.0)) return;
    const StatsRef to = is_own(part) ? Workspace::row(workspace.own, i, stats_size_) : part.into;
    Second::add_squares(to.subspan(1 + n_columns_), Workspace::row(workspace.squares, i, n_columns_));
    move_mean<Second>(to, Workspace::row(workspace.sums, i, n_columns_), part.weight);
    if (is_own(part)) merge_centred<Second>(part.into, to, n_columns_);
  }

  std::size_t n_columns_;
  std::size_t stats_size_;
};

}  // namespace

std::unique_ptr<SoftSums> make_soft_sums(const Components& components) {
  if (components.family() == "point-diagonal") return std::make_unique<ColumnByColumn<DiagonalSecond>>(components);
  if (components.family() == "point-spherical") return std::make_unique<ColumnByColumn<TraceSecond>>(components);
  return std::make_unique<OneByOne>(components);
}

}  // namespace coppice
