// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/data/linkage_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "coppice/data/mapped_file.hpp"
#include "coppice/data/npy.hpp"
#include "coppice/data/npy/header.hpp"
#include "coppice/runtime/error.hpp"

namespace coppice::internal {

namespace {

constexpr std::size_t n_entries = 4;  // of a merge
constexpr std::size_t most_merges =
    std::numeric_limits<std::int32_t>::max();  // labels and nodes are counted in 32 bits

// Builds a tree merge by merge and refuses what is none.
class TreeReader {
 public:
  TreeReader(std::size_t n_merges, const std::string& name)
      : name_(name), tree_{n_merges + 1, {}}, is_taken_(2 * n_merges + 1, false) {
    tree_.merges.reserve(n_merges);
  }

  void add(std::span<const double> entries) {
    const std::uint32_t a = take(entries[0]);
    const std::uint32_t b = take(entries[1]);
    const double height = entries[2];
    if (!std::isfinite(height) || height < 0.0) {
      refuse(fmt::format("its height is {}, expected a number that is not negative", height));
    }
    const double size = size_of(a) + size_of(b);
    if (entries[3] != size) {
      refuse(fmt::format("its size is {}, but nodes {} and {} hold {} leaves", entries[3], a, b, size));
    }
    tree_.merges.push_back({std::min(a, b), std::max(a, b), height, size});
  }

  [[nodiscard]] Dendrogram take_tree() { return std::move(tree_); }

 private:
  std::uint32_t take(double node) {
    const std::size_t n_nodes = tree_.n_leaves + tree_.merges.size();
    if (!(node >= 0.0) || node >= static_cast<double>(n_nodes) || node != std::floor(node)) {
      refuse(fmt::format("it joins node {}, but the nodes there are by then are 0 to {}", node, n_nodes - 1));
    }
    const auto number = static_cast<std::uint32_t>(node);
    if (is_taken_[number]) refuse(fmt::format("node {} has been joined before", number));
    is_taken_[number] = true;
    return number;
  }

  [[nodiscard]] double size_of(std::uint32_t node) const {
    return node < tree_.n_leaves ? 1.0 : tree_.merges[node - tree_.n_leaves].size;
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw DataError(fmt::format("{}: no tree: merge {} (counted from 0): {}", name_, tree_.merges.size(), why));
  }

  const std::string& name_;
  Dendrogram tree_;
  std::vector<bool> is_taken_;
};

}  // namespace

std::vector<double> to_linkage_matrix(const Dendrogram& tree) {
  std::vector<double> values;
  values.reserve(n_entries * tree.merges.size());
  for (const Merge& merge : tree.merges) {
    values.insert(values.end(), {static_cast<double>(merge.a), static_cast<double>(merge.b), merge.height, merge.size});
  }
  return values;
}

Dendrogram from_linkage_matrix(std::span<const double> values, const std::string& name) {
  if (values.size() % n_entries != 0) {
    throw DataError(fmt::format("{}: holds {} numbers, expected four per merge", name, values.size()));
  }
  const std::size_t n_merges = values.size() / n_entries;
  if (n_merges > most_merges) {
    throw LimitError(fmt::format("{}: a tree of {} merges; at most {} are possible", name, n_merges, most_merges));
  }
  TreeReader reader(n_merges, name);
  for (std::size_t i = 0; i < n_merges; ++i) reader.add(values.subspan(i * n_entries, n_entries));
  return reader.take_tree();
}

Dendrogram read_linkage(const std::string& path) {
  const Content content = load(path);
  if (!npy::looks_like_npy(content.bytes)) {
    throw DataError(fmt::format("{}: no NPY file; expected a linkage matrix as fit or numpy.save() write it", path));
  }
  const npy::Array matrix = npy::parse_array(content.bytes, path);
  if (matrix.shape.size() != 2 || matrix.shape[1] != n_entries) {
    throw DataError(fmt::format("{}: the array has shape {}, expected a linkage matrix of shape (rows - 1, 4)", path,
                                npy::shape_text(matrix.shape)));
  }
  return from_linkage_matrix(matrix.values, path);
}

}  // namespace coppice::internal
