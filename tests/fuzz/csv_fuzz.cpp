// SPDX-License-Identifier: BSD-3-Clause
#include "data/csv/header_doubt.hpp"
#include "data/csv/read_csv.hpp"
#include "data/yes_no.hpp"
#include "fuzz/refusals.hpp"

// As people read tables; with gaps kept, a name for every row and fewer rows; with every rule for the first line.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace coppice;
  using namespace coppice::internal;
  const Content content = fuzz::content(data, size);
  fuzz::check_reader([&] { return csv::read(content, csv::find_layout(content), {.threads = 1}); });
  ReadOptions odd;
  odd.id = "1";
  odd.max_rows = 3;
  odd.keep_missing = true;
  odd.threads = 1;
  fuzz::check_reader([&] { return csv::read(content, csv::find_layout(content), odd); }, fuzz::Gaps::kept);
  for (const HeaderRule rule : {HeaderRule::automatic, HeaderRule::present, HeaderRule::absent}) {
    fuzz::check_reader(
        [&] {
          const csv::Layout layout = csv::find_layout(content, rule);
          (void)csv::header_doubt(layout, content.name);
          return with_yes_no_as_binary(csv::read(content, layout, odd), layout.names, odd);
        },
        fuzz::Gaps::kept);
  }
  return 0;
}
