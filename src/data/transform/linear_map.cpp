// SPDX-License-Identifier: BSD-3-Clause
#include "data/transform/linear_map.hpp"

#include <Eigen/Core>
#include <algorithm>

#include "coppice/runtime/for_each_block.hpp"
#include "data/transform/step.hpp"
#include "data/transform/value_map.hpp"

namespace coppice::internal {

namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ConstView = Eigen::Map<const RowMajor>;
using Index = Eigen::Index;

Index to_index(std::size_t n) { return static_cast<Index>(n); }

// Products of rows_at_a_time() rows, the last ones filled up with zeros: a row meets the same arithmetic wherever it
// stands.
class DenseProduct {
 public:
  DenseProduct(const Dataset& data, const LinearMap& map)
      : data_(data),
        map_(map),
        matrix_(map.matrix.data(), to_index(data.n_columns()), to_index(map.n_outputs)),
        in_(to_index(rows_at_a_time(data.n_columns())), to_index(data.n_columns())),
        out_(in_.rows(), to_index(map.n_outputs)) {}

  // The images of these rows, which are at most rows_at_a_time() many.
  const RowMajor& operator()(std::size_t first, std::size_t last) {
    in_.setZero();
    for (std::size_t row = first; row < last; ++row) {
      for (std::size_t column = 0; column < data_.n_columns(); ++column) {
        const double centre = map_.centre.empty() ? 0.0 : map_.centre[column];
        in_(to_index(row - first), to_index(column)) = data_.value(row, column) - centre;
      }
    }
    out_.noalias() = in_ * matrix_;
    return out_;
  }

 private:
  const Dataset& data_;
  const LinearMap& map_;
  ConstView matrix_;
  RowMajor in_;
  RowMajor out_;
};

// The same entry by entry; what the centre contributes is the same for every row.
class SparseProduct {
 public:
  SparseProduct(const Dataset& data, const LinearMap& map) : data_(data), map_(map), start_(map.n_outputs, 0.0) {
    for (std::size_t column = 0; column < map.centre.size(); ++column) add(start_, column, -map.centre[column]);
  }

  void operator()(std::size_t row, std::span<double> out) const {
    std::ranges::copy(start_, out.begin());
    const SparseRow entries = data_.sparse_row(row);
    for (std::size_t entry = 0; entry < entries.size(); ++entry) {
      add(out, entries.columns[entry], entries.value(entry));
    }
  }

 private:
  void add(std::span<double> out, std::size_t column, double value) const {
    const std::size_t place = map_.places.empty() ? column : map_.places[column];
    const double* numbers = map_.matrix.data() + place * map_.n_outputs;
    for (std::size_t output = 0; output < out.size(); ++output) out[output] += value * numbers[output];
  }

  const Dataset& data_;
  const LinearMap& map_;
  std::vector<double> start_;
};

template <class Value>
Dataset map_into(const Execution& execution, const Dataset& data, const LinearMap& map,
                 const std::vector<std::string>& names, const std::string& step) {
  const std::size_t n_outputs = map.n_outputs;
  std::vector<Value> values(data.n_rows() * n_outputs);
  const auto keep = [&](std::size_t row, const double* numbers) {
    for (std::size_t output = 0; output < n_outputs; ++output) {
      values[row * n_outputs + output] = stored<Value>(numbers[output], row, names[output], step);
    }
  };
  const Blocks blocks{.n_items = data.n_rows()};
  if (data.is_sparse()) {
    const SparseProduct product(data, map);
    for_each_block(execution, blocks, [&](const BlockRange& block) {
      std::vector<double> image(n_outputs);
      for (std::size_t row = block.first; row < block.last; ++row) {
        product(row, image);
        keep(row, image.data());
      }
    });
  } else {
    const std::size_t n_at_a_time = rows_at_a_time(data.n_columns());
    for_each_block(execution, blocks, [&](const BlockRange& block) {
      DenseProduct product(data, map);
      for (std::size_t first = block.first; first < block.last; first += n_at_a_time) {
        const std::size_t last = std::min(first + n_at_a_time, block.last);
        const RowMajor& images = product(first, last);
        for (std::size_t row = first; row < last; ++row) keep(row, images.data() + (row - first) * n_outputs);
      }
    });
  }
  return annotated(Dataset::from_rows(std::move(values), data.n_rows(), n_outputs), names, data);
}

}  // namespace

std::size_t rows_at_a_time(std::size_t n_columns) noexcept {
  constexpr std::size_t most_numbers = std::size_t{1} << 20U;
  return std::clamp<std::size_t>(most_numbers / std::max<std::size_t>(n_columns, 1) / 16 * 16, 16, 256);
}

Dataset map_rows(const Execution& execution, const Dataset& data, const LinearMap& map, const std::string& prefix,
                 const std::string& step) {
  const bool is_float = data.storage() == Storage::float32;
  const auto n_bytes = is_float ? sizeof(float) : sizeof(double);
  require_step_memory(static_cast<double>(data.n_rows()) * static_cast<double>(map.n_outputs * n_bytes), step);
  std::vector<std::string> names;
  for (std::size_t output = 0; output < map.n_outputs; ++output)
    names.push_back(fmt::format("{}{}", prefix, output + 1));
  return is_float ? map_into<float>(execution, data, map, names, step)
                  : map_into<double>(execution, data, map, names, step);
}

}  // namespace coppice::internal
