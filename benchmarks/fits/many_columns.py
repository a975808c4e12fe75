# SPDX-License-Identifier: BSD-3-Clause
"""How long a default fit takes where there are many columns, and how good it is: seconds, K, F and adjusted Rand index.

  /usr/bin/python3 benchmarks/fits/many_columns.py build/release/cli/coppice [OLD] --data FOLDER --peers

One or two coppice programs, such as those of two revisions, in turn on the same tables. Most tables are made up by the
first program; with --data, FOLDER/NAME/X.npy (or X.npy.xz) and y.npy of pendigits, optdigits and spambase are taken as
well. --peers adds scikit-learn: GaussianMixture with K = 1..20 by BIC, and BayesianGaussianMixture with 30 components.
Run it on an idle machine.
"""

import argparse
import json
import lzma
import pathlib
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
}
BROUGHT = ("pendigits", "optdigits", "spambase")


def load(path):
    if path.exists():
        return np.load(path)
    with lzma.open(path.with_suffix(".npy.xz")) as packed:
        return np.load(packed)


def tables(program, data, folder):
    """Name, rows, labels and options of every case."""
    for name, (rows, columns, k, options) in MADE_UP.items():
        x, y = folder / "x.npy", folder / "y.npy"
        words = {"--out": x, "--labels": y, "--rows": rows, "--dimensions": columns, "--k": k, "--tau": 2, "--seed": 0}
        command = [program, "generate", "mixture", "--force", *(word for pair in words.items() for word in pair)]
        subprocess.run([str(word) for word in command], stdout=subprocess.DEVNULL, check=True)
        yield name, np.load(x), np.load(y), options
    for name in BROUGHT if data else ():
        yield name, load(data / name / "X.npy"), load(data / name / "y.npy"), ()


def rand_index(truth, labels):
    """Adjusted for chance."""
    pairs = lambda counts: float(np.sum(counts * (counts - 1.0) / 2.0))
    counts = np.unique(np.stack([np.ravel(truth).astype(int), labels]), axis=1, return_counts=True)[1]
    of_truth, of_labels = (np.unique(each, return_counts=True)[1] for each in (np.ravel(truth), labels))
    expected = pairs(of_truth) * pairs(of_labels) / pairs(np.array([len(labels)]))
    return (pairs(counts) - expected) / ((pairs(of_truth) + pairs(of_labels)) / 2.0 - expected)


def show(name, who, seconds, k, objective, truth, labels):
    ari = rand_index(truth, labels)
    print(f"{name:18} {who:10} {seconds:8.2f} s   K {k:3}   F {objective:14.2f}   ARI {ari:.3f}", flush=True)


def fit(program, x, options, threads, folder):
    np.save(folder / "table.npy", x)
    out = folder / "out"
    command = [program, "fit", folder / "table.npy", *options, "--threads", threads, "--out", out, "--force", "--quiet",
               "--labels-format", "npy"]
    start = time.monotonic()
    subprocess.run([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    seconds = time.monotonic() - start
    summary = json.loads((out / "summary.json").read_text())
    return seconds, summary["k"], summary["objective"]["value"], np.load(out / "labels.npy")


def peers(x):
    from sklearn.mixture import BayesianGaussianMixture, GaussianMixture

    start = time.monotonic()
    fits = [GaussianMixture(k, random_state=0).fit(x) for k in range(1, 21)]
    best = min(fits, key=lambda mixture: mixture.bic(x))
    yield "GMM, BIC", time.monotonic() - start, best.n_components, best.bic(x) / 2.0, best.predict(x)
    start = time.monotonic()
    bayes = BayesianGaussianMixture(n_components=30, random_state=0, max_iter=500).fit(x)
    labels = bayes.predict(x)
    yield "Bayes GMM", time.monotonic() - start, len(np.unique(labels)), -bayes.lower_bound_, labels


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+", type=pathlib.Path)
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", nargs="+", help="names of tables")
    parser.add_argument("--peers", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for name, x, y, options in tables(arguments.programs[0], arguments.data, folder):
            if arguments.only and name not in arguments.only:
                continue
            for number, program in enumerate(arguments.programs):
                seconds, k, objective, labels = fit(program, x, options, arguments.threads, folder)
                show(name, f"coppice {number + 1}", seconds, k, objective, y, labels)
            for who, seconds, k, objective, labels in peers(x) if arguments.peers and not options else ():
                show(name, who, seconds, k, objective, y, labels)


if __name__ == "__main__":
    main()
