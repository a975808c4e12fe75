// SPDX-License-Identifier: BSD-3-Clause
#include <array>

#include "coppice/write/model_archive.hpp"
#include "fuzz/archive_of.hpp"
#include "fuzz/refusals.hpp"

namespace {

// As make_corpus.py has them.
constexpr std::array<std::string_view, 9> names{"model.json",   "origin.npy",           "stats.npy",
                                                "prior/m0.npy", "prior/xi0.npy",        "prior/eta0.npy",
                                                "prior/b0.npy", "transform/0/mean.npy", "transform/0/deviation.npy"};

// A model that loads must be fit for use.
void use(const coppice::Model& model) {
  using namespace coppice;
  fuzz::demand(model.k() > 0 && !model.input_columns().empty());
  const std::size_t n_columns = model.input_columns().size();
  for (std::size_t cluster = 0; cluster < model.k(); ++cluster) {
    fuzz::demand(model.mean(cluster).size() == model.mean_columns().size());
  }
  const Dataset row = Dataset::from_rows(std::vector<double>(n_columns, 0.5), 1, n_columns);
  const std::int32_t label = model.predict(row, 1).front();
  fuzz::demand(label >= 0 && static_cast<std::size_t>(label) < model.k());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace coppice;
  const std::string bytes = fuzz::archive_of({reinterpret_cast<const char*>(data), size}, names);
  try {
    use(parse_model(bytes, "input"));
  } catch (const DataError& error) {
    fuzz::demand(error.what()[0] != '\0');
  } catch (const LimitError& error) {
    fuzz::demand(error.what()[0] != '\0');
  } catch (const NumericError& error) {  // numbers of absurd sizes may overflow
    fuzz::demand(error.what()[0] != '\0');
  }
  return 0;
}
