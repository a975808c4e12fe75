# SPDX-License-Identifier: BSD-3-Clause
"""How long a default fit takes where there are many columns, or many clusters, and how good it is: seconds, user
seconds of all threads, K, F and adjusted Rand index.

  /usr/bin/python3 benchmarks/fits/many_columns.py build/release/cli/coppice [OLD] --data FOLDER --repeats 3 --peers

One or two coppice programs, such as those of two revisions, in turn on the same tables; of repeats the one with the
median of user seconds. Most tables are made up by the first program; with --data, FOLDER/NAME/X.npy (or X.npy.xz) and
y.npy of pendigits, optdigits and spambase are taken as well. --peers adds scikit-learn, GaussianMixture with K = 1..20
by BIC and BayesianGaussianMixture with 30 components, and R's mclust with K = 1..20 by BIC, each where it is installed.
They do not take part where K is given or is above 20. Their F is half the BIC, or minus the lower bound. Run it on an
idle machine; on a busy one only user seconds compare.
"""

import argparse
import importlib.util
import json
import lzma
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

import numpy as np

# Rows, columns, K, and options of the fit.
MADE_UP = {
    "2,048 x 64": (2048, 64, 10, ()),
    "10,000 x 64": (10000, 64, 10, ()),
    "20,000 x 32": (20000, 32, 30, ()),
    "200 x 500": (200, 500, 5, ()),
    "100,000 x 16": (100000, 16, 10, ()),
    "30 x 2, --k 25": (30, 2, 5, ("--k", "25")),
    "1,000 x 2, --k 50": (1000, 2, 10, ("--k", "50")),
    "100,000 x 8, 200": (100000, 8, 200, ()),
    "100,000 x 8, 500": (100000, 8, 500, ()),
    "100,000 x 16, 200": (100000, 16, 200, ()),
}
MOST_CLUSTERS = 20  # of peers, which try every K
BROUGHT = ("pendigits", "optdigits", "spambase")


def load(path):
    if path.exists():
        return np.load(path)
    with lzma.open(path.with_suffix(".npy.xz")) as packed:
        return np.load(packed)


def tables(program, data, folder):
    """Name, rows, labels, options, and whether peers take part, of every case."""
    for name, (rows, columns, k, options) in MADE_UP.items():
        x, y = folder / "x.npy", folder / "y.npy"
        words = {"--out": x, "--labels": y, "--rows": rows, "--dimensions": columns, "--k": k, "--tau": 2, "--seed": 0}
        command = [program, "generate", "mixture", "--force", *(word for pair in words.items() for word in pair)]
        subprocess.run([str(word) for word in command], stdout=subprocess.DEVNULL, check=True)
        yield name, np.load(x), np.load(y), options, not options and k <= MOST_CLUSTERS
    for name in BROUGHT if data else ():
        yield name, load(data / name / "X.npy"), load(data / name / "y.npy"), (), True


def rand_index(truth, labels):
    """Adjusted for chance."""
    pairs = lambda counts: float(np.sum(counts * (counts - 1.0) / 2.0))
    counts = np.unique(np.stack([np.ravel(truth).astype(int), labels]), axis=1, return_counts=True)[1]
    of_truth, of_labels = (np.unique(each, return_counts=True)[1] for each in (np.ravel(truth), labels))
    expected = pairs(of_truth) * pairs(of_labels) / pairs(np.array([len(labels)]))
    return (pairs(counts) - expected) / ((pairs(of_truth) + pairs(of_labels)) / 2.0 - expected)


def show(name, who, seconds, k, objective, truth, labels):
    ari = rand_index(truth, labels)
    wall, user = seconds
    took = f"{wall:8.2f} s   user {user:8.2f} s"
    print(f"{name:18} {who:10} {took}   K {k:3}   F {objective:14.2f}   ARI {ari:.3f}", flush=True)


def timed(command):
    """Seconds, and user seconds of all threads, that a program takes."""
    start = time.monotonic()
    process = subprocess.Popen(
        [str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    return time.monotonic() - start, usage.ru_utime


def fit(program, x, options, threads, folder):
    np.save(folder / "table.npy", x)
    out = folder / "out"
    command = [program, "fit", folder / "table.npy", *options, "--threads", threads, "--out", out, "--force", "--quiet",
               "--labels-format", "npy"]
    seconds = timed(command)
    summary = json.loads((out / "summary.json").read_text())
    return seconds, summary["k"], summary["objective"]["value"], np.load(out / "labels.npy")


def scikit_learn(x):
    from sklearn.mixture import BayesianGaussianMixture, GaussianMixture

    def fitted(fit):
        wall, user = time.monotonic(), os.times().user
        result = fit()
        return (time.monotonic() - wall, os.times().user - user), result

    all_k = range(1, MOST_CLUSTERS + 1)
    seconds, fits = fitted(lambda: [GaussianMixture(k, random_state=0).fit(x) for k in all_k])
    best = min(fits, key=lambda mixture: mixture.bic(x))
    yield "GMM, BIC", seconds, best.n_components, best.bic(x) / 2.0, best.predict(x)
    seconds, bayes = fitted(lambda: BayesianGaussianMixture(n_components=30, random_state=0, max_iter=500).fit(x))
    labels = bayes.predict(x)
    yield "Bayes GMM", seconds, len(np.unique(labels)), -bayes.lower_bound_, labels


MCLUST = """
suppressMessages(library(mclust))
paths <- commandArgs(trailingOnly = TRUE)
columns <- as.numeric(paths[3])
values <- readBin(paths[1], "double", n = as.numeric(paths[2]) * columns)
x <- matrix(values, ncol = columns, byrow = TRUE)
fit <- Mclust(x, G = 1:as.numeric(paths[4]), verbose = FALSE)
writeLines(as.character(c(fit$G, -fit$bic / 2, fit$classification)), paths[5])
"""


def mclust(x, folder):
    rows, out = folder / "rows.bin", folder / "mclust.txt"
    np.ascontiguousarray(x, dtype=np.float64).tofile(rows)
    seconds = timed(["Rscript", "-e", MCLUST, rows, *x.shape, MOST_CLUSTERS, out])
    k, objective, *labels = out.read_text().split()
    yield "mclust", seconds, int(k), float(objective), np.array([int(label) for label in labels])


def missing_peers():
    """Those that are not installed, with the reason."""
    missing = {}
    if importlib.util.find_spec("sklearn") is None:
        missing["scikit-learn"] = "this Python has no module sklearn"
    if shutil.which("Rscript") is None:
        missing["mclust"] = "there is no Rscript"
    elif subprocess.run(["Rscript", "-e", "library(mclust)"], capture_output=True).returncode != 0:
        missing["mclust"] = "this R has no package mclust"
    return missing


def peers(x, missing, folder):
    if "scikit-learn" not in missing:
        yield from scikit_learn(x)
    if "mclust" not in missing:
        yield from mclust(x, folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+", type=pathlib.Path)
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", nargs="+", help="names of tables")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--peers", action="store_true")
    arguments = parser.parse_args()
    missing = missing_peers() if arguments.peers else {}
    for who, why in missing.items():
        print(f"{who} is left out: {why}")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for name, x, y, options, has_peers in tables(arguments.programs[0], arguments.data, folder):
            if arguments.only and name not in arguments.only:
                continue
            found = [[] for _ in arguments.programs]
            for _ in range(arguments.repeats):
                for program, of_program in zip(arguments.programs, found):
                    of_program.append(fit(program, x, options, arguments.threads, folder))
            for number, of_program in enumerate(found):
                seconds, k, objective, labels = sorted(of_program, key=lambda one: one[0][1])[len(of_program) // 2]
                show(name, f"coppice {number + 1}", seconds, k, objective, y, labels)
            if arguments.peers and has_peers:
                for who, seconds, k, objective, labels in peers(x, missing, folder):
                    show(name, who, seconds, k, objective, y, labels)


if __name__ == "__main__":
    main()
