#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Variational Dirichlet process mixtures beside one another ([V] Figures 1 and 2): vdp, Fast-VDP (vdp --assign kdtree)
and bj (20 starts, T = 20), on c-separated Gaussians.

    experiments/variational_dp.py --what rows         # N = 10,000, 100,000, 1,000,000; bj where that is feasible
    experiments/variational_dp.py --what truncated    # N = 1000 ... 5000, all three up to T = 20 ([V] Figure 1)
    experiments/variational_dp.py --what sizes        # N = 1000 ... 1,000,000 ([V] Figure 2, as the next two)
    experiments/variational_dp.py --what columns      # D = 2 ... 128 at N = 10,000
    experiments/variational_dp.py --what separation   # c = 0.5 ... 4 at N = 10,000
    experiments/variational_dp.py --quick             # one small cell of each kind: does the experiment work?

One prior for all (--prior paper), so that free energies compare. `variational_runs.py` says what seconds and their parts
are. `times faster` are ratios of seconds within one data set: of whole commands; without reading, writing, prior and
tree; of the search alone, which is what [V] can have timed, since it gives no gap and no labels. F is given as the
difference from vdp's in nats per row: [V]'s ratio 1 + (F_A - F_B) / |F_B| depends on the units of the data.
"""
import argparse
import json
import statistics
import tempfile
from pathlib import Path

import tables
import variational_runs
from variational_runs import BJ, FAST, VDP

UP_TO_20 = ("--max-k", 20, "--epsilon", 0)

PAIR = {"vdp": VDP, "fast": FAST}
TRIPLE = {"vdp": VDP, "fast": FAST, "bj": BJ, "bj, leaves": (*BJ, "--assign", "kdtree")}
ALL = {"vdp": (*VDP, *UP_TO_20), "fast": (*FAST, *UP_TO_20), "bj": BJ}
MOST_ROWS = {"bj": 10_000, "bj, leaves": 100_000}
GRIDS = {
    "rows": ([dict(rows=n) for n in (10_000, 100_000, 1_000_000)], TRIPLE),
    "truncated": ([dict(rows=n) for n in (1000, 2000, 3000, 4000, 5000)], ALL),
    "sizes": ([dict(rows=n) for n in (1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000)], PAIR),
    "columns": ([dict(dimensions=d) for d in (2, 4, 8, 16, 32, 64, 128)], PAIR),
    "separation": ([dict(separation=c) for c in (0.5, 1, 2, 3, 4)], PAIR),
}
QUICK = {
    "rows": ([dict(rows=3000, dimensions=4)], PAIR),
    "truncated": ([dict(rows=200, dimensions=3, k=4)], {**ALL, "bj": (*BJ, "--restarts", 2)}),
}
DEFAULTS = dict(rows=10_000, dimensions=16, k=10, separation=2)


def compare(program, cell, contenders, seed, threads):
    with tempfile.TemporaryDirectory() as folder:
        words = [word for name, value in cell.items() for word in (f"--{name}", value)]
        variational_runs.run(program, folder, "generate", "separated", *words, "--seed", seed, "--out", "x.npy",
                             "--labels", "z.npy")
        shared = ("--family", "gaussian", "--prior", "paper", "--truth", "z.npy")
        return {name: variational_runs.fit(program, folder, "x.npy", "found", *options, *shared, threads=threads)
                for name, options in contenders.items() if cell["rows"] <= MOST_ROWS.get(name, cell["rows"])}


def without_tree(fit):
    return fit["parts"]["search"] + fit["parts"]["last"]


def times_faster(fits, name):
    """Whole commands, without files and tree, the search alone; medians over seeds of the ratios within each."""
    def of(seconds):
        return statistics.median(seconds(fit["vdp"]) / max(1e-9, seconds(fit[name])) for fit in fits)
    return " / ".join(f"{ratio:.3g}" for ratio in (of(lambda fit: fit["seconds"] if fit["threads"] == 1 else fit["wall"]),
                                                   of(without_tree), of(lambda fit: fit["parts"]["search"])))


def rows_of(cell, fits):
    """One line per contender: medians over seeds."""
    for name in fits[0]:
        of = [fit[name] for fit in fits]
        nats = [(fit[name]["f"] - fit["vdp"]["f"]) / cell["rows"] for fit in fits]
        yield [str(cell["rows"]), str(cell["dimensions"]), f"{cell['separation']:g}", name,
               f"{statistics.median(x['seconds'] for x in of):.2f}", f"{statistics.median(x['wall'] for x in of):.2f}",
               " / ".join(f"{statistics.median(x['parts'][part] for x in of):.3f}" for part in of[0]["parts"]),
               times_faster(fits, name), f"{statistics.median(nats):+.4f}",
               ", ".join(str(x["k"]) for x in of), f"{statistics.median(x['ari'] for x in of):.3f}",
               variational_runs.front(of[-1]["front"])]


HEADER = ["N", "D", "c", "who", "processor seconds", "wall", "files / tree / search / last",
          "times faster than vdp: whole / without tree / search", "F - F(vdp), nats per row", "K", "ARI",
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
