# SPDX-License-Identifier: BSD-3-Clause
"""Whether fits have become slower: two programs in turn on the same tables, and the median of the ratios.

  /usr/bin/python3 benchmarks/fits/before_after.py OLD NEW

OLD and NEW are coppice programs, such as build/release/cli/coppice of two revisions. Each pair of runs is made one after
the other, the order changing from pair to pair, so that a machine that is busy for a while is so for both. Tables are
made up. Run it on an idle machine.
"""

import argparse
import pathlib
import statistics
import subprocess
import tempfile
import time

import numpy as np


def clusters(seed, n_rows, n_columns, k, dtype=np.float64):
    random = np.random.default_rng(seed)
    centres = 4 * random.normal(size=(k, n_columns))
    return (centres[random.integers(k, size=n_rows)] + random.normal(size=(n_rows, n_columns))).astype(dtype)


TABLES = {
    "200,000 x 8": lambda: clusters(0, 200000, 8, 20, np.float32),
    "300,000 x 2": lambda: clusters(1, 300000, 2, 10),
    "3,000 x 4": lambda: clusters(2, 3000, 4, 8),
}

FITS = {
    "kmeans": ("200,000 x 8", "--method", "kmeans", "--k", "50"),
    "kmeans, tree": ("300,000 x 2", "--method", "kmeans", "--k", "100"),
    "gmm": ("200,000 x 8", "--method", "gmm", "--k", "10", "--max-iterations", "20"),
    "gmm, tied nodes": ("300,000 x 2", "--method", "gmm", "--k", "10", "--assign", "kdtree", "--max-iterations", "20"),
    "bkm": ("300,000 x 2",),
    "bkm, few rows": ("3,000 x 4",),
    "bkm, outliers": ("3,000 x 4", "--outliers"),
    "abc": ("3,000 x 4", "--method", "abc", "--family", "diagonal"),
    "ward": ("3,000 x 4", "--method", "ward"),
}


def seconds(program, table, options, out):
    command = [program, "fit", table, *options, "--out", out, "--force", "--quiet", "--labels-format", "npy"]
    start = time.monotonic()
    subprocess.run([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("--pairs", type=int, default=9, help="runs of either program per fit (default 9)")
    options = parser.parse_args()
    programs = (options.old.resolve(), options.new.resolve())
    with tempfile.TemporaryDirectory() as folder:
        paths = {}
        for number, (name, make) in enumerate(TABLES.items()):
            paths[name] = pathlib.Path(folder) / f"{number}.npy"
            np.save(paths[name], make())
        print(f"{'fit':16} {'old':>8} {'new':>8} {'new / old':>10}")
        for name, (table, *words) in FITS.items():
            taken = {program: [] for program in programs}
            for pair in range(options.pairs):
                for program in programs if pair % 2 == 0 else programs[::-1]:
                    taken[program].append(seconds(program, paths[table], words, pathlib.Path(folder) / "out"))
            old, new = (taken[program] for program in programs)
            ratio = statistics.median(b / a for a, b in zip(old, new))
            print(f"{name:16} {statistics.median(old):7.3f}s {statistics.median(new):7.3f}s {ratio:10.3f}", flush=True)


if __name__ == "__main__":
    main()
