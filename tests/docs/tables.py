# SPDX-License-Identifier: BSD-3-Clause
"""The files that commands of the documentation speak of, made up where no command before them makes them."""

import gzip
import shutil
import sqlite3
import struct
import subprocess

import numpy as np
import scipy.sparse

from pages import ROOT


def clusters(rows, columns, k=5):
    """Rows around k centres far from one another."""
    random = np.random.default_rng(7)
    labels = np.arange(rows) % k
    return random.normal(size=(k, columns))[labels] * 8 + random.normal(size=(rows, columns)), labels


def write_csv(path, rows):
    np.savetxt(path, rows, delimiter=",", header=",".join(f"x{c + 1}" for c in range(rows.shape[1])), comments="", fmt="%.6g")


def write_idx(path):
    images = np.random.default_rng(1).integers(0, 256, (20, 4, 4), dtype=np.uint8)
    with gzip.open(path, "wb") as file:
        file.write(struct.pack(">4B3I", 0, 0, 8, 3, *images.shape) + images.tobytes())


def write_survey(path):
    with sqlite3.connect(path) as base:
        base.execute("CREATE TABLE people (age REAL, income REAL, year INTEGER)")
        rows, _ = clusters(200, 2)
        base.executemany("INSERT INTO people VALUES (?, ?, ?)", [(a + 40, b * 1000, 2019 + i % 2) for i, (a, b) in enumerate(rows)])


def generated(*arguments):
    return lambda path: subprocess.run(["coppice", "generate", *arguments, "--out", path], check=True, capture_output=True)


def saved(rows, columns):
    return lambda path: np.save(path, clusters(rows, columns)[0])


FILES = {
    "points.csv": lambda path: write_csv(path, clusters(400, 2)[0]),
    "known.csv": lambda path: np.savetxt(path, clusters(400, 2)[1], fmt="%d", header="label", comments=""),
    "new.csv": lambda path: write_csv(path, clusters(50, 2)[0]),
    "points.npy": saved(1500, 3),
    "centres.npy": lambda path: np.save(path, clusters(5, 3)[0]),
    "million.npy": saved(5000, 3),
    "big.npy": saved(800, 2),
    "big.csv.gz": lambda path: gzip.open(path, "wt").write("a,b\n" + "".join(f"{a},{b}\n" for a, b in clusters(300, 2)[0])),
    "images.npy": saved(200, 64),
    "new.npy": saved(20, 64),
    "penguins.csv": lambda path: shutil.copy(ROOT / "samples/penguins.csv", path),
    "species.csv": lambda path: shutil.copy(ROOT / "samples/penguins_species.csv", path),
    "answers.csv": generated("binary", "--rows", "200", "--dimensions", "8", "--k", "3"),
    "words.svm": generated("counts", "--rows", "200", "--dimensions", "80", "--k", "3"),
    "train-images-idx3-ubyte.gz": write_idx,
    "survey.db": write_survey,
    "documents.npz": lambda path: scipy.sparse.save_npz(path, scipy.sparse.random(30, 40, 0.2, "csr", random_state=1)),
}


def make_files_for(commands, folder):
    """Those that a command names and that are not there yet."""
    for name, make in FILES.items():
        if name in commands and not (folder / name).exists():
            make(folder / name)
