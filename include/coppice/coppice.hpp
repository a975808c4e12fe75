// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Everything a program needs to cluster a table:
//
//   coppice::Dataset points = coppice::read("points.csv");
//   coppice::Fit fit = coppice::fit(points, coppice::BayesianKMeans{.seed = 7});
//   fit.model.k();                                        // found, not given

#include "coppice/data/dataset.hpp"
#include "coppice/data/generate.hpp"
#include "coppice/data/read.hpp"
#include "coppice/data/table_summary.hpp"
#include "coppice/data/transform.hpp"
#include "coppice/methods/abc.hpp"
#include "coppice/methods/bayesian_kmeans.hpp"
#include "coppice/methods/blei_jordan.hpp"
#include "coppice/methods/catalogue.hpp"
#include "coppice/methods/gaussian_mixture.hpp"
#include "coppice/methods/kmeans.hpp"
#include "coppice/methods/linkages.hpp"
#include "coppice/methods/mog_bic.hpp"
#include "coppice/methods/stability.hpp"
#include "coppice/methods/variational_dp.hpp"
#include "coppice/methods/variational_mixture.hpp"
#include "coppice/model/model.hpp"
#include "coppice/model/sample.hpp"
#include "coppice/runtime/error.hpp"
#include "coppice/write/model_archive.hpp"
#include "coppice/write/table.hpp"
