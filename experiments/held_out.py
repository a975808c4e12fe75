#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Clusters that share rows, beside those that do not: K, labels, and the density of rows that nobody was shown.

The mixtures of finding_k.py, by `--spread spread`: N rows to fit, and 1000 more of the same mixture, whose mean log density
under what was fitted says how well the whole is described, whatever K. gmm-bic tries K = 1..15.

    experiments/held_out.py --results held_out.jsonl
    experiments/held_out.py --cells 2/1000/2 --seeds 0..4 --contenders auto vbmg
    experiments/held_out.py --table held_out.jsonl
    experiments/held_out.py --quick                                    # some seconds
"""
import argparse
from pathlib import Path

import numpy as np

import contenders
import contest
import finding_k
import tables

N_HELD_OUT = 1000
NAMES = ("tau", "rows", "dimensions", "seed")
USUAL = ["0.5/1000/2", "0.5/5000/2", "2/1000/2", "2/5000/2", "2/1000/32", "2/5000/32"]


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    contest.add_options(parser, ["auto", "vbmg", "mog-bic", "bgm", "gmm-bic"])
    parser.add_argument("--cells", nargs="+", metavar="TAU/N/D", help="of those of finding_k.py; * stands for all values")
    options = parser.parse_args()
    options.cells = options.cells or (["2/100/2"] if options.quick else USUAL)
    options.seeds = options.seeds or ([0] if options.quick else range(3))
    return parser, options


def data_set(program, cell, seed):
    def make(folder):
        tau, rows, dimensions = cell
        contenders.run([program, "generate", "mixture", "--rows", rows + N_HELD_OUT, "--dimensions", dimensions, "--k",
                        finding_k.TRUE_K, "--tau", tau, "--spread", "spread", "--seed", seed, "--out", "all.npy", "--labels",
                        "all_labels.npy"], folder, timeout=600)
        order = np.random.default_rng(seed).permutation(rows + N_HELD_OUT)
        for source, fitted in (("all.npy", "x.npy"), ("all_labels.npy", "z.npy")):
            np.save(Path(folder, fitted), np.load(Path(folder, source))[order[:rows]])
        np.save(Path(folder, contenders.HELD_OUT), np.load(Path(folder, "all.npy"))[order[rows:]])

    return contest.DataSet(tuple(zip(NAMES, (*cell, seed))), make, gmm_most=15)


def figures(records):
    """Mean K, ARI and density of a cell."""
    ended = tables.fitted(records)
    return f"{tables.k_and_scores(records, 'ari')} / {tables.mean(r['density'] for r in ended):.3f}" if ended else "-"


def bottom_row(records):
    ended = tables.fitted(records)
    error = tables.mean(abs(r["k"] - finding_k.TRUE_K) for r in ended)
    return (f"**{error:.2f}** / {tables.mean(r['ari'] for r in ended):.3f} / {tables.mean(r['density'] for r in ended):.3f}, "
            f"{tables.mean(r['seconds'] for r in ended):.1f} s")


def main():
    parser, options = parse()
    program = str(Path(options.program).resolve())
    data_sets = [data_set(program, cell, seed) for cell in finding_k.chosen_cells(parser, options.cells) for seed in options.seeds]
    records = contest.hold(parser, options, data_sets, NAMES)
    names = tables.contenders_of(records)
    by_cell = tables.group(records, "tau", "rows", "dimensions", "contender")
    cells = dict.fromkeys(key[:3] for key in by_cell)
    same = tables.group(tables.common(records, NAMES), "contender")
    print(f"Mean K ± standard deviation / mean ARI / held-out log density, nats per row; below, mean |K - {finding_k.TRUE_K}| and "
          "the rest over the data sets that all have, and seconds.\n")
    tables.print_table(["tau", "N", "D", *names],
                       [*([*(f"{value:g}" for value in cell), *(figures(by_cell.get((*cell, name), [])) for name in names)]
                          for cell in cells),
                        ["mean", "", "", *(bottom_row(same.get((name,), [])) for name in names)]])
    tables.print_remarks(records, NAMES)


if __name__ == "__main__":
    main()
