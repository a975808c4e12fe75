#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How much a sweep of Bayesian k-means gains by the kd-tree ([L] Figure 5).

Makes Gaussian mixtures, fits them with default options, once with --assign kdtree and once with --assign naive, and
compares the sweeps of their traces at the final K (see sweeps.py).

    experiments/kdtree_speed.py --what rows      # N = 10,000 ... 1,000,000, both spreads
    experiments/kdtree_speed.py --what columns   # D = 2 ... 64 at N = 20,000
    experiments/kdtree_speed.py --what tau       # tau = 1 ... 7 at N = 20,000
    experiments/kdtree_speed.py --quick          # two small cells, one seed: does the experiment work?
"""
import argparse
import json
from pathlib import Path

import sweeps

GRIDS = {
    "rows": [dict(rows=n, spread=spread) for spread in ("spread", "wide") for n in (10_000, 20_000, 80_000, 1_000_000)],
    "columns": [dict(dimensions=d) for d in (2, 4, 8, 16, 32, 64)],
    "tau": [dict(tau=tau) for tau in (1, 2, 3, 4, 5, 6, 7)],
}
QUICK = [dict(rows=5000), dict(rows=5000, spread="wide")]
DEFAULTS = dict(rows=20_000, dimensions=2, k=5, tau=3, spread="spread")


def generate(cell, seed):
    return ["mixture", *(word for name, value in cell.items() for word in (f"--{name}", value)), "--seed", seed]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/cli/coppice")
    parser.add_argument("--what", choices=GRIDS, default="rows")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--out", help="also write the figures as JSON")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    program = str(Path(options.program).resolve())
    results = []
    print(f"spread        N   D  tau | {sweeps.HEADER}")
    for changes in QUICK if options.quick else GRIDS[options.what]:
        cell = DEFAULTS | changes
        fits = [sweeps.compare(program, generate(cell, seed)) for seed in range(1 if options.quick else options.seeds)]
        found = sweeps.medians(fits)
        print(f"{cell['spread']:6} {cell['rows']:8} {cell['dimensions']:3} {cell['tau']:4g} | {sweeps.line(found)}", flush=True)
        results.append(dict(cell=cell, **found, fits=fits))
    if options.out:
        Path(options.out).write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
