#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""How often is one cluster found where there is one?

One body of rows: a Gaussian of random shape, a Student t with 3 degrees of freedom, or a box filled evenly. A box is no cluster of
any family that is tried, so that several may be the better description; it is here to see how many.

    experiments/null_controls.py --results null.jsonl                # 100 seeds each; continues where it was stopped
    experiments/null_controls.py --bodies gaussian --dimensions 2 8 --seeds 0..19
    experiments/null_controls.py --table null.jsonl
    experiments/null_controls.py --quick
"""
import argparse

import numpy as np

import contest
import tables
from pathlib import Path

NAMES = ("body", "dimensions", "seed")
DIMENSIONS = (2, 4, 8, 16, 32, 64)
ROWS = 1000


def gaussian(random, shape):
    return random.normal(size=(ROWS, len(shape))) @ shape


def student(random, shape):
    return gaussian(random, shape) * np.sqrt(3 / random.chisquare(3, size=(ROWS, 1)))


def box(random, shape):
    return random.uniform(size=(ROWS, len(shape)))


BODIES = dict(gaussian=gaussian, student=student, box=box)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    contest.add_options(parser, ["auto"])
    parser.add_argument("--bodies", nargs="+", choices=BODIES, default=list(BODIES))
    parser.add_argument("--dimensions", nargs="+", type=int, default=DIMENSIONS)
    options = parser.parse_args()
    if options.quick:
        options.dimensions = [2]
    options.seeds = options.seeds or range(1 if options.quick else 100)
    return parser, options


def data_set(body, dimensions, seed):
    def make(folder):
        random = np.random.default_rng([list(BODIES).index(body), dimensions, seed])
        np.save(Path(folder, "x.npy"), BODIES[body](random, random.normal(size=(dimensions, dimensions))))
        np.save(Path(folder, "z.npy"), np.zeros(ROWS, dtype=np.int32))

    return contest.DataSet(tuple(zip(NAMES, (body, dimensions, seed))), make)


def print_all(records):
    names = tables.contenders_of(records)
    print(f"\nTables of {ROWS} rows: how many are one cluster; mean K.\n")
    rows = []
    for (body, dimensions), found in tables.group(records, "body", "dimensions").items():
        by_name = tables.group(tables.fitted(found), "contender")
        ks = [[record["k"] for record in by_name.get((name,), [])] for name in names]
        rows.append([body, f"{dimensions}", *(f"{k.count(1)} of {len(k)}; {tables.mean(k):.2f}" for k in ks)])
    tables.print_table(["body", "columns", *names], rows)


def main():
    parser, options = parse()
    data_sets = [] if options.table else [data_set(body, dimensions, seed) for body in options.bodies
                                          for dimensions in options.dimensions for seed in options.seeds]
    records = contest.hold(parser, options, data_sets, NAMES)
    print_all(records)
    tables.print_remarks(records, NAMES)


if __name__ == "__main__":
    main()
