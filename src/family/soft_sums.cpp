// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/family/soft_sums.hpp"

#include <vector>

#include "coppice/kernels/shared_sums.hpp"

namespace coppice::internal {

namespace {

class OneByOne final : public SoftSums {
 public:
  explicit OneByOne(const Components& components) : components_(components) {}

  void add(RowBlock& rows, std::span<const PanelPart> parts) const override {
    for (const PanelPart& part : parts) {
      components_.add_members(part.cluster, part.into, rows, {part.shares, rows.n_rows()});
    }
  }

 private:
  const Components& components_;
};

// Components::shares_by_column(): sums and squares of all clusters at once, about the rows' origin. A
// cluster that lies so far from it, for its width, that its squares would lose too many digits takes its rows by
// itself, about its own mean.
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
    take_sums(rows, workspace.sets);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const PanelPart& part = parts[i];
      if (!(part.weight > 0.0)) continue;
      const kernels::SetSums set{part.weight, {workspace.sets[i].sums, d}, {workspace.sets[i].squares, d}};
      // Asked for every panel: it hangs on which of its rows the cluster has.
      if (kernels::keep_digits(set)) {
        kernels::merge_sums(set, part.into[0], part.into.subspan(1, d), part.into.subspan(1 + d));
        part.into[0] += part.weight;
      } else {
        components_.add(part.into, rows, {part.shares, rows.n_rows()});
      }
    }
  }

 private:
  struct Workspace {
    std::vector<kernels::SharedSums> sets;
    std::vector<double> sums;  // of every part: sums, then squares
  };

  static void take_sums(RowBlock& rows, std::span<const kernels::SharedSums> sets) {
    if (rows.n_columns() < kernels::least_shared_columns) return kernels::shared_sums(rows.panel(), sets);
    kernels::shared_sums(rows.stored(), rows.n_columns(), sets);
  }

  const Components& components_;
};

}  // namespace

std::unique_ptr<SoftSums> make_soft_sums(const Components& components) {
  if (components.shares_by_column()) return std::make_unique<ColumnByColumn>(components);
  return std::make_unique<OneByOne>(components);
}

}  // namespace coppice::internal
