#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Is `--assign auto` as fast as the better of `naive` and `kdtree`?

Runs the same fits with every choice, in turn, and compares prepare + fit seconds (medians of several runs; the tree's
build is part of them). Two kinds of fits over Gaussian mixtures (tau = 3): `sweeps` starts from the true labels with K as
the limit, so that sweeps and merges are nearly all there is; `search` is a default fit that has to find K. B0 is given,
so that no choice needs a tree for the prior. Prints seconds and the ratio of auto to the better choice, then its median.

    benchmarks/fits/assign_choice.py [--what sweeps|search] [--runs 3] [--threads 2]
"""
import argparse
import json
import statistics
import subprocess
import tempfile
from pathlib import Path

CHOICES = ("naive", "kdtree", "auto")


def cells(what):
    """(rows, columns, clusters), leaving out what would take minutes."""
    if what == "search":
        return [(n, d, 10) for n in (10_000, 100_000) for d in (1, 2, 4, 8, 16, 32) if n * d * d <= 40_000_000]
    grid = [(n, d, k) for n in (10_000, 100_000) for d in (1, 2, 4, 8, 16, 32, 64) for k in (2, 10, 50, 500)]
    return [(n, d, k) for n, d, k in grid if n * k * (d * d + 10) <= 6_000_000_000 and k * k * d**3 <= 400_000_000]


def run(program, folder, *arguments):
    subprocess.run([program, *map(str, arguments)], cwd=folder, capture_output=True, text=True, check=True)


def measure(program, options, n, d, k):
    with tempfile.TemporaryDirectory() as folder:
        run(program, folder, "generate", "mixture", "--rows", n, "--dimensions", d, "--k", k, "--tau", 3, "--out", "x.npy",
            "--labels", "z.npy")
        Path(folder, "b0.csv").write_text("\n".join(",".join(str(float(i == j)) for i in range(d)) for j in range(d)) + "\n")
        start = ["--init", "z.npy", "--max-k", k, "--max-iterations", 20] if options.what == "sweeps" else []
        seconds = {choice: [] for choice in CHOICES}
        used = {}
        for _ in range(options.runs):
            for choice in CHOICES:
                run(program, folder, "fit", "x.npy", *start, "--b0", "b0.csv", "--assign", choice, "--threads",
                    options.threads, "--labels-format", "npy", "--quiet", "--force", "--out", "out")
                summary = json.loads(Path(folder, "out", "summary.json").read_text())
                seconds[choice].append(summary["seconds"]["prepare"] + summary["seconds"]["fit"])
                used[choice] = summary["assign"]["used"]
        return {choice: statistics.median(times) for choice, times in seconds.items()}, used["auto"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/cli/coppice")
    parser.add_argument("--what", choices=("sweeps", "search"), default="sweeps")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", help="also write the figures as JSON")
    options = parser.parse_args()
    program = str(Path(options.program).resolve())
    results = []
    print("      N   D    K |     naive    kdtree      auto | auto / better  auto used")
    for n, d, k in cells(options.what):
        seconds, used = measure(program, options, n, d, k)
        ratio = seconds["auto"] / min(seconds["naive"], seconds["kdtree"])
        results.append(dict(rows=n, columns=d, clusters=k, seconds=seconds, ratio=ratio, used=used))
        print(f"{n:7} {d:3} {k:4} | {seconds['naive']:9.4f} {seconds['kdtree']:9.4f} {seconds['auto']:9.4f} | {ratio:13.2f}  {used}",
              flush=True)
    ratios = [result["ratio"] for result in results]
    print(f"auto / better: median {statistics.median(ratios):.3f}, largest {max(ratios):.2f}, over {len(ratios)} cells")
    if options.out:
        Path(options.out).write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
