#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Who finds the digits among handwritten digits? Real data whose classes are not Gaussian.

`pendigits` and `optdigits` from a folder of data that holds NAME/X.npy and NAME/y.npy (UCI's pen-based and optical digits,
training and test part together, raw integers). Random subsets of 1000 and 3000 rows, seeds 0..2, and all rows. There are
ten classes, but people write a digit in several ways: a K above 10 is no error as such, so K is shown, not |K - 10|.

    experiments/digits.py --data FOLDER --results digits.jsonl       # continues where it was stopped
    experiments/digits.py --table digits.jsonl
    experiments/digits.py --data FOLDER --quick                      # 300 rows each; without --data scikit-learn's digits
"""
import argparse
from pathlib import Path

import numpy as np

import contest
import tables

NAMES = ("set", "rows", "seed")
SETS = ("pendigits", "optdigits")
SIZES = (1000, 3000)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    contest.add_options(parser, ["auto", "grid", "paper", "gmm-bic", "bgm"])
    parser.add_argument("--data", metavar="FOLDER", help="where pendigits/ and optdigits/ are")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=SETS)
    parser.add_argument("--rows", nargs="+", type=int, metavar="N",
                        help="sizes of the subsets; 0 means all rows; default 1000 3000 0")
    options = parser.parse_args()
    options.rows = options.rows or ([300] if options.quick else [*SIZES, 0])
    options.seeds = options.seeds or ([0] if options.quick else range(3))
    if not (options.data or options.quick or options.table):
        parser.error("--data FOLDER is needed: the folder with X.npy and y.npy in pendigits/ and in optdigits/")
    return parser, options


def load_installed():
    """The test part of the optical digits, which comes with scikit-learn."""
    from sklearn.datasets import load_digits

    return load_digits(return_X_y=True)


def load_set(parser, folder, name):
    files = [Path(folder, name, part) for part in ("X.npy", "y.npy")]
    for file in files:
        if not file.exists():
            parser.error(f"--data {folder}: there is no {name}/{file.name} in it")
    return [np.load(file) for file in files]


def data_set(name, points, classes, size, seed):
    """All rows for size 0; a subset without replacement otherwise."""
    if size > len(points):
        raise SystemExit(f"{name} has {len(points)} rows, fewer than the {size} of --rows")
    chosen = np.sort(np.random.default_rng(seed).choice(len(points), size, replace=False)) if size else slice(None)

    def make(folder):
        np.save(Path(folder, "x.npy"), points[chosen].astype(np.float64))
        np.save(Path(folder, "z.npy"), classes[chosen].astype(np.int32))

    return contest.DataSet(tuple(zip(NAMES, (name, size or len(points), seed))), make)


def all_data_sets(parser, options):
    """Smallest first, so that an interrupted run has most of the table."""
    if options.table:
        return []
    if options.quick and not options.data:
        sets = {"digits of scikit-learn": load_installed()}
    else:
        sets = {name: load_set(parser, options.data, name) for name in options.sets}
    return [data_set(name, *arrays, size, seed) for size in sorted(options.rows, key=lambda size: size or np.inf)
            for name, arrays in sets.items() for seed in (options.seeds if size else [0])]


def print_all(records):
    names = tables.contenders_of(records)
    print("\nMean K ± standard deviation / mean ARI / mean NMI; 10 classes.\n")
    rows = []
    for (name, size), found in tables.group(records, "set", "rows").items():
        by_name = tables.group(found, "contender")
        seeds = len({record["seed"] for record in found})
        rows.append([name, f"{size}", f"{seeds}", *(tables.k_and_scores(by_name.get((who,), []), "ari", "nmi") for who in names)])
    tables.print_table(["set", "rows", "subsets", *names], rows)


def main():
    parser, options = parse()
    records = contest.hold(parser, options, all_data_sets(parser, options), NAMES)
    print_all(records)
    tables.print_remarks(records, NAMES)


if __name__ == "__main__":
    main()
