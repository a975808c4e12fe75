// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Models as files: a zip archive of `model.json` and .npy arrays, so that NumPy opens it too. Loading never executes
// anything, and refuses what is damaged or was written by something else.
//
//   save_model(fit.model, "model.coppice");
//   Model model = load_model("model.coppice");

#include <filesystem>
#include <string>

#include "coppice/model/model.hpp"

namespace coppice {

// The archive's bytes: the same model always gives the same ones.
[[nodiscard]] std::string model_bytes(const Model& model);
void save_model(const Model& model, const std::filesystem::path& path);

// Also from a fit's result folder, which has the model in it. DataError for a file that is no model, is damaged, or is
// of a newer version; IoError if it cannot be read.
[[nodiscard]] Model load_model(const std::filesystem::path& path);
// The same from bytes that the caller has; `name` is for messages.
[[nodiscard]] Model parse_model(const std::string& bytes, const std::string& name);

// Whether a file is meant to be a model, whole or damaged; other zip archives are not. A folder can be nothing else.
[[nodiscard]] bool is_model_file(const std::filesystem::path& path);

}  // namespace coppice
