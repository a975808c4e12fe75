// SPDX-License-Identifier: BSD-3-Clause
// Bounds of quadratic forms, and of the difference of two, over a box; bounds of linear forms.
#include <algorithm>

#include "compare.hpp"
#include "coppice/kernels/linear_bound.hpp"
#include "coppice/kernels/pair_bound.hpp"
#include "inputs.hpp"

namespace coppice::golden {

namespace {

struct CentredBox {
  explicit CentredBox(const Json& inputs) {
    const std::vector<double> lower = to_values(inputs.at("lower"));
    const std::vector<double> upper = to_values(inputs.at("upper"));
    for (std::size_t i = 0; i < lower.size(); ++i) {
      centre.push_back(0.5 * (lower[i] + upper.at(i)));
      half_width.push_back(0.5 * (upper[i] - lower[i]));
    }
  }

  std::vector<double> centre;
  std::vector<double> half_width;
};

// (x - m)' A (x - m) + a with what the bounds need of it.
struct FormInBox {
  FormInBox(const Json& form, const CentredBox& box)
      : FormInBox(to_values(form.at("A")), to_values(form.at("m")), form.at("a").get<double>(), box) {}
  FormInBox(std::vector<double> full_matrix, const std::vector<double>& m, double a, const CentredBox& box)
      : matrix(std::move(full_matrix)),
        gradient(m.size()),
        value(kernels::at_centre({m.data(), matrix.data(), a}, box.centre, gradient.data()).value),
        curvature(kernels::curvature(matrix.data(), box.half_width)) {}

  static FormInBox zero(const CentredBox& box) {
    const std::size_t d = box.centre.size();
    return {std::vector<double>(d * d, 0.0), std::vector<double>(d, 0.0), 0.0, box};
  }

  std::vector<double> matrix;
  std::vector<double> gradient;
  double value;
  double curvature;
};

// Lower bounds of q - p.
double tangent(const FormInBox& p, const FormInBox& q, const CentredBox& box) {
  return kernels::tangent_bound(q.value - p.value, q.gradient.data(), p.gradient.data(), p.curvature, box.half_width);
}
double better(const FormInBox& p, const FormInBox& q, const CentredBox& box) {
  return std::max(tangent(p, q, box), kernels::curvature_bound(q.value - p.value, q.gradient.data(), p.gradient.data(),
                                                               q.matrix.data(), p.matrix.data(), box.half_width));
}

// Row p holds the bounds of q - p for every q. The least difference at a vertex is no less than that over the box.
Json pair_bound(const Json& inputs) {
  const CentredBox box(inputs);
  std::vector<FormInBox> forms;
  for (const Json& form : inputs.at("clusters")) forms.emplace_back(form, box);
  Json result = {{"pair_lower", Json::array()}, {"vertex_min_difference", Json::array()}};
  for (const FormInBox& p : forms) {
    Json bounds = Json::array();
    Json valid = Json::array();
    for (const FormInBox& q : forms) {
      bounds.push_back(better(p, q, box));
      valid.push_back(at_most(bounds.back().get<double>()));
    }
    result["pair_lower"].push_back(bounds);
    result["vertex_min_difference"].push_back(valid);
  }
  return result;
}

// Against the form that is zero everywhere, the bounds of a difference are those of one form.
Json quad_bounds(const Json& inputs) {
  const CentredBox box(inputs);
  const FormInBox form(inputs, box);
  const FormInBox zero = FormInBox::zero(box);
  return {{"centre_min", tangent(zero, form, box)},
          {"centre_max", -tangent(form, zero, box)},
          {"exact_min", at_most(better(zero, form, box))},
          {"exact_max", at_least(-better(form, zero, box))}};
}

// The greatest value is minus the least of minus the form.
Json linear_bounds(const Json& inputs) {
  const std::vector<double> low = to_values(inputs.at("lower"));
  const std::vector<double> high = to_values(inputs.at("upper"));
  const std::vector<double> a = to_values(inputs.at("a"));
  std::vector<double> minus_a;
  for (const double value : a) minus_a.push_back(-value);
  const auto b = inputs.at("b").get<double>();
  const auto total = inputs.at("W").get<double>();
  return {{"box_min", kernels::least_in_box({a, b}, low, high)},
          {"box_max", -kernels::least_in_box({minus_a, -b}, low, high)},
          {"simplex_min", kernels::least_in_box({a, b}, low, high, total)},
          {"simplex_max", -kernels::least_in_box({minus_a, -b}, low, high, total)}};
}

}  // namespace

void add_bound_kinds(Kinds& kinds) {
  kinds["linear_bounds"] = linear_bounds;
  kinds["pair_bound"] = pair_bound;
  kinds["quad_bounds"] = quad_bounds;
}

}  // namespace coppice::golden
