// SPDX-License-Identifier: BSD-3-Clause
#include "compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace coppice::golden {

namespace {

constexpr const char* at_most_key = "at most";
constexpr const char* at_least_key = "at least";

// "/a/b" of "/a[3]/b".
std::string without_places(const std::string& path) {
  std::string kept;
  bool is_inside = false;
  for (const char letter : path) {
    is_inside = is_inside || letter == '[';
    if (!is_inside) kept += letter;
    is_inside = is_inside && letter != ']';
  }
  return kept;
}

class Comparer {
 public:
  explicit Comparer(double tolerance) : tolerance_(tolerance) {}

  // False as soon as something disagrees.
  bool visit(const Json& got, const Json& expected, const std::string& path) {
    if (expected.is_object()) return visit_object(got, expected, path);
    if (expected.is_array()) return visit_array(got, expected, path);
    ++result_.n_compared;
    return is_same(got, expected) || differ(path, got.dump(), expected.dump());
  }

  [[nodiscard]] Comparison take() { return std::move(result_); }

 private:
  bool visit_object(const Json& got, const Json& expected, const std::string& path) {
    if (!got.is_object()) return differ(path, got.dump(), "an object");
    return std::ranges::all_of(expected.items(), [&](const auto& entry) {
      const std::string here = path + "/" + entry.key();
      if (got.contains(entry.key())) return visit(got.at(entry.key()), entry.value(), here);
      result_.left_out.insert(without_places(here));
      return true;
    });
  }

  bool visit_array(const Json& got, const Json& expected, const std::string& path) {
    if (!got.is_array()) return differ(path, got.dump(), "an array");
    if (got.size() != expected.size()) {
      return differ(path, fmt::format("{} entries", got.size()), fmt::format("{} entries", expected.size()));
    }
    if (expected.empty()) ++result_.n_compared;  // both are empty, and that is what was asked
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (!visit(got[i], expected[i], fmt::format("{}[{}]", path, i))) return false;
    }
    return true;
  }

  // A value that the library computes as a real number may be written without a point in the case.
  [[nodiscard]] bool is_same(const Json& got, const Json& expected) const {
    if (got.is_object() && expected.is_number()) return is_bound(got, expected.get<double>());
    if (!got.is_number() || !expected.is_number()) return got == expected;
    if (got.is_number_integer() && expected.is_number_integer()) return got == expected;
    const double value = expected.get<double>();
    return std::abs(got.get<double>() - value) <= tolerance_for(value);
  }

  // A result that is not a number passes no comparison.
  [[nodiscard]] bool is_bound(const Json& got, double expected) const {
    if (got.contains(at_most_key)) return got.at(at_most_key).get<double>() - expected <= tolerance_for(expected);
    if (got.contains(at_least_key)) return expected - got.at(at_least_key).get<double>() <= tolerance_for(expected);
    return false;
  }

  [[nodiscard]] double tolerance_for(double expected) const { return tolerance_ * std::max(1.0, std::abs(expected)); }

  bool differ(const std::string& path, const std::string& got, const std::string& expected) {
    result_.disagreement = fmt::format("{}: got {}, expected {}", path, got, expected);
    return false;
  }

  double tolerance_;
  Comparison result_;
};

}  // namespace

Json at_most(double value) { return {{at_most_key, value}}; }
Json at_least(double value) { return {{at_least_key, value}}; }

Comparison compare(const Json& got, const Json& expected, double tolerance) {
  Comparer comparer(tolerance);
  comparer.visit(got, expected, "");
  return comparer.take();
}

}  // namespace coppice::golden
