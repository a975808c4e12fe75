#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How much a sweep over counts gains by the kd-tree: multinomial clusters ([L] section 11.3).

The paper reports a speed-up for N = 10,000 rows of 8 columns, smaller than that of Gaussian clusters. Makes rows of counts
(5 clusters, 100 counts a row), fits them with --family multinomial, once with --assign kdtree and once with --assign naive,
and compares the sweeps of their traces at the final K (see sweeps.py). kdtree_speed.py does the same for Gaussians.

    experiments/discrete_speed.py            # N = 10,000, 100,000, 1,000,000; three seeds
    experiments/discrete_speed.py --quick    # N = 5,000, one seed: does the experiment work?
"""
import argparse
import json
from pathlib import Path

import sweeps


def generate(options, rows, seed):
    return ["counts", "--rows", rows, "--dimensions", options.dimensions, "--k", options.k, "--total", options.total,
            "--seed", seed]


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/cli/coppice")
    parser.add_argument("--rows", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--dimensions", type=int, default=8)
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--total", type=int, default=100, help="counts in a row")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--out", help="also write the figures as JSON")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    if options.quick:
        options.rows, options.seeds = [5000], 1
    return options


def main():
    options = parse()
    program = str(Path(options.program).resolve())
    results = []
    print(f"       N   D  total    K | {sweeps.HEADER}")
    for rows in options.rows:
        fits = [sweeps.compare(program, generate(options, rows, seed), ["--family", "multinomial"])
                for seed in range(options.seeds)]
        found = sweeps.medians(fits)
        ks = "/".join(str(k) for k in sorted({fit["naive"]["k"] for fit in fits}))
        print(f"{rows:8} {options.dimensions:3} {options.total:6} {ks:>4} | {sweeps.line(found)}", flush=True)
        results.append(dict(rows=rows, dimensions=options.dimensions, k=options.k, total=options.total, **found, fits=fits))
    if options.out:
        Path(options.out).write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
