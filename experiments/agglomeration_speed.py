#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the structures for closest pairs cost agglomerative Bayesian clustering ([L] Figure 5, last row).

Makes Gaussian mixtures (tau = 3, K = 10), builds the tree with --pairs fastpair, conga and naive under the paper's
prior, and lists the pairs of clusters that were looked at, as multiples of N squared, and the seconds of the fit. All
trees must be the same. --peers compares with average linkage by fastcluster, in the seconds of its call alone.

    experiments/agglomeration_speed.py                 # N = 800 ... 20,000, D = 2
    experiments/agglomeration_speed.py --rows 800 1600
    experiments/agglomeration_speed.py --peers         # N = 20,000, D = 2 and N = 5000, D = 16
    experiments/agglomeration_speed.py --quick         # one small cell: does the experiment work?
"""
import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

ROWS = (800, 1600, 3200, 6400, 12_800, 20_000)
STRUCTURES = ("fastpair", "conga", "naive")
PEER_CELLS = ((20_000, 2), (5000, 16))
QUICK_PEER_CELLS = ((500, 2),)


def run(program, *arguments):
    subprocess.run([program, *map(str, arguments)], check=True, capture_output=True, text=True)


def mixture(program, folder, rows, dimensions, seed):
    path = folder / "x.npy"
    size = ("--rows", rows, "--dimensions", dimensions, "--k", 10, "--tau", 3)
    run(program, "generate", "mixture", *size, "--seed", seed, "--out", path, "--force")
    return path


def fit(program, path, options):
    """Seconds, looks per N squared and the labels of one fit."""
    out = path.parent / "out"
    run(program, "fit", path, "--method", "abc", *options, "--out", out, "--force", "--quiet", "--labels-format", "npy")
    summary = json.loads((out / "summary.json").read_text())
    return dict(seconds=summary["seconds"]["fit"], looks=summary["counters"]["distances"] / summary["input"]["rows"] ** 2,
                k=summary["k"], labels=np.load(out / "labels.npy").tolist())


def compare_structures(options, folder):
    results = []
    print("| N | D | " + " | ".join(f"{name}: looks / N², s" for name in options.pairs) + " |")
    print("|---" * (2 + len(options.pairs)) + "|")
    for rows in options.rows:
        path = mixture(options.program, folder, rows, 2, 0)
        paper = ("--family", "gaussian", "--prior", "paper", "--threads", options.threads)
        fits = {name: fit(options.program, path, (*paper, "--pairs", name)) for name in options.pairs}
        if len({tuple(found["labels"]) for found in fits.values()}) > 1:
            raise SystemExit(f"the structures disagree at N = {rows}")
        cells = [f"{found['looks']:.2f}, {found['seconds']:.2f}" for found in fits.values()]
        print(f"| {rows} | 2 | " + " | ".join(cells) + " |", flush=True)
        results.append(dict(rows=rows, fits={name: {**found, "labels": None} for name, found in fits.items()}))
    return results


def average_linkage(path):
    """Seconds of fastcluster's call; nothing if it is not there."""
    try:
        import fastcluster
    except ImportError:
        return None
    points = np.load(path)
    start = time.perf_counter()
    fastcluster.linkage(points, method="average")
    return time.perf_counter() - start


def compare_with_linkage(options, folder):
    results = []
    print("| N | D | abc gaussian, s | abc spherical, s | average linkage, s |")
    print("|---|---|---|---|---|")
    for rows, dimensions in QUICK_PEER_CELLS if options.quick else PEER_CELLS:
        path = mixture(options.program, folder, rows, dimensions, 0)
        threads = ("--threads", options.threads)
        gaussian = fit(options.program, path, ("--family", "gaussian", "--prior", "paper", *threads))["seconds"]
        spherical = fit(options.program, path, ("--family", "spherical", *threads))["seconds"]
        linkage = average_linkage(path)
        print(f"| {rows} | {dimensions} | {gaussian:.2f} | {spherical:.2f} | "
              + ("not installed" if linkage is None else f"{linkage:.2f}") + " |", flush=True)
        results.append(dict(rows=rows, dimensions=dimensions, gaussian=gaussian, spherical=spherical, linkage=linkage))
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/cli/coppice")
    parser.add_argument("--rows", type=int, nargs="+", default=ROWS)
    parser.add_argument("--pairs", nargs="+", choices=STRUCTURES, default=STRUCTURES)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--out", help="also write the figures as JSON")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    options.program = str(Path(options.program).resolve())
    if options.quick:
        options.rows = (300,)
    with tempfile.TemporaryDirectory() as folder:
        compare = compare_with_linkage if options.peers else compare_structures
        results = compare(options, Path(folder))
    if options.out:
        Path(options.out).write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
