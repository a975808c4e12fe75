#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What an iteration of vdp costs beside one of soft EM with full covariances (gmm), at the same N, D and K.

    experiments/variational_iteration.py            # N = 10,000 and 100,000, D = 16, K = 10 and 20
    experiments/variational_iteration.py --quick    # does the experiment work?

Both start from the same random labels, so that neither is done early, and go on for so many iterations and no more. An
iteration costs what a long run takes more than a short one, in processor seconds of one thread; of several pairs of runs
the median counts. vdp has one component more than gmm in every iteration, the tail.
"""
import argparse
import statistics
import tempfile
from pathlib import Path

import numpy as np

import tables
import variational_runs

GRID = [dict(rows=10_000, k=10), dict(rows=100_000, k=10), dict(rows=100_000, k=20)]
QUICK = [dict(rows=2000, k=3)]
COLUMNS = 16


def contenders(k):
    common = ("--family", "gaussian", "--assign", "naive", "--init", "start.npy")
    return {"gmm": ("--method", "gmm", "--k", k, "--tolerance", 0, *common),
            "vdp": ("--method", "vdp", "--max-k", k, "--epsilon", 1e-9, "--prior", "paper", *common)}


def per_iteration(program, folder, options, iterations):
    short, long = (variational_runs.fit(program, folder, "x.npy", "found", *options, "--max-iterations", n)
                   for n in (2, iterations))
    return (long["seconds"] - short["seconds"]) / max(1, long["iterations"] - short["iterations"])


def compare(program, cell, pairs, iterations):
    with tempfile.TemporaryDirectory() as folder:
        variational_runs.run(program, folder, "generate", "separated", "--rows", cell["rows"], "--dimensions", COLUMNS,
                             "--k", cell["k"], "--separation", 1, "--out", "x.npy")
        labels = np.random.default_rng(0).integers(cell["k"], size=(cell["rows"], 1))
        np.save(Path(folder, "start.npy"), labels.astype(float))
        found = {name: [] for name in contenders(cell["k"])}
        for _ in range(pairs):
            for name, options in contenders(cell["k"]).items():
                found[name].append(per_iteration(program, folder, options, iterations))
    return {name: statistics.median(seconds) for name, seconds in found.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/cli/coppice")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--iterations", type=int, default=30)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    program = str(Path(options.program).resolve())
    rows = []
    for cell in QUICK if options.quick else GRID:
        seconds = compare(program, cell, 1 if options.quick else options.pairs, options.iterations)
        rows.append([str(cell["rows"]), str(COLUMNS), str(cell["k"]),
                     *(f"{1e3 * seconds[name]:.2f}" for name in ("gmm", "vdp")), f"{seconds['vdp'] / seconds['gmm']:.2f}"])
    tables.print_table(["N", "D", "K", "gmm, ms per iteration", "vdp, ms per iteration", "ratio"], rows)


if __name__ == "__main__":
    main()
