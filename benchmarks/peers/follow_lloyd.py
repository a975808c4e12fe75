#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Do our centres follow Lloyd's algorithm, whatever the assignment?

Runs 1, 2, ... iterations of `coppice fit --method kmeans` in float64 from drawn rows, for every way of assigning, and
compares the centres in the model with a plain NumPy Lloyd and with scikit-learn's. Clusters are paired so that the sum
of squared differences is least, since coppice numbers them by size. Prints the largest difference of a coordinate; `as
after` is the number of NumPy's updates that our centres are nearest to, should it not be that of the row. Ends with 1 if
a difference is beyond the tolerance.

    benchmarks/peers/follow_lloyd.py [--assign naive,kdtree,bounds] [--iterations 5] [--rows 20000 --columns 8 --k 20]
"""
import argparse
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.cluster import KMeans

import cases
import measure

BLOCK = 1000  # rows at once: the differences are BLOCK x clusters x columns


def nearest(points, centres):
    """Labels by plain differences; the first of equals."""
    labels = np.empty(len(points), dtype=np.int64)
    for first in range(0, len(points), BLOCK):
        differences = points[first:first + BLOCK, None, :] - centres[None, :, :]
        labels[first:first + BLOCK] = (differences**2).sum(axis=2).argmin(axis=1)
    return labels


def lloyd(points, centres, updates):
    """The centres after 0, 1, ... updates."""
    path = [centres]
    for _ in range(updates):
        labels = nearest(points, path[-1])
        sizes = np.bincount(labels, minlength=len(centres))
        if not sizes.all():
            raise SystemExit("a cluster lost all its rows, which everybody treats differently: choose a smaller --k")
        path.append(np.stack([points[labels == cluster].mean(axis=0) for cluster in range(len(centres))]))
    return path


def largest_difference(some, others):
    """Of a coordinate, between centres paired in the best way; infinite if their numbers differ."""
    if some.shape != others.shape:
        return float("inf")
    squared = ((some[:, None, :] - others[None, :, :]) ** 2).sum(axis=2)
    rows, columns = linear_sum_assignment(squared)
    return float(np.abs(some[rows] - others[columns]).max())


def our_centres(options, folder, assign, iterations):
    case = cases.Case("follow", "kmeans", options.rows, options.columns, options.k, dtype="float64", last=iterations)
    contender = measure.Ours(str(Path(options.program).resolve()), assign)
    return np.load(contender.measure(case, folder, options.threads)["centres"])


def their_centres(points, start, iterations):
    estimator = KMeans(len(start), init=start, n_init=1, max_iter=iterations, tol=0, algorithm="lloyd")
    return estimator.fit(points).cluster_centers_


def follow(options, folder):
    """Prints the table; the largest difference of all."""
    case = cases.Case("follow", "kmeans", options.rows, options.columns, options.k, dtype="float64")
    cases.make_files(case, folder)
    points, start = np.load(folder / "x.npy"), np.load(folder / "start.npy")
    path, worst = lloyd(points, start, options.iterations + 1), 0.0
    theirs = [their_centres(points, start, m) for m in range(1, options.iterations + 1)]
    print("assign   iterations | ours - NumPy   scikit-learn - NumPy   ours - scikit-learn | as after")
    for assign in options.assign:
        for m in range(1, options.iterations + 1):
            ours = our_centres(options, folder, assign, m)
            differences = [largest_difference(ours, centres) for centres in path]
            worst = max(worst, differences[m])
            print(f"{assign:8} {m:10} | {differences[m]:12.2e} {largest_difference(theirs[m - 1], path[m]):22.2e} "
                  f"{largest_difference(ours, theirs[m - 1]):21.2e} | {int(np.argmin(differences)):8}", flush=True)
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/cli/coppice")
    parser.add_argument("--assign", type=lambda text: text.split(","), default=["naive", "kdtree", "bounds", "auto"])
    parser.add_argument("--iterations", type=int, default=5)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--columns", type=int, default=8)
    parser.add_argument("--k", type=int, default=20)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--tolerance", type=float, default=1e-9)
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # "did not converge"
    with tempfile.TemporaryDirectory() as folder:
        try:
            worst = follow(options, Path(folder))
        except measure.Failure as failure:
            raise SystemExit(f"coppice failed: {failure}") from None
    print(f"largest difference from NumPy's Lloyd: {worst:.2e}, tolerance {options.tolerance:.0e}")
    sys.exit(worst > options.tolerance)


if __name__ == "__main__":
    main()
