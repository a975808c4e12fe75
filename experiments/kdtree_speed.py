#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How much a sweep of Bayesian k-means gains by the kd-tree ([L] Figure 5).

Makes Gaussian mixtures, fits them with default options, once with --assign kdtree and once with --assign naive, one
thread each, and compares the sweeps of their traces at the final K: comparisons with a cluster, and seconds. The tree's
build is part of `prepare` and listed beside them. Medians over sweeps, then over seeds. The labels of both must be the
same.

    experiments/kdtree_speed.py --what rows      # N = 10,000 ... 1,000,000, both spreads
    experiments/kdtree_speed.py --what columns   # D = 2 ... 64 at N = 20,000
    experiments/kdtree_speed.py --what tau       # tau = 1 ... 7 at N = 20,000
"""
import argparse
import json
import statistics
import subprocess
import tempfile
from pathlib import Path

GRIDS = {
    "rows": [dict(rows=n, spread=spread) for spread in ("spread", "wide") for n in (10_000, 20_000, 80_000, 1_000_000)],
    "columns": [dict(dimensions=d) for d in (2, 4, 8, 16, 32, 64)],
    "tau": [dict(tau=tau) for tau in (1, 2, 3, 4, 5, 6, 7)],
}
DEFAULTS = dict(rows=20_000, dimensions=2, k=5, tau=3, spread="spread")


def run(program, folder, *arguments):
    return subprocess.run([program, *map(str, arguments)], cwd=folder, capture_output=True, text=True, check=True).stdout


def sweeps(summary):
    """Seconds and comparisons of every sweep at the final K; a trace entry follows the one before without a pause."""
    trace = summary["trace"]
    pairs = [(a, b) for a, b in zip(trace, trace[1:]) if b["phase"] == "sweep" and b["k"] == summary["k"]]
    return [(b["seconds"] - a["seconds"], b["distances"] - a["distances"]) for a, b in pairs]


def one_seed(program, cell, seed):
    with tempfile.TemporaryDirectory() as folder:
        run(program, folder, "generate", "mixture", "--rows", cell["rows"], "--dimensions", cell["dimensions"], "--k",
            cell["k"], "--tau", cell["tau"], "--spread", cell["spread"], "--seed", seed, "--out", "x.npy", "--labels", "z.npy")
        figures, labels = {}, {}
        for assign in ("kdtree", "naive"):
            run(program, folder, "fit", "x.npy", "--assign", assign, "--threads", 1, "--labels-format", "npy", "--quiet",
                "--out", assign)
            summary = json.loads(Path(folder, assign, "summary.json").read_text())
            seconds, distances = zip(*sweeps(summary))
            figures[assign] = dict(seconds=statistics.median(seconds), distances=statistics.median(distances),
                                   prepare=summary["seconds"]["prepare"], sweeps=len(seconds))
            labels[assign] = Path(folder, assign, "labels.npy").read_bytes()
        assert labels["kdtree"] == labels["naive"], f"labels differ: {cell}, seed {seed}"
        return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/cli/coppice")
    parser.add_argument("--what", choices=GRIDS, default="rows")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--out", help="also write the figures as JSON")
    options = parser.parse_args()
    program = str(Path(options.program).resolve())
    results = []
    print("spread        N   D  tau | fewer comparisons | sweep by tree   by rows   factor | prepare with tree   without")
    for changes in GRIDS[options.what]:
        cell = DEFAULTS | changes
        fits = [one_seed(program, cell, seed) for seed in range(options.seeds)]

        def median(of):
            return statistics.median(of(fit) for fit in fits)

        fewer = median(lambda fit: fit["naive"]["distances"] / fit["kdtree"]["distances"])
        factor = median(lambda fit: fit["naive"]["seconds"] / fit["kdtree"]["seconds"])
        by_tree, by_rows = (median(lambda fit, a=a: fit[a]["seconds"]) * 1e6 for a in ("kdtree", "naive"))
        prepare = [median(lambda fit, a=a: fit[a]["prepare"]) * 1e3 for a in ("kdtree", "naive")]
        print(f"{cell['spread']:6} {cell['rows']:8} {cell['dimensions']:3} {cell['tau']:4g} | {fewer:16.1f}x | "
              f"{by_tree:10.1f} us {by_rows:8.1f} us {factor:7.2f}x | {prepare[0]:14.1f} ms {prepare[1]:6.1f} ms", flush=True)
        results.append(dict(cell=cell, fewer_comparisons=fewer, factor=factor, fits=fits))
    if options.out:
        Path(options.out).write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
