#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Variational Dirichlet process mixtures beside one another ([V] Figures 1 and 2): vdp, Fast-VDP (vdp --assign kdtree)
and bj (20 starts, T = 20), on c-separated Gaussians.

    experiments/variational_dp.py --what rows         # N = 10,000, 100,000, 1,000,000: vdp and Fast-VDP
    experiments/variational_dp.py --what truncated    # N = 1000 ... 5000, with bj, all three up to T = 20
    experiments/variational_dp.py --what columns      # D = 2 ... 128 at N = 10,000
    experiments/variational_dp.py --what separation   # c = 0.5 ... 4 at N = 10,000
    experiments/variational_dp.py --quick             # one small cell of each kind: does the experiment work?

One prior for all (--prior paper), so that free energies compare. Seconds are processor seconds of the fit command's
process, its threads added up, with everything from reading to writing; `tree` is the wall time of what the summary
calls prepare. F is given as the difference from vdp's in nats per row: [V]'s ratio 1 + (F_A - F_B) / |F_B| depends on the
units of the data.
"""
import argparse
import json
import resource
import statistics
import subprocess
import tempfile
from pathlib import Path

import tables

FAST = ("--method", "vdp", "--assign", "kdtree")
VDP = ("--method", "vdp")
BJ = ("--method", "bj", "--truncation", 20)
UP_TO_20 = ("--max-k", 20, "--epsilon", 0)

PAIR = {"vdp": VDP, "fast": FAST}
ALL = {"vdp": (*VDP, *UP_TO_20), "fast": (*FAST, *UP_TO_20), "bj": BJ}
GRIDS = {
    "rows": ([dict(rows=n) for n in (10_000, 100_000, 1_000_000)], PAIR),
    "truncated": ([dict(rows=n) for n in (1000, 2000, 5000)], ALL),
    "columns": ([dict(dimensions=d) for d in (2, 4, 8, 16, 32, 64, 128)], PAIR),
    "separation": ([dict(separation=c) for c in (0.5, 1, 2, 3, 4)], PAIR),
}
QUICK = {
    "rows": ([dict(rows=3000, dimensions=4)], PAIR),
    "truncated": ([dict(rows=200, dimensions=3, k=4)], {**ALL, "bj": (*BJ, "--restarts", 2)}),
}
DEFAULTS = dict(rows=10_000, dimensions=16, k=10, separation=2)


def run(program, folder, *arguments):
    done = subprocess.run([program, *map(str, arguments)], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, arguments))}: {done.stderr.strip()}")


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def one_fit(program, folder, name, options, threads):
    before = processor_seconds()
    run(program, folder, "fit", "x.npy", *options, "--family", "gaussian", "--prior", "paper", "--threads", threads,
        "--truth", "z.npy", "--labels-format", "npy", "--quiet", "--out", name)
    seconds = processor_seconds() - before
    summary = json.loads(Path(folder, name, "summary.json").read_text())
    front = summary["assign"].get("front")
    return dict(seconds=seconds, tree=summary["seconds"]["prepare"], f=summary["objective"]["value"],
                k=summary["k"], ari=summary["scores"]["ari"], iterations=summary["iterations"], front=front)


def compare(program, cell, contenders, seed, threads):
    with tempfile.TemporaryDirectory() as folder:
        words = [word for name, value in cell.items() for word in (f"--{name}", value)]
        run(program, folder, "generate", "separated", *words, "--seed", seed, "--out", "x.npy", "--labels", "z.npy")
        return {name: one_fit(program, folder, name, options, threads) for name, options in contenders.items()}


def rows_of(cell, fits):
    """One line per contender: medians over seeds, of the ratios within each."""
    for name in fits[0]:
        of = [fit[name] for fit in fits]
        ratios = [fit["vdp"]["seconds"] / fit[name]["seconds"] for fit in fits]
        nats = [(fit[name]["f"] - fit["vdp"]["f"]) / cell["rows"] for fit in fits]
        front = of[-1]["front"]
        yield [str(cell["rows"]), str(cell["dimensions"]), f"{cell['separation']:g}", name,
               f"{statistics.median(x['seconds'] for x in of):.2f}", f"{statistics.median(x['tree'] for x in of):.2f}",
               f"{statistics.median(ratios):.1f}", f"{statistics.median(nats):+.4f}",
               ", ".join(str(x["k"]) for x in of), f"{statistics.median(x['ari'] for x in of):.3f}",
               f"{front['nodes']} + {front['rows']}, {front['gap']:.4f}" if front else "all rows"]


HEADER = ["N", "D", "c", "who", "seconds", "tree", "times faster than vdp", "F - F(vdp), nats per row", "K", "ARI",
          "front: nodes + rows, gap"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/cli/coppice")
    parser.add_argument("--what", choices=GRIDS, default="rows")
    parser.add_argument("--most-rows", type=int, default=1_000_000, help="leave out larger tables")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", help="also write the figures as JSON")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    program = str(Path(options.program).resolve())
    grids = QUICK.values() if options.quick else [GRIDS[options.what]]
    rows = []
    results = []
    for cells, contenders in grids:
        for changes in cells:
            cell = DEFAULTS | changes
            if cell["rows"] > options.most_rows:
                continue
            seeds = range(1 if options.quick else options.seeds)
            fits = [compare(program, cell, contenders, seed, options.threads) for seed in seeds]
            rows += rows_of(cell, fits)
            results.append(dict(cell=cell, fits=fits))
    tables.print_table(HEADER, rows)
    if options.out:
        Path(options.out).write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
