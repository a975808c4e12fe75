// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/structure/family_catalogue.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "coppice/runtime/error.hpp"
#include "structure/known_families.hpp"

namespace coppice {
using namespace internal;

namespace {

// The one thing that is global: a family brought by a program has to be found by whoever loads its models.
struct Registry {
  std::mutex mutex;
  // A map, so that pointers handed out stay good while others register.
  std::map<std::string, FamilyEntry, std::less<>> entries;  // their places never change
  std::vector<std::string> registered;                      // by a program, in order

  Registry() {
    for (FamilyEntry& entry : known_families()) {
      std::string name = entry.name;
      entries.emplace(std::move(name), std::move(entry));
    }
  }
};

Registry& registry() {
  static Registry instance;
  return instance;
}

}  // namespace

bool FamilyEntry::takes_number(std::string_view number) const {
  return std::ranges::find(numbers, number) != numbers.end();
}

void register_family(FamilyEntry entry) {
  const std::lock_guard lock(registry().mutex);
  const std::string name = entry.name;
  if (!registry().entries.emplace(name, std::move(entry)).second) {
    throw OptionError(fmt::format("there is a family '{}' already; choose another name", name));
  }
  registry().registered.push_back(name);
}

void register_family(const std::string& name, FamilyLoader loader) {
  register_family({.name = name, .load = std::move(loader)});
}

const FamilyEntry* find_family(std::string_view name) {
  const std::lock_guard lock(registry().mutex);
  const auto found = registry().entries.find(name);
  return found == registry().entries.end() ? nullptr : &found->second;
}

const FamilyEntry& family_entry(std::string_view name) {
  if (const FamilyEntry* entry = find_family(name)) return *entry;
  throw OptionError(fmt::format("there is no family '{}'; choose one of: {}", name, fmt::join(family_names(), ", ")));
}

std::vector<std::string> family_names() {
  const std::lock_guard lock(registry().mutex);
  std::vector<std::string> names;
  for (const auto& [name, entry] : registry().entries) names.push_back(name);
  return names;
}

std::vector<std::string> with_registered_families(std::vector<std::string> words, bool for_trees) {
  const std::lock_guard lock(registry().mutex);
  for (const std::string& name : registry().registered) {
    const FamilyEntry& entry = registry().entries.at(name);
    if (entry.make_prior && (entry.starts_trees || !for_trees)) words.push_back(name);
  }
  return words;
}

std::unique_ptr<Components> make_family(const std::string& name, const NamedArrays& prior) {
  if (const FamilyEntry* entry = find_family(name)) return entry->load(prior);
  throw DataError(
      fmt::format("the family '{}' is not known here (known: {}); a program that brings its own must register "
                  "it before loading the model",
                  name, fmt::join(family_names(), ", ")));
}

}  // namespace coppice
