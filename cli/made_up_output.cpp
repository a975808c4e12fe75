// SPDX-License-Identifier: BSD-3-Clause
#include "made_up_output.hpp"

#include <fmt/format.h>

#include "coppice/runtime/error.hpp"
#include "coppice/write/table.hpp"
#include "labels_output.hpp"

namespace coppice::cli {

void check_made_up_output(const MadeUpOutput& to) {
  check_table_output(to.out);
  if (to.labels.empty()) return;
  (void)row_format(to.labels);
  if (is_same_output(to.out.path, to.labels)) {
    throw OptionError(fmt::format("--out and --labels both name {}; choose two files", to.labels));
  }
  check_output({to.labels, to.out.force});
}

void write_made_up(const MadeUpOutput& to, const Generated& made) {
  write_table_output(to.out, made.data);
  if (!to.labels.empty()) write_labels({to.labels, to.out.force}, {made.data, made.labels});
}

bool holds_no_zeros(const std::string& path) {
  const std::string ending = lower_case_ending(path);
  return ending == ".svm" || ending == ".libsvm";
}

}  // namespace coppice::cli
