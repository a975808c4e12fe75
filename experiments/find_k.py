#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Does Bayesian k-means find the number of clusters in Gaussian mixtures? ([L] section 11.1, Table 1)

Makes mixtures of ten clusters with `coppice generate mixture`, fits them with default options, and prints K and the
adjusted Rand index for every seed. The published setting does not say how widely centroids are drawn; --spread chooses.

    experiments/find_k.py --program build/release/cli/coppice --rows 5000 --dimensions 2 16 --tau 2
"""
import argparse
import json
import subprocess
import tempfile
from pathlib import Path


def run(program, folder, *arguments):
    done = subprocess.run([program, *map(str, arguments)], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def one_fit(program, options, dimensions, seed):
    with tempfile.TemporaryDirectory() as folder:
        run(program, folder, "generate", "mixture", "--rows", options.rows, "--dimensions", dimensions, "--k", options.k,
            "--tau", options.tau, "--spread", options.spread, "--seed", seed, "--out", "x.npy", "--labels", "z.npy")
        summary = json.loads(run(program, folder, "fit", "x.npy", "--truth", "z.npy", "--json", *options.fit.split()))
        return {"seed": seed, "k": summary["k"], "ari": summary["scores"]["ari"],
                "seconds": summary["seconds"]["prepare"] + summary["seconds"]["fit"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/cli/coppice")
    parser.add_argument("--rows", type=int, default=5000)
    parser.add_argument("--dimensions", type=int, nargs="+", default=[2, 16])
    parser.add_argument("--k", type=int, default=10)
    parser.add_argument("--tau", type=float, default=2.0)
    parser.add_argument("--spread", choices=["tight", "spread", "wide"], default="spread")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--fit", default="", help="further options of 'coppice fit', in one word")
    parser.add_argument("--out", help="also write the figures as JSON")
    options = parser.parse_args()
    program = str(Path(options.program).resolve())
    results = {}
    for dimensions in options.dimensions:
        fits = [one_fit(program, options, dimensions, seed) for seed in range(options.seeds)]
        results[dimensions] = fits
        right = sum(fit["k"] == options.k for fit in fits)
        mean_error = sum(abs(fit["k"] - options.k) for fit in fits) / len(fits)
        print(f"{options.spread}, N = {options.rows}, D = {dimensions}, tau = {options.tau:g}: K = {options.k} on {right} of "
              f"{len(fits)} seeds, mean |K - {options.k}| = {mean_error:.2f}, "
              f"mean ARI = {sum(fit['ari'] for fit in fits) / len(fits):.3f}")
        print("  K   " + " ".join(f"{fit['k']:5d}" for fit in fits))
        print("  ARI " + " ".join(f"{fit['ari']:5.3f}" for fit in fits))
    if options.out:
        Path(options.out).write_text(json.dumps({"options": vars(options), "fits": results}, indent=1) + "\n")


if __name__ == "__main__":
    main()
