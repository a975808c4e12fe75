// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Options that several methods have, described once: a method's describe() calls these where they belong in its list.

#include "coppice/methods/describe.hpp"
#include "coppice/structure/family_catalogue.hpp"

namespace coppice {

// How the first centres are found.
template <class Self, class Visit>
void describe_seeding(Self& o, Visit&& visit) {
  visit("seeding", o.seeding, Choices{{"kmeans++", "afk-mc2", "uniform", "farthest"}},
        "how the first centres are drawn");
  visit("seeding_candidates", o.seeding_candidates, Range::at_least(0),
        "kmeans++: rows tried per centre; 1 is the plain rule, 0 means 2 + ln k");
  visit("chain_length", o.chain_length, Range::at_least(1), "afk-mc2: states of the chain behind every centre");
  visit("init", o.init, AnyTable{"a label per row, or a row per centre"}, "where to start instead of drawn centres");
}

// Runs from drawn centres.
template <class Self, class Visit>
void describe_runs(Self& o, Visit&& visit) {
  visit("restarts", o.restarts, Range::at_least(1), "runs from other first centres; the best is kept");
  visit("max_iterations", o.max_iterations, Range::at_least(1), "iterations at most, per run");
  visit("seed", o.seed, Range::at_least(0), "random seed: the same seed gives the same result");
}

// How many clusters, where their number can be found.
template <class Self, class Visit>
void describe_number(Self& o, Visit&& visit) {
  visit("k", o.k, Range::at_least(1), "exactly this many clusters, instead of finding the number");
  visit("max_k", o.max_k, Range::at_least(1), "never more than this many clusters");
}

// Where a search for them begins, and how long it goes on.
template <class Self, class Visit>
void describe_start(Self& o, Visit&& visit) {
  visit("init", o.init, AnyTable{"a label per row, or a row per centre"}, "where to start instead of one cluster");
  visit("restarts", o.restarts, Range::at_least(1), "searches with other random splits; the best is kept");
  visit("max_iterations", o.max_iterations, Range::at_least(1), "sweeps over all rows at most, per search");
}

// A search for them.
template <class Self, class Visit>
void describe_search(Self& o, Visit&& visit) {
  describe_start(o, visit);
  visit("min_size", o.min_size, Range::at_least(0), "no cluster lighter than this many rows");
}

// Clusters that share rows.
template <class Self, class Visit>
void describe_sharing(Self& o, Visit&& visit) {
  visit("tolerance", o.tolerance, Range::at_least(0),
        "stop when an iteration lowers the objective per row by no more than this");
  visit(
      "assign", o.assign, Choices{{"auto", "naive", "kdtree"}},
      "naive: every row with every cluster; kdtree: nodes of a tree at once, which is approximate (the rows of a leaf "
      "share alike); auto: always exact");
}

// The finite Dirichlet prior over partitions.
template <class Self, class Visit>
void describe_phi0(Self& o, Visit&& visit) {
  visit("phi0", o.phi0, Range::pseudo_count(),
        "pseudo-count of every cluster (default 2; 1 for multinomial and bernoulli): larger favours equal sizes");
}

// The prior over partitions.
template <class Self, class Visit>
void describe_partition(Self& o, Visit&& visit) {
  visit("partition", o.partition, Choices{{"dirichlet", "dp"}},
        "prior over partitions: finite Dirichlet, or Dirichlet process");
  visit("phi0", o.phi0, Range::pseudo_count(),
        "pseudo-count of every cluster (dirichlet; default 2, 1 for multinomial, bernoulli and uninformative): larger "
        "favours equal sizes");
  visit("alpha", o.alpha, Range::pseudo_count(), "mass of the Dirichlet process (dp): larger favours more clusters");
}

// Priors of counts and of yes/no answers.
template <class Self, class Visit>
void describe_discrete_priors(Self& o, Visit&& visit) {
  visit("psi0", o.psi0, Range::pseudo_count(), "multinomial: pseudo-count of every column (auto: fitted; paper: 0.1)");
  visit("omega0", o.omega0, Range::pseudo_count(),
        "bernoulli: pseudo-count of either answer (auto: fitted; paper: 0.1)");
}

// Priors of clusters, for searches.
template <class Self, class Visit>
void describe_priors(Self& o, Visit&& visit) {
  visit(
      "prior", o.prior, Choices{{"auto", "grid", "paper"}},
      "rule for the parameters below that are not given by hand: auto fits them to the data, grid takes the best of a "
      "few (fewer, larger clusters), paper follows the published rule");
  visit("xi0", o.xi0, Range::pseudo_count(), "pseudo-count of the prior mean (auto: fitted; paper: 0.1)");
  visit("eta0", o.eta0, Range::pseudo_count(),
        "degrees of freedom of the prior precision (auto: fitted; paper: the number of columns)");
  visit("m0", o.m0, AnyTable{"one row"}, "prior mean (default: the data's mean)");
  visit(
      "b0", o.b0, AnyTable{"columns x columns"},
      "prior inverse scale matrix (auto: the columns' variances, scaled to fit; paper: small distances, shaped as the "
      "data)");
  describe_discrete_priors(o, visit);
}

// Mixtures that break a stick: what they are of, the stick, and the priors of their components.
template <class Self, class Visit>
void describe_sticks(Self& o, Visit&& visit, const char* auto_takes) {
  visit("family", o.family,
        Choices{with_registered_families({"auto", "gaussian", "diagonal", "spherical", "student", "student-diagonal",
                                          "student-spherical", "multinomial", "bernoulli", "uninformative"})},
        auto_takes);
  visit("alpha1", o.alpha1, Range::stick(),
        "every component takes a Beta(alpha1, alpha2) part of what those before it have left");
}
template <class Self, class Visit>
void describe_stick_priors(Self& o, Visit&& visit) {
  visit("xi0", o.xi0, Range::pseudo_count(), "pseudo-count of the prior mean (auto: fitted; paper: 0.01)");
  visit("eta0", o.eta0, Range::pseudo_count(),
        "degrees of freedom of the prior precision (auto: fitted; paper: the number of columns, and 2)");
  visit("m0", o.m0, AnyTable{"one row"}, "prior mean (default: the data's mean)");
  visit("b0", o.b0, AnyTable{"columns x columns"},
        "prior inverse scale matrix (auto: the columns' variances, scaled to fit; paper: 0.1 eta0 times the data's "
        "covariance)");
  describe_discrete_priors(o, visit);
}

}  // namespace coppice
