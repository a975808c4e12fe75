#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Does a background beside the clusters (--outliers) keep K and the labels right?

Five Gaussian clusters of random shapes, N rows in all, in D columns, and a share of uniform rows over a box five times as wide as the
one that the clusters span. Every table is fitted with and without --outliers. Reported are the means over the seeds of K, of the
adjusted Rand index over the rows of clusters, of the same over all rows with the background as a class of its own, and of the number of
rows labelled -1. Without outliers (share 0) K should be the same and next to no row be labelled -1.

    experiments/outliers.py --results outliers.jsonl
    experiments/outliers.py --table outliers.jsonl
    experiments/outliers.py --quick                                  # one table of 400 rows per share
"""
import argparse
import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np

import tables

K = 5
WIDTH = 5.0  # of the background's box, in those of the clusters' box
NAMES = ("columns", "share", "seed")
CONTENDERS = {"without": [], "--outliers": ["--outliers"]}


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=None, help="rows of clusters (2000)")
    parser.add_argument("--columns", type=int, nargs="+", default=None, help="(2 4 8)")
    parser.add_argument("--shares", type=float, nargs="+", default=[0.0, 0.05, 0.10], help="of uniform rows")
    parser.add_argument("--seeds", type=int, nargs="+", default=None, help="(0 1 2 3 4)")
    parser.add_argument("--program", default="build/release/cli/coppice")
    parser.add_argument("--results", default=None, help="append one JSON object per fit to this file")
    parser.add_argument("--table", default=None, help="print the table of such a file, without fitting")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    options.program = str(Path(options.program).resolve())
    options.rows = options.rows or (400 if options.quick else 2000)
    options.columns = options.columns or ([2] if options.quick else [2, 4, 8])
    options.seeds = options.seeds or ([0] if options.quick else [0, 1, 2, 3, 4])
    return options


def make(n_rows, n_columns, share, seed):
    """Rows and their classes; -1 is the background."""
    random = np.random.default_rng([seed, n_columns])
    truth = random.integers(K, size=n_rows)
    centres = random.uniform(-10.0, 10.0, size=(K, n_columns))
    points = np.empty((n_rows, n_columns))
    for cluster in range(K):
        shape = random.normal(size=(n_columns, n_columns)) / np.sqrt(n_columns)
        members = truth == cluster
        points[members] = centres[cluster] + random.normal(size=(members.sum(), n_columns)) @ shape.T
    n_outside = round(n_rows * share / (1.0 - share))
    low, high = points.min(axis=0), points.max(axis=0)
    middle, half = (low + high) / 2.0, WIDTH * (high - low) / 2.0
    outside = random.uniform(middle - half, middle + half, size=(n_outside, n_columns))
    return np.vstack([points, outside]), np.concatenate([truth, np.full(n_outside, -1)])


def ari(program, folder, labels, truth):
    np.save(Path(folder, "a.npy"), labels.astype(np.int32))
    np.save(Path(folder, "b.npy"), truth.astype(np.int32))
    said = subprocess.run([program, "evaluate", "a.npy", "b.npy", "--json"], cwd=folder, check=True, capture_output=True)
    return json.loads(said.stdout)["ari"]


def fit(program, points, truth, flags):
    with tempfile.TemporaryDirectory() as folder:
        np.save(Path(folder, "x.npy"), points)
        subprocess.run([program, "fit", "x.npy", *flags, "--labels-format", "npy", "--out", "out", "--quiet"], cwd=folder,
                       check=True, stdout=subprocess.DEVNULL)
        summary = json.loads(Path(folder, "out/summary.json").read_text())
        labels = np.load(Path(folder, "out/labels.npy"))
        inside = truth >= 0
        return {"k": summary["k"], "objective": summary["objective"]["value"], "seconds": summary["seconds"]["fit"],
                "ari_inside": ari(program, folder, labels[inside], truth[inside]),
                "ari_all": ari(program, folder, labels, truth), "outliers": int((labels == -1).sum()),
                "wrongly_out": int((labels[inside] == -1).sum())}


def run(options):
    records = []
    for n_columns in options.columns:
        for share in options.shares:
            for seed in options.seeds:
                points, truth = make(options.rows, n_columns, share, seed)
                for contender, flags in CONTENDERS.items():
                    record = {**dict(zip(NAMES, (n_columns, share, seed))), "contender": contender,
                              "true_outliers": int((truth < 0).sum()), **fit(options.program, points, truth, flags)}
                    records.append(record)
                    if options.results:
                        with open(options.results, "a", encoding="utf-8") as file:
                            file.write(json.dumps(record) + "\n")
    return records


def print_all(records):
    print("\nMeans over the seeds; the true K is 5.\n")
    rows = []
    for (n_columns, share, contender), found in tables.group(records, "columns", "share", "contender").items():
        means = {key: tables.mean(record[key] for record in found)
                 for key in ("k", "ari_inside", "ari_all", "true_outliers", "outliers", "wrongly_out", "seconds")}
        rows.append([str(n_columns), f"{share:.0%}", contender, f"{means['k']:.1f}", f"{means['ari_inside']:.3f}",
                     f"{means['ari_all']:.3f}", f"{means['true_outliers']:.0f}", f"{means['outliers']:.1f}",
                     f"{means['wrongly_out']:.1f}", f"{means['seconds']:.2f}"])
    tables.print_table(["D", "uniform", "fit", "K", "ARI inside", "ARI all", "uniform rows", "labelled -1", "of clusters",
                        "seconds"], rows)


def main():
    options = parse()
    if options.table:
        records = [json.loads(line) for line in Path(options.table).read_text(encoding="utf-8").splitlines()]
    else:
        records = run(options)
    print_all(records)


if __name__ == "__main__":
    main()
