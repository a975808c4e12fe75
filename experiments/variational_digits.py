#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""MNIST reduced to 50 columns by PCA ([V] section 8): clusters, seconds and free energy of Fast-VDP and of vdp.

    experiments/variational_digits.py --data FOLDER                  # FOLDER/mnist/X_train.npy(.xz), 60,000 x 784
    experiments/variational_digits.py --data FOLDER --time-limit 900 # vdp ends there at the latest
    experiments/variational_digits.py --quick                        # made-up rows: does the experiment work?

Pixels as they are (0..255), and divided by 255: with --prior paper clusters are the same and F shifts by N D log 255, with
fitted priors they need not be. The columns are made once, by NumPy, as in [V]: no time of the fits is theirs. F is shown as
that of pixels / 255 would be, so that lines compare.
"""
import argparse
import io
import lzma
import math
import tempfile
from pathlib import Path

import numpy as np

import tables
import variational_runs

COLUMNS = 50
CONTENDERS = {"fast": variational_runs.FAST, "vdp": variational_runs.VDP}
PRIORS = {"paper": ("--family", "gaussian", "--prior", "paper"), "fitted": ("--family", "gaussian")}


def load(folder):
    for name in ("X_train.npy", "X_train.npy.xz"):
        file = Path(folder, "mnist", name)
        if file.exists():
            return np.load(io.BytesIO(lzma.decompress(file.read_bytes())) if file.suffix == ".xz" else file)
    raise SystemExit(f"--data {folder}: there is no mnist/X_train.npy or X_train.npy.xz in it")


def made_up():
    random = np.random.default_rng(0)
    return np.concatenate([random.normal(mean, 20, (300, 60)) for mean in random.uniform(0, 255, (3, 60))])


def components(pixels, n):
    """The first principal components of the rows."""
    centred = pixels - pixels.mean(axis=0)
    _, vectors = np.linalg.eigh(centred.T @ centred)
    return centred @ vectors[:, :-n - 1:-1]


def line(scale, prior, who, fit, f_of_vdp, shape):
    shift = shape[0] * shape[1] * math.log(255.0) if scale == "0..255" else 0.0
    f = fit["f"] - shift
    return f, [scale, prior, who, f"{fit['seconds']:.1f}", f"{fit['wall']:.1f}", str(fit["k"]), f"{f:.6g}",
               "-" if f_of_vdp is None else f"{(f - f_of_vdp) / shape[0]:+.3f}", fit["stopped"],
               variational_runs.front(fit["front"])]


HEADER = ["pixels", "prior", "who", "processor seconds", "wall", "K", "F", "F - F(vdp), nats per row", "ended by",
          "front: nodes + rows, gap"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/cli/coppice")
    parser.add_argument("--data", help="the folder with mnist/")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--time-limit", type=float, default=900, help="seconds, for vdp")
    parser.add_argument("--contenders", nargs="+", choices=CONTENDERS, default=list(CONTENDERS))
    parser.add_argument("--priors", nargs="+", choices=PRIORS, default=list(PRIORS))
    parser.add_argument("--scales", nargs="+", choices=("0..255", "0..1"), default=("0..255", "0..1"))
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    if not options.data and not options.quick:
        parser.error("--data FOLDER is needed: the folder with mnist/")
    program = str(Path(options.program).resolve())
    rows = components(made_up() if options.quick else load(options.data).astype(float), 5 if options.quick else COLUMNS)
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for scale in options.scales:
            np.save(Path(folder, "x.npy"), rows / (1 if scale == "0..255" else 255))
            for prior in options.priors:
                f_of_vdp = None
                for who in sorted(options.contenders, reverse=True):  # vdp first, if it is there
                    limit = ("--time-limit", options.time_limit) if who == "vdp" else ()
                    fit = variational_runs.fit(program, folder, "x.npy", "found", *CONTENDERS[who], *PRIORS[prior], *limit,
                                               threads=options.threads)
                    f, cells = line(scale, prior, who, fit, f_of_vdp, rows.shape)
                    f_of_vdp = f if who == "vdp" else f_of_vdp
                    lines.append(cells)
    tables.print_table(HEADER, lines)


if __name__ == "__main__":
    main()
