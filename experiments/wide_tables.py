#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fewer rows than columns: are groups found, and is one body one cluster?

Groups of standard normal rows whose centres are so far apart: along random directions, by a shift of all columns (two groups), or
each by a shift of a tenth of the columns. And bodies that have no groups: round, of random shape, with five factors, with columns
of unlike spread, with the tails of a Student t.

    experiments/wide_tables.py --results wide.jsonl                 # 10 seeds each; continues where it was stopped
    experiments/wide_tables.py --kinds "all columns" --shapes 10/50/35/2 --seeds 0..19
    experiments/wide_tables.py --table wide.jsonl
    experiments/wide_tables.py --quick
"""
import argparse
from pathlib import Path

import numpy as np

import contest
import tables

NAMES = ("kind", "shape", "seed")
GROUPS = ("10/50/35/2", "12/60/40/2", "20/200/25/2", "20/200/18/3", "30/1000/25/2", "30/1000/25/3", "100/3000/21/2")
BODIES = ("15/40", "30/50", "30/300", "80/100", "30/1000")


def directions(random, columns, distance, k):
    return np.linalg.qr(random.normal(size=(columns, k)))[0].T * distance / np.sqrt(2)


def all_columns(random, columns, distance, k):
    """For three groups and more, of all columns up or down at random: about as far apart."""
    if k == 2:
        return np.array([np.zeros(columns), np.full(columns, distance / np.sqrt(columns))])
    return random.choice([-1, 1], size=(k, columns)) * distance / np.sqrt(2 * columns)


def some_columns(random, columns, distance, k):
    marked = random.permutation(columns)[:k * (columns // 10)].reshape(k, -1)
    centres = np.zeros((k, columns))
    for centre, own in zip(centres, marked):
        centre[own] = distance / np.sqrt(2 * len(own))
    return centres


CENTRES = {"random directions": directions, "all columns": all_columns, "some columns": some_columns}
SHAPES_OF_BODIES = {
    "round": lambda random, n, d: random.normal(size=(n, d)),
    "random shape": lambda random, n, d: random.normal(size=(n, d)) @ random.normal(size=(d, d)),
    "five factors": lambda random, n, d: random.normal(size=(n, 5)) @ random.normal(size=(5, d)) + random.normal(size=(n, d)),
    "unlike columns": lambda random, n, d: random.normal(size=(n, d)) * np.exp(random.normal(size=d)),
    "t tails": lambda random, n, d: random.normal(size=(n, d)) * np.sqrt(5 / random.chisquare(5, size=(n, 1))),
}
KINDS = [*CENTRES, *SHAPES_OF_BODIES]


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    contest.add_options(parser, ["auto"])
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--shapes", nargs="+", metavar="N/D[/DISTANCE/K]", help="rows, columns, and of groups these two")
    options = parser.parse_args()
    if options.quick:
        options.kinds, options.shapes = ["all columns", "round"], ["10/50/35/2", "12/40"]
    options.seeds = options.seeds or range(1 if options.quick else 10)
    return parser, options


def rows_of(kind, shape, seed):
    """The rows, and the groups that they come from."""
    random = np.random.default_rng([KINDS.index(kind), seed, *(int(number) for number in shape.split("/"))])
    if kind in SHAPES_OF_BODIES:
        rows, columns = (int(number) for number in shape.split("/"))
        return SHAPES_OF_BODIES[kind](random, rows, columns), np.zeros(rows, dtype=np.int32)
    rows, columns, distance, k = (int(number) for number in shape.split("/"))
    truth = np.arange(rows) % k
    return CENTRES[kind](random, columns, distance, k)[truth] + random.normal(size=(rows, columns)), truth.astype(np.int32)


def data_set(kind, shape, seed):
    def make(folder):
        rows, truth = rows_of(kind, shape, seed)
        np.save(Path(folder, "x.npy"), rows)
        np.save(Path(folder, "z.npy"), truth)

    return contest.DataSet(tuple(zip(NAMES, (kind, shape, seed))), make)


def data_sets(options):
    for kind in options.kinds:
        has_groups = kind in CENTRES
        for shape in options.shapes or (GROUPS if has_groups else BODIES):
            if (shape.count("/") == 3) == has_groups:
                yield from (data_set(kind, shape, seed) for seed in options.seeds)


def print_all(records):
    names = tables.contenders_of(records)
    print("\nMean K / mean adjusted Rand index; of how many tables the index is 1.\n")
    rows = []
    for (kind, shape), found in tables.group(records, "kind", "shape").items():
        by_name = tables.group(tables.fitted(found), "contender")
        cells = []
        for name in names:
            of_name = by_name.get((name,), [])
            n_right = sum(record["ari"] == 1.0 for record in of_name)
            cells.append(f"{tables.k_and_scores(of_name, 'ari')}; {n_right} of {len(of_name)}")
        rows.append([kind, shape, *cells])
    tables.print_table(["kind", "rows/columns/distance/K", *names], rows)


def main():
    parser, options = parse()
    records = contest.hold(parser, options, [] if options.table else list(data_sets(options)), NAMES)
    print_all(records)
    tables.print_remarks(records, NAMES)


if __name__ == "__main__":
    main()
