// SPDX-License-Identifier: BSD-3-Clause
#include "methods/score_by_centres.hpp"

#include "coppice/family/adapter.hpp"
#include "coppice/family/centroid.hpp"
#include "coppice/model/labelling.hpp"
#include "coppice/runtime/local_execution.hpp"
#include "methods/check_data.hpp"

namespace coppice::internal {

double score_by_centres(const Dataset& data, std::span<const std::int32_t> labels, std::string_view method,
                        const RunOptions& run) {
  check_numeric(data, method);
  check_options(run);
  check_labels(labels, data);
  LocalExecution local(static_cast<std::size_t>(run.threads), stop_signal(run));
  const Rows rows(data, fixed_origin(local.get(), data));
  const FamilyAdapter<Centroid> family{Centroid(rows.n_columns())};
  return labelling_objective(local.get(), rows, family, *make_no_partition_prior(), labels);
}

}  // namespace coppice::internal
