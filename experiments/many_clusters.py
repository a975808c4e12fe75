#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Are many clusters found, and in what time?

Grids of side x side round clusters of 100 rows (256 to 4096 clusters), mixtures of 200 and 500 Gaussian clusters in 100,000 rows, and
counts of 60 topics that overlap, all made by the program itself and fitted with its default options, by one program or by several one
after the other on every table. Reported are K, the adjusted Rand index, the objective and the seconds of the fit.

    experiments/many_clusters.py
    experiments/many_clusters.py --program build/release/cli/coppice before/coppice --seeds 0 1 2
    experiments/many_clusters.py --quick                             # two small grids and small counts
"""
import argparse
import json
import subprocess
import tempfile
from pathlib import Path

import tables


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", nargs="+", default=["build/release/cli/coppice"])
    parser.add_argument("--seeds", type=int, nargs="+", default=None, help="(0 to 9; those of mixtures and counts: the first)")
    parser.add_argument("--sides", type=int, nargs="+", default=None, help="of the grids (16 23 32 64)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    options.seeds = options.seeds or ([0] if options.quick else list(range(10)))
    options.sides = options.sides or ([6, 12] if options.quick else [16, 23, 32, 64])
    return options


def cases(options):
    """Name, ending, and what generate is asked for."""
    for side in options.sides:
        for seed in options.seeds:
            yield f"grid {side} x {side}, seed {seed}", "npy", ["birch", "--side", side, "--seed", seed]
    sizes = [] if options.quick else [(8, 200), (8, 500), (16, 200)]
    for columns, k in sizes:
        yield (f"mixture of {k} in {columns} columns", "npy",
               ["mixture", "--rows", 100000, "--dimensions", columns, "--k", k, "--seed", options.seeds[0]])
    rows, k = (500, 6) if options.quick else (5000, 60)
    yield f"counts of {k} topics", "svm", ["counts", "--rows", rows, "--k", k, "--dimensions", 50, "--seed", 2]


def run(program, arguments):
    subprocess.run([program, *map(str, arguments)], check=True, capture_output=True)


def fit(program, table, truth, out, threads):
    run(program, ["fit", table, "--truth", truth, "--out", out, "--force", "--threads", threads])
    return json.loads((out / "summary.json").read_text())


def main():
    options = parse()
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for case, ending, arguments in cases(options):
            table, truth = folder / f"table.{ending}", folder / "truth.npy"
            run(options.program[0], ["generate", *arguments, "--out", table, "--labels", truth, "--force"])
            for program in options.program:
                found = fit(program, table, truth, folder / "result", options.threads)
                rows.append([case, program, str(found["k"]), f"{found['scores']['ari']:.3f}",
                             f"{found['objective']['value']:.1f}", f"{found['seconds']['fit']:.1f}"])
                print("  ".join(rows[-1]), flush=True)
    print()
    tables.print_table(["table", "program", "K", "ARI", "objective", "seconds"], rows)


if __name__ == "__main__":
    main()
