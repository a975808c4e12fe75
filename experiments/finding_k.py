#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Who finds the number of clusters in Gaussian mixtures? ([L] section 11.1, Table 1)

Mixtures of ten clusters made by `coppice generate mixture`, in 27 cells: tau 0.1, 0.5, 2; N = 100, 1000, 5000; D = 2, 32,
64. The paper does not say how widely centroids are drawn; both readings of `--spread` are run, and the published column is
context, not a rival on the same data. With `spread` tau hardly binds in many dimensions, and the same seed then gives the
same rows for all three values of tau: such cells are copies, not repetitions, and the last row of a table counts the data
sets that differ. gmm-bic tries K = 1..15, so it cannot be further off than 5 above and 9 below.

    experiments/finding_k.py --results finding_k.jsonl                 # hours; continues where it was stopped
    experiments/finding_k.py --cells '*/100/*' 2/1000/64 --seeds 0..2 --contenders auto paper
    experiments/finding_k.py --table finding_k.jsonl                   # the tables of what is there
    experiments/finding_k.py --quick                                   # about a minute
"""
import argparse
import fnmatch
from pathlib import Path

import contenders
import contest
import tables

TRUE_K = 10
NAMES = ("spread", "tau", "rows", "dimensions", "seed")
PUBLISHED = {  # [L] Table 1, column BKM: mean and standard deviation of K over ten data sets
    (0.1, 100, 2): (2.00, 0.82), (0.1, 100, 32): (2.50, 4.74), (0.1, 100, 64): (13.30, 1.06),
    (0.1, 1000, 2): (7.40, 1.96), (0.1, 1000, 32): (7.70, 1.16), (0.1, 1000, 64): (5.70, 4.79),
    (0.1, 5000, 2): (8.10, 4.72), (0.1, 5000, 32): (10.00, 0.00), (0.1, 5000, 64): (10.00, 0.00),
    (0.5, 100, 2): (4.10, 3.60), (0.5, 100, 32): (14.80, 5.35), (0.5, 100, 64): (13.80, 0.92),
    (0.5, 1000, 2): (4.30, 3.65), (0.5, 1000, 32): (9.20, 2.10), (0.5, 1000, 64): (11.40, 6.15),
    (0.5, 5000, 2): (8.10, 3.57), (0.5, 5000, 32): (9.90, 0.32), (0.5, 5000, 64): (9.70, 0.48),
    (2, 100, 2): (8.30, 1.89), (2, 100, 32): (10.70, 5.17), (2, 100, 64): (13.80, 0.63),
    (2, 1000, 2): (9.60, 1.26), (2, 1000, 32): (9.40, 1.26), (2, 1000, 64): (12.60, 3.31),
    (2, 5000, 2): (10.00, 0.00), (2, 5000, 32): (10.00, 0.00), (2, 5000, 64): (10.00, 0.00),
}
CELLS = list(PUBLISHED)
SMALL = [cell for cell in CELLS if cell[1] <= 1000]
QUICK = ["2/100/2", "2/100/32", "2/1000/2"]


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    contest.add_options(parser, ["auto", "paper", "gmm-bic", "bgm"])
    parser.add_argument("--cells", nargs="+", metavar="TAU/N/D", help="some of the 27; * stands for all values")
    parser.add_argument("--spreads", nargs="+", choices=("spread", "tight"), default=["spread", "tight"])
    options = parser.parse_args()
    options.cells = options.cells or (QUICK if options.quick else ["*"])
    options.seeds = options.seeds or ([0] if options.quick else range(10))
    return parser, options


def chosen_cells(parser, patterns):
    names = {"/".join(f"{value:g}" for value in cell): cell for cell in CELLS}
    for pattern in patterns:
        if not fnmatch.filter(names, pattern):
            parser.error(f"--cells {pattern}: no cell is called so; there are {', '.join(names)}")
    return [cell for name, cell in names.items() if any(fnmatch.fnmatch(name, pattern) for pattern in patterns)]


def data_set(program, reading, cell, seed):
    def make(folder):
        tau, rows, dimensions = cell
        contenders.run([program, "generate", "mixture", "--rows", rows, "--dimensions", dimensions, "--k", TRUE_K, "--tau", tau,
                        "--spread", reading, "--seed", seed, "--out", "x.npy", "--labels", "z.npy"], folder, timeout=600)

    return contest.DataSet(tuple(zip(NAMES, (reading, *cell, seed))), make, gmm_most=15)


def error_and_ari(records, cells):
    """Mean |K - 10| and ARI over the cells, every cell with the same weight however many seeds it has."""
    by_cell = {cell: found for cell, found in tables.group(tables.fitted(records), "tau", "rows", "dimensions").items()
               if cell in cells}
    if not by_cell:
        return "-"
    error = tables.mean(tables.mean(abs(r["k"] - TRUE_K) for r in found) for found in by_cell.values())
    ari = tables.mean(tables.mean(r["ari"] for r in found) for found in by_cell.values())
    missing = "" if len(by_cell) == len(cells) else f" ({len(by_cell)} of {len(cells)} cells)"
    return f"**{error:.2f}** / {ari:.2f}{missing}"


def published_error(cells):
    return f"{tables.mean(abs(PUBLISHED[cell][0] - TRUE_K) for cell in cells):.2f}"


def bottom_rows(records, names):
    """Means over the cells; then the same for the data sets that all contenders have, should they differ."""
    same = list(tables.common(records, NAMES))
    kinds = [("", records)] if len(same) == len(tables.fitted(records)) else [("", records), (", same data sets", same)]
    for remark, chosen in kinds:
        by_name = tables.group(chosen, "contender")
        for what, cells in (("N <= 1000", SMALL), ("all 27", CELLS)):
            count = "" if not remark else f" ({len(tables.group([r for r in same if cell_of(r) in cells], *NAMES))})"
            yield [f"mean, {what}{remark}{count}", "", "", published_error(cells),
                   *(error_and_ari(by_name.get((name,), []), cells) for name in names)]


def count_row(records, names):
    """How much a column rests on."""
    by_name = tables.group(tables.fitted(records), "contender")
    counts = [by_name.get((name,), []) for name in names]
    return ["fits, of different data", "", "", "", *(f"{len(found)}, {len({r['data'] for r in found})}" for found in counts)]


def cell_of(record):
    return record["tau"], record["rows"], record["dimensions"]


def print_reading(reading, records):
    names = tables.contenders_of(records)
    by_cell = tables.group(records, "tau", "rows", "dimensions", "contender")
    rows = []
    for cell in CELLS:
        found = [tables.k_and_scores(by_cell.get((*cell, name), []), "ari") for name in names]
        if any(text != "-" for text in found):
            rows.append([*(f"{value:g}" for value in cell), "{:.1f} ± {:.1f}".format(*PUBLISHED[cell]), *found])
    print(f"\nData by `--spread {reading}`: mean K ± standard deviation / mean ARI; below, mean |K - {TRUE_K}| / ARI, every cell "
          "with the same weight.\n")
    tables.print_table(["tau", "N", "D", "published BKM", *names],
                       [*rows, *bottom_rows(records, names), count_row(records, names)])


def main():
    parser, options = parse()
    program = str(Path(options.program).resolve())
    data_sets = [data_set(program, reading, cell, seed) for reading in options.spreads
                 for cell in chosen_cells(parser, options.cells) for seed in options.seeds]
    records = contest.hold(parser, options, data_sets, NAMES)
    for (reading,), found in tables.group(records, "spread").items():
        print_reading(reading, found)
    tables.print_remarks(records, NAMES)


if __name__ == "__main__":
    main()
