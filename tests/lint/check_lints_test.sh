#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The lints on small trees of their own: a good one passes, and every kind of mistake is found at its file and line.
#   check_lints_test.sh layers|threads|loops|flags|installed|format SCRIPTS
set -euo pipefail

lint="$1"
scripts="$2"
tree="$(mktemp -d)"
trap 'rm -rf "$tree"' EXIT
failures=0

# write FILE TEXT: one file of the tree.
write() {
  mkdir -p "$tree/$(dirname "$1")"
  printf '%b' "$2" >"$tree/$1"
}

check() {
  /usr/bin/python3 "$scripts/check-$lint" "$tree" 2>&1
}

expect_pass() {
  local output
  if ! output="$(check)"; then
    echo "FAILED, should pass: $1"
    echo "$output"
    failures=$((failures + 1))
  fi
}

# expect_complaint FILE TEXT WANTED: the tree with this file in it fails, and says WANTED.
expect_complaint() {
  local output
  write "$1" "$2"
  if output="$(check)"; then
    echo "PASSED, should fail: $1: $2"
    failures=$((failures + 1))
  elif [[ "$output" != *"$3"* ]]; then
    echo "Does not say '$3':"
    echo "$output"
    failures=$((failures + 1))
  fi
  rm "$tree/$1"
}

if [[ "$lint" == layers ]]; then
  write include/coppice/data/table.hpp '#pragma once\n#include <vector>\n#include "coppice/runtime/error.hpp"\n'
  write src/data/table.cpp '#include "coppice/data/table.hpp"\n\n#include <fmt/format.h>\n#include "data/cell.hpp"\n'
  write src/kernels/sum.cpp '#include <hwy/highway.h>\n'
  write src/distributed/ranks.cpp '#include <mpi.h>\n#include "coppice/methods/fit.hpp"\n'
  write cli/main.cpp '#include "coppice/write/archive.hpp"\n#include "cli/table.hpp"\n'
  expect_pass "a tree in order"
  expect_complaint src/data/bad.cpp '\n#include "coppice/family/family.hpp"\n' "src/data/bad.cpp:2: coppice/family/family.hpp"
  expect_complaint include/coppice/model/bad.hpp '#include "coppice/infer/me.hpp"\n' "include/coppice/model/bad.hpp:1:"
  expect_complaint src/data/bad.cpp '# include "methods/start.hpp"\n' "data may not include methods"
  expect_complaint src/family/bad.cpp '#include "data/cell.hpp"\n' "src/family/bad.cpp:1: data/cell.hpp: a private header of data"
  expect_complaint include/coppice/data/bad.hpp '#include "data/cell.hpp"\n' "include/coppice/data/bad.hpp:1: data/cell.hpp: a private header"
  expect_complaint src/family/bad.cpp '#include <hwy/highway.h>\n' "Highway belongs to kernels"
  expect_complaint src/runtime/bad.cpp '#include <mpi.h>\n' "mpi.h belongs to distributed"
  expect_complaint include/coppice/kernels/bad.hpp '#include <hwy/highway.h>\n' "include/coppice/kernels/bad.hpp:1: hwy/highway.h"
  expect_complaint include/coppice/distributed/bad.hpp '#include <mpi.h>\n' "include/coppice/distributed/bad.hpp:1: mpi.h"
  expect_complaint src/write/bad.cpp '#include "cli/table.hpp"\n' "write may not include cli"
  expect_complaint src/utils/bad.cpp '\n' "src/utils: not a layer"
elif [[ "$lint" == format ]]; then
  write .clang-format 'BasedOnStyle: Google\nColumnLimit: 120\n'
  write src/data/table.cpp 'int one() { return 1; }\n'
  write tests/unit/table_test.hpp '#pragma once\n'
  expect_pass "a tree in order"
  expect_complaint src/data/bad.cpp '\nint one() {  return 1; }\n' "src/data/bad.cpp:2"
  expect_complaint tests/unit/bad.hpp 'int  x;\n' "tests/unit/bad.hpp:1"
elif [[ "$lint" == threads ]]; then
  write src/runtime/pool.cpp 'std::jthread thread;\n'
  write include/coppice/runtime/pool.hpp 'std::thread thread;\n'
  write src/data/table.cpp '// No std::thread here.\nstd::this_thread::get_id();\n#pragma once\n'
  expect_pass "a tree in order"
  expect_complaint src/data/bad.cpp '\nstd::thread t;\n' "src/data/bad.cpp:2: std::thread"
  expect_complaint include/coppice/data/bad.hpp 'std::vector<std::jthread> ts;\n' "include/coppice/data/bad.hpp:1: std::jthread"
  expect_complaint cli/bad.cpp 'auto f = std::async(work);\n' "cli/bad.cpp:1: std::async"
  expect_complaint src/kernels/bad.cpp '  #pragma omp parallel for\n' "src/kernels/bad.cpp:1: #pragma omp"
  expect_complaint src/assign/bad.cpp 'tbb::parallel_for(r, f);\n' "src/assign/bad.cpp:1: tbb::"
elif [[ "$lint" == loops ]]; then
  write src/runtime/loops.cpp 'execution.pool.run(n, work);\n'
  write include/coppice/runtime/thread_pool.hpp 'class ThreadPool {};\n'
  write src/data/table.cpp '// No pool.run here.\nfor_each_block(execution, blocks, work);\nmixture.pool(stats);\npool(stats);\n'
  expect_pass "a tree in order"
  expect_complaint src/data/bad.cpp '\nexecution.pool.run(n, work);\n' "src/data/bad.cpp:2: .pool"
  expect_complaint src/data/bad.cpp 'pool.run(n, work);\n' "src/data/bad.cpp:1: pool.run outside runtime; use ordered_sum"
  expect_complaint src/data/bad.cpp 'pool->run(n, work);\n' "src/data/bad.cpp:1: pool->run"
  expect_complaint src/assign/bad.cpp 'f({execution_.pool, never});\n' "src/assign/bad.cpp:1: .pool"
  expect_complaint cli/bad.cpp 'ThreadPool threads(2);\n' "cli/bad.cpp:1: ThreadPool"
  expect_complaint include/coppice/data/bad.hpp '#include "coppice/runtime/thread_pool.hpp"\n' "bad.hpp:1: thread_pool.hpp"
elif [[ "$lint" == installed ]]; then
  write include/coppice/coppice.hpp '#include "coppice/data/table.hpp"\n'
  write include/coppice/family/adapter.hpp '#include <vector>\n'
  write include/coppice/runtime/local_execution.hpp '\n'
  write include/coppice/data/table.hpp '#include "coppice/data/column.hpp"\n'
  write include/coppice/data/column.hpp 'namespace coppice {\nnamespace internal {\nclass Reader;  // of cells\ntemplate <class T>\nstruct Cell;\n}\nclass Column;\n}\n'
  write include/coppice/data/inner.hpp '#include <fmt/format.h>\n#include "coppice/data/table.hpp"\nnamespace coppice::internal {\nint f();\n}\n'
  write src/data/words.hpp '// namespace coppice {\nnamespace coppice::csv {\nint f();\n}\n'
  write include/coppice/data/csv/cell.hpp '\n'
  write src/data/CMakeLists.txt 'coppice_layer(data SOURCES a.cpp\n  HEADERS column.hpp table.hpp\n  INTERNAL csv/cell.hpp inner.hpp)\n'
  write src/family/CMakeLists.txt 'coppice_layer(family HEADERS adapter.hpp)\n'
  write src/runtime/CMakeLists.txt 'coppice_layer(runtime HEADERS local_execution.hpp)\n'
  expect_pass "a tree in order"
  expect_complaint include/coppice/data/new.hpp '\n' "coppice/data/new.hpp: in no CMakeLists.txt"
  expect_complaint include/coppice/data/csv/new.hpp '\n' "coppice/data/csv/new.hpp: in no CMakeLists.txt"
  expect_complaint src/data/csv/bad.hpp '\nnamespace coppice {\nint f();\n}\n' "src/data/csv/bad.hpp:2: not installed, so its names belong to coppice::internal"
  expect_complaint include/coppice/data/bad.hpp 'namespace coppice {\n}\n' "include/coppice/data/bad.hpp:1: not installed"
  write include/coppice/data/column.hpp 'namespace coppice {\nnamespace internal {\nclass Reader {};\n}\n}\n'
  expect_complaint src/data/a.cpp '\n' "include/coppice/data/column.hpp:2: an installed header defines nothing in internal"
  write include/coppice/data/column.hpp 'namespace coppice::internal {\nint f();\n}\n'
  expect_complaint src/data/a.cpp '\n' "include/coppice/data/column.hpp:1: an installed header defines nothing in internal"
  for header in Eigen/Dense boost/math/constants/constants.hpp fmt/format.h nlohmann/json.hpp Random123/philox.h zip.h; do
    write include/coppice/data/column.hpp "\n#include <$header>\n"
    expect_complaint src/data/a.cpp '\n' "include/coppice/data/column.hpp:2: $header"
  done
  write include/coppice/data/column.hpp '\n'
  expect_complaint src/model/CMakeLists.txt 'coppice_layer(model HEADERS gone.hpp)\n' "coppice/model/gone.hpp: listed, but not there"
  write include/coppice/data/table.hpp '#include "coppice/data/inner.hpp"\n'
  expect_complaint src/data/a.cpp '\n' "coppice/data/inner.hpp: people may use it, so it belongs to HEADERS"
  expect_complaint src/data/a.cpp '\n' "coppice/data/column.hpp: nobody outside needs it, so it belongs to INTERNAL"
else
  write include/coppice/data/table.hpp '// --columns chooses.\n/* "--k" */ int k = --n;\n'
  write src/data/table.cpp "auto a = {\"--\", \"---\"}; int n = 100'000; char c = '\"'; // \"--k\"\n"
  write src/methods/fit.cpp 'throw OptionError(format_text("{k} is {}", k));\nthrow DataError(fmt::format("{}", k));\n'
  write cli/fit.cpp 'throw OptionError("--labels-format");\n'
  expect_pass "a tree in order"
  expect_complaint src/data/bad.cpp '\nthrow OptionError("use --max-k");\n' "src/data/bad.cpp:2: --max-k"
  expect_complaint src/data/bad.cpp 'throw OptionError(fmt::format("--{} is {}", name, k));\n' "src/data/bad.cpp:1: --{}"
  expect_complaint include/coppice/data/bad.hpp 'visit("k", "not with "\n  "--hard");\n' "include/coppice/data/bad.hpp:1: --hard"
  expect_complaint src/data/bad.cpp 'auto t = R"x(a "quoted" --k)x";\n' "src/data/bad.cpp:1: --k"
  expect_complaint src/data/bad.cpp "int n = 1'000; auto t = \"--k\"; char c = 'x';\n" "src/data/bad.cpp:1: --k"
  expect_complaint src/data/bad.cpp 'throw OptionError(\n    "leave out {k}");\n' "src/data/bad.cpp:2: {k} is shown as it stands"
  expect_complaint src/data/bad.cpp 'warnings.push_back("a "\n "{assign=kdtree}");\n' "{assign=kdtree} is shown as it stands"
  expect_complaint src/data/bad.cpp 'warnings.emplace_back("{predict()}");\n' "{predict()} is shown as it stands"
fi

rm -rf "${tree:?}"/*
if check >/dev/null; then
  echo "PASSED, should fail: an empty tree"
  failures=$((failures + 1))
fi
((failures == 0)) && echo "check-$lint finds what it should."
