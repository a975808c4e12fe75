// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Transforms of a table before it is clustered: a chain of steps that is learnt from one table and applied to any other
// with the same columns. A chain is a value; copies share what was learnt.
//
//   const auto [chain, ready, warnings] =
//       fit_transforms(local.get(), parse_transforms("standardize,pca:10"), points, /*seed=*/7);
//   Dataset others = chain.apply(local.get(), new_points);

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coppice/data/dataset.hpp"
#include "coppice/data/npy.hpp"
#include "coppice/runtime/ordered_sum.hpp"
#include "coppice/runtime/text.hpp"

namespace coppice {

// One step as the user writes it: standardize, normalize, log1p, pca:50, project:50, binarize or binarize:0.5,
// drop-constant.
struct TransformSpec {
  std::string name;
  std::optional<double> parameter = {};  // the number behind the colon

  [[nodiscard]] std::string to_string() const;
  bool operator==(const TransformSpec&) const = default;
};

// Steps separated by commas. OptionError that says what is unknown, missing or out of range.
[[nodiscard]] std::vector<TransformSpec> parse_transforms(std::string_view text);
[[nodiscard]] std::string to_string(const std::vector<TransformSpec>& steps);
[[nodiscard]] std::vector<std::string> transform_names();

// How well a point of the transformed space can be taken back to the input's columns.
enum class Inverse : std::uint8_t { exact, approximate, none };

// A learnt step as it is saved.
struct TransformRecord {
  std::string spec;
  std::uint64_t seed = 0;  // of steps that draw random numbers
  std::map<std::string, npy::Array> arrays = {};
  bool operator==(const TransformRecord&) const = default;
};

namespace internal {
class TransformStep;
}

class Transforms {
 public:
  Transforms() = default;  // no step: every table stays as it is
  // `input_columns` of the table whose rows the first step takes.
  Transforms(std::vector<Column> input_columns, std::vector<std::shared_ptr<const internal::TransformStep>> steps);

  // DataError if the records make no chain for these columns.
  static Transforms from_records(std::vector<Column> input_columns, const std::vector<TransformRecord>& records);
  [[nodiscard]] std::vector<TransformRecord> records() const;

  [[nodiscard]] bool empty() const noexcept { return steps_.empty(); }
  [[nodiscard]] std::string to_string() const;  // "standardize,pca:10"
  [[nodiscard]] const std::vector<Column>& input_columns() const noexcept { return input_columns_; }
  [[nodiscard]] std::size_t n_output_columns() const;
  // These steps and then those of another chain, which was learnt from what these leave.
  [[nodiscard]] Transforms then(const Transforms& next) const;

  // The table after all steps, with its weights and row names. DataError if it has other columns, missing entries, or
  // values that a step cannot take or that would overflow.
  [[nodiscard]] Dataset apply(const Execution& execution, const Dataset& data) const;

  // Back from a point after all steps to the input's columns. Only if the chain has an inverse; an approximate one
  // gives the nearest point that the chain can tell from others. Values beyond the largest double come back as that.
  [[nodiscard]] Inverse inverse_kind() const;
  [[nodiscard]] std::vector<double> inverse(std::vector<double> point) const;

  friend bool operator==(const Transforms& a, const Transforms& b);

 private:
  std::vector<Column> input_columns_;
  std::vector<std::shared_ptr<const internal::TransformStep>> steps_;
};

// A chain, the table it was learnt from after all its steps, and what is worth knowing about it.
struct FittedTransforms {
  Transforms chain;
  Dataset data;
  std::vector<Text> warnings;
};

// Learns every step from the table as the steps before leave it. A row of weight w counts as w rows, one of weight 0
// not at all; the result is the same for any number of threads. DataError or OptionError if a step cannot take the
// table; Stopped if the execution is asked to stop.
[[nodiscard]] FittedTransforms fit_transforms(const Execution& execution, const std::vector<TransformSpec>& specs,
                                              const Dataset& data, std::uint64_t seed = 0);

}  // namespace coppice
