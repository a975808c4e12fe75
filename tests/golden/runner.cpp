// SPDX-License-Identifier: BSD-3-Clause
// golden_runner DIR: runs every case of a folder against the library. Exit code 0 if none failed, 1 if any did, 2 for
// wrong usage or a folder that cannot be read.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <vector>

#include "compare.hpp"
#include "kinds.hpp"

namespace coppice::golden {
namespace {

enum class Outcome { passed, failed, skipped };

struct Verdict {
  Outcome outcome = Outcome::failed;
  std::string reason;
};

struct Tally {
  std::size_t passed = 0;
  std::size_t failed = 0;
  std::size_t skipped = 0;
};

Kinds all_kinds() {
  Kinds kinds;
  add_bound_kinds(kinds);
  add_family_kinds(kinds);
  add_partition_kinds(kinds);
  add_me_kinds(kinds);
  add_structure_kinds(kinds);
  add_evaluate_kinds(kinds);
  add_seeding_kinds(kinds);
  return kinds;
}

Verdict judge(const Kinds& kinds, const Json& test) {
  const auto kind = test.at("kind").get<std::string>();
  const auto check = kinds.find(kind);
  if (check == kinds.end()) return {Outcome::skipped, fmt::format("kind {} is not built", kind)};
  const Comparison comparison =
      compare(check->second(test.at("inputs")), test.at("expected"), test.value("tolerance", 1e-9));
  if (!comparison.disagreement.empty()) return {Outcome::failed, comparison.disagreement};
  if (comparison.n_compared == 0) return {Outcome::skipped, fmt::format("kind {} offers none of its keys", kind)};
  return {Outcome::passed, ""};
}

// Reads and runs one case; `name` becomes the case's own name as soon as it is known.
Verdict run_file(const Kinds& kinds, const std::filesystem::path& path, std::string& name) {
  try {
    std::ifstream file(path);
    if (!file) return {Outcome::failed, "cannot be opened"};
    const Json test = Json::parse(file);
    name = test.value("name", name);
    return judge(kinds, test);
  } catch (const NotBuilt& missing) {
    return {Outcome::skipped, missing.what()};
  } catch (const std::exception& error) {
    return {Outcome::failed, error.what()};
  }
}

void print(const std::string& name, const Verdict& verdict, Tally& tally) {
  switch (verdict.outcome) {
    case Outcome::passed:
      ++tally.passed;
      return fmt::print("ok {}\n", name);
    case Outcome::failed:
      ++tally.failed;
      return fmt::print("FAILED {}: {}\n", name, verdict.reason);
    case Outcome::skipped:
      ++tally.skipped;
      return fmt::print("skipped {} ({})\n", name, verdict.reason);
  }
}

std::vector<std::filesystem::path> cases_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  return paths;
}

int run(const std::filesystem::path& folder) {
  const std::vector<std::filesystem::path> paths = cases_in(folder);
  if (paths.empty()) {
    fmt::print(stderr, "golden_runner: there is no .json file in {}\n", folder.string());
    return 2;
  }
  const Kinds kinds = all_kinds();
  Tally tally;
  for (const std::filesystem::path& path : paths) {
    std::string name = path.stem().string();
    const Verdict verdict = run_file(kinds, path, name);
    print(name, verdict, tally);
  }
  fmt::print("{} passed, {} failed, {} skipped\n", tally.passed, tally.failed, tally.skipped);
  return tally.failed > 0 ? 1 : 0;
}

}  // namespace
}  // namespace coppice::golden

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: golden_runner DIR\n");
    return 2;
  }
  try {
    return coppice::golden::run(argv[1]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "golden_runner: {}\n", error.what());
    return 2;
  }
}
