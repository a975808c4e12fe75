// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What there is to say of a method beside its options.

#include <string_view>

namespace coppice {

// What a method makes small.
struct Objective {
  std::string_view name;
  std::string_view unit;        // empty: the square of the columns' own unit
  bool is_code_length = false;  // minus the logarithm of a probability of the data: comparable, and bits per row
};

inline constexpr Objective evidence_of_labels{"-log p(data, labels)", "nats", true};
inline constexpr Objective minus_log_likelihood{"-log p(data)", "nats", true};
// Densities of parameters have units, and are no code length.
inline constexpr Objective density_of_parameters{"-log p(data, parameters)", "nats", false};
inline constexpr Objective density_of_labels_and_parameters{"-log p(data, labels, parameters)", "nats", false};
inline constexpr Objective variational_bound{"bound on -log p(data)", "nats", true};
inline constexpr Objective bayesian_information{"-log p(data) + (p / 2) log N", "nats", true};
inline constexpr Objective summed_squares{"sum of squared distances", "", false};

// What a method takes beside dense rows, and what it gives beside labels and means.
struct Capabilities {
  bool sparse = false;         // takes sparse rows
  bool weights = false;        // takes weights of rows
  bool probabilities = false;  // of the labels
  bool density = false;        // of new rows
  bool tree = false;           // of merges
};

struct MethodFacts {
  std::string_view name;
  std::string_view class_name;  // in languages that have classes
  std::string_view summary;
  Objective objective;  // with every option at its default
  Capabilities capabilities;
};

}  // namespace coppice
