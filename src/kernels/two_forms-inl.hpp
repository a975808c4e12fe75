// SPDX-License-Identifier: BSD-3-Clause
// Two quadratic forms in two boxes (pair_bound.hpp): who is beaten where. Included once per instruction set.
//
// Nearly all boxes below the top of a tree are between two forms, and a node's children are judged together: what is
// computed for one of them is computed for the other in the same vector.

#if defined(COPPICE_KERNELS_TWO_FORMS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef COPPICE_KERNELS_TWO_FORMS_INL
#undef COPPICE_KERNELS_TWO_FORMS_INL
#else
#define COPPICE_KERNELS_TWO_FORMS_INL
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "coppice/kernels/pair_bound.hpp"

HWY_BEFORE_NAMESPACE();
namespace coppice::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Numbers of both boxes side by side; where vectors have one lane, of one box.
using TwoTag = hn::CappedTag<double, 2>;
using Two = hn::Vec<TwoTag>;
constexpr std::size_t boxes_at_once = hn::MaxLanes(TwoTag());

HWY_INLINE Two SideBySide(double one, [[maybe_unused]] double other) {
  const TwoTag d;
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(d, one);
#else
  return hn::InterleaveLower(d, hn::Set(d, one), hn::Set(d, other));
#endif
}

template <std::size_t D>
struct TwoBoxes {
  Two centre[D];
  Two half_width[D];
  Two squared_radius = hn::Zero(TwoTag());

  HWY_INLINE TwoBoxes(const ContestedBox& one, const ContestedBox& other) {
    const Two half = hn::Set(TwoTag(), 0.5);
    for (std::size_t i = 0; i < D; ++i) {
      const Two low = SideBySide(one.low[i], other.low[i]);
      const Two high = SideBySide(one.high[i], other.high[i]);
      centre[i] = hn::Mul(half, hn::Add(low, high));
      half_width[i] = hn::Max(hn::Sub(high, centre[i]), hn::Sub(centre[i], low));  // the centre is rounded
      squared_radius = hn::MulAdd(half_width[i], half_width[i], squared_radius);
    }
  }
};

// least_parabola of the header.
// Not as the header has it, since the minimum of vectors does not say what it makes of what is not a number: a
// comparison and a choice do.
HWY_INLINE Two LeastParabola(Two g, Two h, Two w) {
  const Two slope = hn::Abs(g);
  const Two twice_h = hn::Add(h, h);
  const Two t = hn::IfThenElse(hn::Lt(slope, hn::Mul(twice_h, w)), hn::Div(slope, twice_h), w);
  return hn::Mul(hn::MulSub(h, t, slope), t);
}

// The least value of g' t + t' H t for t in a box of two columns; of H what stands above the diagonal is left out. It
// is on one of the four sides, where it is that of a parabola, or inside.
HWY_INLINE Two LeastInBox(const Two (&w)[2], const Two (&g)[2], const Two (&h)[3]) {
  const TwoTag d;
  const auto on_side = [&](std::size_t along, Two t) HWY_ATTR {  // the other coordinate is t
    const std::size_t across = 1 - along;
    const Two fixed = hn::Mul(hn::MulAdd(h[2 * across], t, g[across]), t);
    return hn::Add(fixed, LeastParabola(hn::MulAdd(hn::Add(h[1], h[1]), t, g[along]), h[2 * along], w[along]));
  };
  const Two on_sides = hn::Min(hn::Min(on_side(0, w[1]), on_side(0, hn::Neg(w[1]))),
                               hn::Min(on_side(1, w[0]), on_side(1, hn::Neg(w[0]))));
  const Two determinant = hn::NegMulAdd(h[1], h[1], hn::Mul(h[0], h[2]));
  const Two scale = hn::Div(hn::Set(d, 0.5), determinant);
  const Two t0 = hn::Mul(hn::MulSub(h[1], g[1], hn::Mul(h[2], g[0])), scale);
  const Two t1 = hn::Mul(hn::MulSub(h[1], g[0], hn::Mul(h[0], g[1])), scale);
  // No comparison holds for what is not a number, where the determinant is 0.
  const auto is_least = hn::And(hn::Gt(h[0], hn::Zero(d)), hn::Gt(determinant, hn::Zero(d)));
  const auto is_inside = hn::And(hn::Lt(hn::Abs(t0), w[0]), hn::Lt(hn::Abs(t1), w[1]));
  const Two inside = hn::Mul(hn::Set(d, 0.5), hn::MulAdd(g[0], t0, hn::Mul(g[1], t1)));
  return hn::IfThenElse(hn::And(is_least, is_inside), hn::Min(inside, on_sides), on_sides);
}

// A form seen from the centres of two boxes.
template <std::size_t D>
struct AtCentres {
  BoxForm form;
  Two value;
  Two gradient[D];
  Two reach;  // as that of PairMargin

  HWY_INLINE AtCentres(const TwoBoxes<D>& boxes, const double* record) : form{record, record + D, record[D + D * D]} {
    const TwoTag d;
    Two t[D];
    Two squared_distance = hn::Zero(d);
    for (std::size_t i = 0; i < D; ++i) {
      t[i] = hn::Sub(boxes.centre[i], hn::Set(d, form.m[i]));
      squared_distance = hn::MulAdd(t[i], t[i], squared_distance);
    }
    value = hn::Set(d, form.a);
    for (std::size_t i = 0; i < D; ++i) {
      Two y = hn::Mul(hn::Set(d, form.matrix[i * D]), t[0]);
      for (std::size_t j = 1; j < D; ++j) y = hn::MulAdd(hn::Set(d, form.matrix[i * D + j]), t[j], y);
      gradient[i] = hn::Add(y, y);
      value = hn::MulAdd(t[i], y, value);
    }
    const double trace = record[D + D * D + 1];
    const Two distance = hn::Add(squared_distance, boxes.squared_radius);
    reach = hn::MulAdd(hn::Set(d, 4.0 * trace), distance, hn::Set(d, std::abs(form.a)));
  }
};

// At most the least lead of the form that is smaller at the centre; two columns: the lead itself.
template <std::size_t D>
HWY_INLINE Two LeastLead(const TwoBoxes<D>& boxes, const AtCentres<D>& a, const AtCentres<D>& b) {
  const TwoTag d;
  const Two difference = hn::Sub(b.value, a.value);
  // Whoever is smaller at the centre is taken for p, and the other for q: with the sign both cases are one computation.
  const Two sign = hn::CopySign(hn::Set(d, 1.0), difference);
  const auto difference_of_matrices = [&](std::size_t i, std::size_t j) HWY_ATTR {
    return hn::Set(d, b.form.matrix[i * D + j] - a.form.matrix[i * D + j]);
  };
  const auto& w = boxes.half_width;
  Two g[D];
  for (std::size_t i = 0; i < D; ++i) g[i] = hn::Mul(sign, hn::Sub(b.gradient[i], a.gradient[i]));
  if constexpr (D == 2) {
    const Two h[3] = {hn::Mul(sign, difference_of_matrices(0, 0)), hn::Mul(sign, difference_of_matrices(1, 0)),
                      hn::Mul(sign, difference_of_matrices(1, 1))};
    return hn::Add(hn::Abs(difference), LeastInBox(w, g, h));
  } else {
    const auto is_b_smaller = hn::Lt(difference, hn::Zero(d));
    Two by_tangent = hn::Abs(difference);
    Two by_curvature = by_tangent;
    for (std::size_t i = 0; i < D; ++i) {
      by_tangent = hn::NegMulAdd(hn::Abs(g[i]), w[i], by_tangent);
      by_curvature = hn::Add(by_curvature, LeastParabola(g[i], hn::Mul(sign, difference_of_matrices(i, i)), w[i]));
      for (std::size_t j = 0; j <= i; ++j) {  // the matrices are symmetric
        const Two area = hn::Mul(hn::Set(d, j < i ? 2.0 : 1.0), hn::Mul(w[i], w[j]));
        const Two of_smaller =
            hn::IfThenElse(is_b_smaller, hn::Set(d, b.form.matrix[i * D + j]), hn::Set(d, a.form.matrix[i * D + j]));
        by_tangent = hn::NegMulAdd(hn::Abs(of_smaller), area, by_tangent);
        if (j < i) by_curvature = hn::NegMulAdd(hn::Abs(difference_of_matrices(i, j)), area, by_curvature);
      }
    }
    return hn::Max(by_tangent, by_curvature);
  }
}

// No branch predictor knows how the test ends: everything is computed, and nothing branches. Takes both boxes, or only
// the first one where vectors have one lane. False, and nothing has changed, if a form is infinite.
template <std::size_t D>
HWY_INLINE bool DropBeatenOfTwo(const double* records, const PairMargin& margin, ContestedBox& one,
                                ContestedBox& other) {
  constexpr std::size_t record_size = D + D * D + 2;
  const TwoTag d;
  const std::int32_t first = one.candidates[0];
  const std::int32_t second = one.candidates[1];
  const TwoBoxes<D> boxes(one, other);
  const AtCentres<D> a(boxes, records + static_cast<std::size_t>(first) * record_size);
  const AtCentres<D> b(boxes, records + static_cast<std::size_t>(second) * record_size);
  const Two infinity = hn::Set(d, std::numeric_limits<double>::infinity());
  if (!hn::AllTrue(d, hn::And(hn::Lt(a.reach, infinity), hn::Lt(b.reach, infinity)))) return false;
  const Two limit =
      hn::MulAdd(hn::Set(d, 2.0 * margin.band), hn::Max(a.reach, b.reach), hn::Set(d, margin.lead + margin.band));
  std::uint8_t is_beaten[8] = {};
  std::uint8_t is_second_less[8] = {};
  hn::StoreMaskBits(d, hn::Gt(LeastLead(boxes, a, b), limit), is_beaten);
  hn::StoreMaskBits(d, hn::Lt(b.value, a.value), is_second_less);
  const auto note = [&](ContestedBox& box, std::size_t lane) {
    const std::uint32_t beaten = is_beaten[0] >> lane & 1U;
    const std::uint32_t by_second = beaten & is_second_less[0] >> lane;
    box.candidates[0] = by_second != 0 ? second : first;
    box.n = 2 - beaten;
  };
  note(one, 0);
  if constexpr (boxes_at_once == 2) note(other, 1);
  return true;
}

}  // namespace HWY_NAMESPACE
}  // namespace coppice::kernels
HWY_AFTER_NAMESPACE();

#endif  // COPPICE_KERNELS_TWO_FORMS_INL
