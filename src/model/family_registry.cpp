// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/model/family_registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <mutex>

#include "coppice/family/adapter.hpp"
#include "coppice/family/bernoulli.hpp"
#include "coppice/family/centroid.hpp"
#include "coppice/family/diagonal.hpp"
#include "coppice/family/gaussian.hpp"
#include "coppice/family/multinomial.hpp"
#include "coppice/family/point_diagonal.hpp"
#include "coppice/family/point_gaussian.hpp"
#include "coppice/family/spherical.hpp"
#include "coppice/family/student.hpp"
#include "coppice/family/uninformative.hpp"
#include "coppice/runtime/error.hpp"

namespace coppice {

namespace {

template <class F>
std::unique_ptr<Components> load_family(const NamedArrays& prior) {
  return std::make_unique<FamilyAdapter<F>>(F::from_arrays(prior));
}

struct Registry {
  std::mutex mutex;
  std::map<std::string, FamilyLoader> loaders = {{"bernoulli", load_family<Bernoulli>},
                                                 {"centroid", load_family<Centroid>},
                                                 {"diagonal", load_family<DiagonalGaussian>},
                                                 {"gaussian", load_family<Gaussian>},
                                                 {"multinomial", load_family<Multinomial>},
                                                 {"point-diagonal", load_family<PointDiagonal>},
                                                 {"point-gaussian", load_family<PointGaussian>},
                                                 {"point-spherical", load_family<PointSpherical>},
                                                 {"spherical", load_family<SphericalGaussian>},
                                                 {"student", load_family<Student>},
                                                 {"uninformative", load_family<UninformativeGaussian>}};
};

Registry& registry() {
  static Registry instance;
  return instance;
}

}  // namespace

void register_family(const std::string& name, FamilyLoader loader) {
  const std::lock_guard lock(registry().mutex);
  if (!registry().loaders.emplace(name, std::move(loader)).second) {
    throw OptionError(fmt::format("there is a family '{}' already; choose another name", name));
  }
}

std::unique_ptr<Components> make_family(const std::string& name, const NamedArrays& prior) {
  FamilyLoader loader;
  {
    const std::lock_guard lock(registry().mutex);
    const auto found = registry().loaders.find(name);
    if (found != registry().loaders.end()) loader = found->second;
  }
  if (!loader) {
    throw DataError(
        fmt::format("the family '{}' is not known here (known: {}); a program that brings its own must register "
                    "it before loading the model",
                    name, fmt::join(family_names(), ", ")));
  }
  return loader(prior);
}

std::vector<std::string> family_names() {
  const std::lock_guard lock(registry().mutex);
  std::vector<std::string> names;
  for (const auto& [name, loader] : registry().loaders) names.push_back(name);
  return names;
}

}  // namespace coppice
