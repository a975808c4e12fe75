// SPDX-License-Identifier: BSD-3-Clause
#include "coppice/write/model_archive.hpp"
#include "fuzz/refusals.hpp"

// A model that loads must be fit for use.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace coppice;
  try {
    const Model model = parse_model(std::string(reinterpret_cast<const char*>(data), size), "input");
    fuzz::demand(model.k() > 0);
    for (std::size_t cluster = 0; cluster < model.k(); ++cluster) {
      fuzz::demand(model.mean(cluster).size() >= 1);
    }
  } catch (const DataError& error) {
    fuzz::demand(error.what()[0] != '\0');
  } catch (const LimitError& error) {
    fuzz::demand(error.what()[0] != '\0');
  }
  return 0;
}
