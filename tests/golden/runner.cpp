// SPDX-License-Identifier: BSD-3-Clause
// golden_runner DIR [LIST]: runs every case of a folder against the library. Exit code 0 if none failed, 1 if any did,
// 2 for wrong usage or a folder that cannot be read. LIST names what the library does not have yet, one thing per line:
// a case, or a case and a key of what it expects. With it, whatever else is skipped is a failure, and so is a line that
// is no longer true.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "compare.hpp"
#include "kinds.hpp"

namespace coppice::golden {
namespace {

enum class Outcome { passed, failed, skipped };

struct Verdict {
  Outcome outcome = Outcome::failed;
  std::string reason;
  std::set<std::string> left_out = {};  // keys of what the case expects
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
  add_model_kinds(kinds);
  add_structure_kinds(kinds);
  add_evaluate_kinds(kinds);
  add_seeding_kinds(kinds);
  add_soft_kinds(kinds);
  add_truncated_kinds(kinds);
  add_variational_kinds(kinds);
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
  return {Outcome::passed, "", comparison.left_out};
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

// What a case leaves to be done, as LIST has it.
std::set<std::string> lines_of(const std::string& name, const Verdict& verdict) {
  if (verdict.outcome == Outcome::skipped) return {name};
  std::set<std::string> lines;
  for (const std::string& key : verdict.left_out) lines.insert(name + " " + key);
  return lines;
}

std::set<std::string> lines_in(const std::filesystem::path& list) {
  std::ifstream file(list);
  if (!file) throw std::runtime_error(list.string() + ": cannot be opened");
  std::set<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && !line.starts_with('#')) lines.insert(line);
  }
  return lines;
}

// How many lines one list has and the other has not.
std::size_t print_differences(const std::set<std::string>& found, const std::set<std::string>& listed) {
  std::size_t n_different = 0;
  for (const std::string& line : found) {
    if (listed.contains(line)) continue;
    fmt::print("FAILED {}: left out, and not on the list of what is still to come\n", line);
    ++n_different;
  }
  for (const std::string& line : listed) {
    if (found.contains(line)) continue;
    fmt::print("FAILED {}: on the list of what is still to come, but nothing is left out\n", line);
    ++n_different;
  }
  return n_different;
}

int run(const std::filesystem::path& folder, const std::filesystem::path& list) {
  const std::vector<std::filesystem::path> paths = cases_in(folder);
  if (paths.empty()) {
    fmt::print(stderr, "golden_runner: there is no .json file in {}\n", folder.string());
    return 2;
  }
  const Kinds kinds = all_kinds();
  Tally tally;
  std::set<std::string> to_come;
  for (const std::filesystem::path& path : paths) {
    std::string name = path.stem().string();
    const Verdict verdict = run_file(kinds, path, name);
    print(name, verdict, tally);
    to_come.merge(lines_of(name, verdict));
  }
  if (!list.empty()) tally.failed += print_differences(to_come, lines_in(list));
  fmt::print("{} passed, {} failed, {} skipped\n", tally.passed, tally.failed, tally.skipped);
  return tally.failed > 0 ? 1 : 0;
}

}  // namespace
}  // namespace coppice::golden

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) {
    fmt::print(stderr, "usage: golden_runner DIR [LIST]\n");
    return 2;
  }
  try {
    return coppice::golden::run(argv[1], argc == 3 ? argv[2] : "");
  } catch (const std::exception& error) {
    fmt::print(stderr, "golden_runner: {}\n", error.what());
    return 2;
  }
}
