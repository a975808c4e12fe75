// SPDX-License-Identifier: BSD-3-Clause
// diagonal_log_densities of diagonal.hpp. Rows become columns a tile at a time, which stays in the first cache while
// all forms are evaluated; the rows of the next tile come in meanwhile.
#include "coppice/kernels/aligned.hpp"
#include "coppice/kernels/diagonal.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/diagonal_densities.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <vector>

#include "kernels/read_ahead.hpp"
#include "kernels/registers-inl.hpp"
#include "kernels/turn_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Vec = hn::Vec<Tag>;

constexpr std::size_t tile_rows = 32;
// Forms times vectors of rows are sums, which hide the latency of a multiply-add and leave room in the registers for a
// vector of rows and for what the forms have to say about a column.
constexpr std::size_t forms_at_once = has_many_registers ? 4 : 2;
constexpr std::size_t vectors_at_once = 4;

struct Tile {
  const double* HWY_RESTRICT values;  // column by column, tile_rows apart
  std::size_t n_rows;
  std::size_t n_columns;
};

// A form with scale m in place of m.
struct ScaledForm {
  const double* HWY_RESTRICT scale;
  const double* HWY_RESTRICT scaled_m;
  double a;
};

// F forms and V vectors of rows. A log density may be off by as much as if x had been rounded once more: scale x -
// scale m in one operation.
template <std::size_t F, std::size_t V>
HWY_INLINE void DensitiesOf(const Tile& tile, std::size_t row, const ScaledForm* forms, const ReadAhead::Lines& lines,
                            double* HWY_RESTRICT out) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  Vec density[F][V];
  for (std::size_t f = 0; f < F; ++f) {
    for (std::size_t v = 0; v < V; ++v) density[f][v] = hn::Set(d, -forms[f].a);
  }
  const double* HWY_RESTRICT x = tile.values + row;
  for (std::size_t column = 0; column < tile.n_columns; ++column, x += tile_rows) {
    if (column < lines.n) __builtin_prefetch(lines.first + column * ReadAhead::line);
    for (std::size_t v = 0; v < V; ++v) {
      const Vec of_rows = hn::LoadU(d, x + v * lanes);
      for (std::size_t f = 0; f < F; ++f) {
        // One operation in place of a subtraction and a product. Far from the origin it cancels more than (x - m)
        // would; shares, which come out of these densities, can bear that, labels could not (diagonal.cpp).
        const Vec t = hn::MulSub(of_rows, hn::Set(d, forms[f].scale[column]), hn::Set(d, forms[f].scaled_m[column]));
        density[f][v] = hn::NegMulAdd(t, t, density[f][v]);
      }
    }
  }
  for (std::size_t f = 0; f < F; ++f) {
    for (std::size_t v = 0; v < V; ++v) hn::StoreU(density[f][v], d, out + f * panel_stride + row + v * lanes);
  }
}

template <std::size_t F>
HWY_INLINE void DensitiesOfTile(const Tile& tile, const ScaledForm* forms, ReadAhead& ahead, double* out) {
  constexpr std::size_t V = vectors_at_once;
  const std::size_t lanes = hn::Lanes(Tag());
  ReadAhead::Lines lines = ahead.next(tile.n_columns);
  std::size_t row = 0;
  for (; row + V * lanes <= tile.n_rows; row += V * lanes, lines.n = 0) {
    DensitiesOf<F, V>(tile, row, forms, lines, out);
  }
  for (; row < tile.n_rows; row += lanes, lines.n = 0) DensitiesOf<F, 1>(tile, row, forms, lines, out);
}

HWY_INLINE void DensitiesOfAll(const Tile& tile, std::span<const ScaledForm> forms, ReadAhead ahead, double* out) {
  constexpr std::size_t F = forms_at_once;
  std::size_t i = 0;
  for (; i + F <= forms.size(); i += F) DensitiesOfTile<F>(tile, &forms[i], ahead, out + i * panel_stride);
  for (; i + 2 <= forms.size(); i += 2) DensitiesOfTile<2>(tile, &forms[i], ahead, out + i * panel_stride);
  if (i < forms.size()) DensitiesOfTile<1>(tile, &forms[i], ahead, out + i * panel_stride);
}

// Kept per thread, since it is as large as the data has columns.
struct Workspace {
  AlignedVector<double> tile;
  AlignedVector<double> scaled_m;
  std::vector<ScaledForm> forms;
};

void TakeForms(std::span<const DiagonalForm> forms, std::size_t n_columns, Workspace& workspace) {
  workspace.scaled_m.resize(n_columns * forms.size());
  workspace.forms.clear();
  for (const DiagonalForm& form : forms) {
    double* HWY_RESTRICT scaled_m = &workspace.scaled_m[workspace.forms.size() * n_columns];
    for (std::size_t column = 0; column < n_columns; ++column) scaled_m[column] = form.scale[column] * form.m[column];
    workspace.forms.push_back({form.scale.data(), scaled_m, form.a});
  }
}

template <class Value>
void DensitiesFrom(const Value* values, const StoredRows& rows, std::size_t n_columns, Workspace& workspace,
                   double* out) {
  const std::size_t n_groups = std::max<std::size_t>(workspace.forms.size() / forms_at_once, 1);
  // Through an index, nobody knows where the next rows lie in memory: nothing is asked for in advance.
  const std::size_t n_known = rows.index == nullptr ? rows.n_rows + rows.n_following : 0;
  for (std::size_t first = 0; first < rows.n_rows; first += tile_rows, out += tile_rows) {
    const std::size_t n_rows = std::min(tile_rows, rows.n_rows - first);
    const std::size_t next = first + n_rows;
    const auto row_at = [&](std::size_t i) {
      return values + (rows.index != nullptr ? rows.index[first + i] : first + i) * n_columns;
    };
    TurnAll(row_at, n_rows, {rows.origin, n_columns}, {workspace.tile.data(), tile_rows});
    const std::size_t n_next = next < n_known ? std::min(tile_rows, n_known - next) : 0;
    const ReadAhead ahead(std::as_bytes(std::span(values + next * n_columns, n_next * n_columns)), n_groups);
    DensitiesOfAll({workspace.tile.data(), n_rows, n_columns}, workspace.forms, ahead, out);
  }
}

void Densities(const StoredRows& rows, std::size_t n_columns, std::span<const DiagonalForm> forms, double* out) {
  thread_local Workspace workspace;
  workspace.tile.resize(n_columns * tile_rows);
  TakeForms(forms, n_columns, workspace);
  if (rows.doubles != nullptr) return DensitiesFrom(rows.doubles, rows, n_columns, workspace, out);
  DensitiesFrom(rows.floats, rows, n_columns, workspace, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace coppice::kernels {

HWY_EXPORT(Densities);

void diagonal_log_densities(const StoredRows& rows, std::size_t n_columns, std::span<const DiagonalForm> forms,
                            double* out) {
  HWY_DYNAMIC_DISPATCH(Densities)(rows, n_columns, forms, out);
}

}  // namespace coppice::kernels
#endif
