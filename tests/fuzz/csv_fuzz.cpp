// SPDX-License-Identifier: BSD-3-Clause
#include "data/csv/read_csv.hpp"
#include "fuzz/refusals.hpp"

// Once as people read tables, once with gaps kept, a name for every row and fewer rows.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace coppice;
  const Content content = fuzz::content(data, size);
  fuzz::check_reader([&] { return csv::read(content, csv::find_layout(content), {.threads = 1}); });
  ReadOptions odd;
  odd.id = "1";
  odd.max_rows = 3;
  odd.keep_missing = true;
  odd.threads = 1;
  fuzz::check_reader([&] { return csv::read(content, csv::find_layout(content), odd); });
  return 0;
}
