# SPDX-License-Identifier: BSD-3-Clause
"""The small tables that both programs are run on, made by NumPy alone; good ones, and bad ones to be refused."""

import gzip
import sqlite3
import struct
import zipfile

import numpy as np


def mixture(seed, rows, centres, spread=1.0):
    """Rows around centres that are drawn, or given one per row; the labels behind them."""
    rng = np.random.default_rng(seed)
    if isinstance(centres, tuple):
        centres = rng.normal(scale=7.0, size=centres)
    labels = rng.integers(len(centres), size=rows)
    return np.asarray(centres)[labels] + spread * rng.normal(size=(rows, np.shape(centres)[1])), labels


def write_csv(path, header, columns, separator=","):
    lines = [separator.join(header)] if header else []
    lines += [separator.join(map(str, cells)) for cells in zip(*columns)]
    path.write_text("\n".join(lines) + "\n")


def write_svm(path, rows):
    def line(row):
        return " ".join(["0"] + [f"{column + 1}:{row[column]:g}" for column in np.flatnonzero(row)])

    path.write_text("".join(line(row) + "\n" for row in rows))


def points(folder):
    """Four plain clusters in three columns, in many formats, and all that can be given beside them."""
    values, labels = mixture(1, 600, (4, 3))
    rng = np.random.default_rng(2)
    write_csv(folder / "points.csv", "abc", values.T)
    write_csv(folder / "points.tsv", "abc", values.T, "\t")
    write_csv(folder / "semicolons.csv", [], values.T, ";")
    (folder / "points.csv.gz").write_bytes(gzip.compress((folder / "points.csv").read_bytes()))
    np.save(folder / "points.npy", values)
    np.save(folder / "points32.npy", values.astype(np.float32))
    np.savez(folder / "points.npz", values=values, labels=labels)
    with sqlite3.connect(folder / "points.db") as database:
        database.execute("CREATE TABLE points (a REAL, b REAL, c REAL)")
        database.executemany("INSERT INTO points VALUES (?, ?, ?)", values.tolist())
    pixels = np.abs(values[:200]).astype(np.uint8)
    (folder / "points.idx").write_bytes(struct.pack(">HBBII", 0, 8, 2, *pixels.shape) + pixels.tobytes())
    weights = rng.integers(4, size=600)
    names = [f"n{row:03}" for row in rng.permutation(600)]
    kinds = [f"kind{label}" for label in labels]
    write_csv(folder / "named.csv", ["name", "w", "a", "b", "c", "same", "kind"],
              [names, weights, *values.T, np.full(600, 2.5), kinds])
    write_csv(folder / "named_truth.csv", ["id", "label"], zip(*sorted(zip(names, kinds))))
    write_csv(folder / "truth.csv", ["label"], [labels])
    write_csv(folder / "new.csv", "cab", mixture(3, 80, (4, 3))[0].T)
    np.save(folder / "new.npy", mixture(3, 80, (4, 3))[0])
    np.save(folder / "weights.npy", weights + 0.5)
    write_csv(folder / "weights.csv", [], [weights])
    write_csv(folder / "labels.csv", ["label"], [np.where(rng.random(600) < 0.1, 0, labels)])
    write_csv(folder / "centres.csv", [], np.array([values[labels == label].mean(axis=0) for label in range(4)]).T)
    write_csv(folder / "m0.csv", [], [[0.5], [-1.0], [0.25]])
    np.save(folder / "b0.npy", np.array([[2.0, 0.5, 0.0], [0.5, 1.0, 0.25], [0.0, 0.25, 3.0]]))


def shapes(folder):
    """Tables that lead the search along other ways: tails, outliers, overlap, copies, rounding, few rows, many rows."""
    rng = np.random.default_rng(4)
    write_csv(folder / "small.csv", "xy", mixture(5, 90, (3, 2))[0].T)
    np.save(folder / "small.npy", mixture(5, 90, (3, 2))[0])
    write_csv(folder / "small_truth.csv", ["label"], [mixture(5, 90, (3, 2))[1]])
    noise = rng.uniform(-30, 30, size=(25, 3))
    write_csv(folder / "noisy.csv", "abc", np.concatenate([mixture(1, 500, (4, 3))[0], noise]).T)
    np.save(folder / "tails.npy", np.repeat([[0, 0], [25, 0], [0, 25]], 250, axis=0) + rng.standard_t(3, size=(750, 2)))
    np.save(folder / "close.npy", mixture(6, 700, [[0.0], [2.8], [-2.8]])[0])
    np.save(folder / "copies.npy", np.repeat(mixture(7, 40, (3, 2))[0], 12, axis=0))
    write_csv(folder / "whole.csv", ["p", "q"], np.rint(mixture(8, 400, (3, 2), 2.0)[0]).astype(int).T)
    np.save(folder / "wide.npy", mixture(9, 40, (3, 60))[0])
    np.save(folder / "medium.npy", mixture(10, 5000, (6, 2))[0])
    np.save(folder / "medium32.npy", mixture(10, 5000, (6, 2))[0].astype(np.float32))
    np.save(folder / "many.npy", mixture(14, 1400, (4, 2))[0])
    np.save(folder / "large.npy", mixture(11, 12000, (5, 2))[0])
    units = np.exp(mixture(12, 300, (3, 4), 0.3)[0] / 7) * [1, 10, 100, 1000]
    write_csv(folder / "units.csv", ["mm", "cm", "m", "km", "none"], [*units.T, np.full(300, 7)])
    np.save(folder / "units.npy", units)


def discrete(folder):
    """Counts and answers, dense and sparse."""
    rng = np.random.default_rng(13)
    rates = rng.gamma(0.5, size=(4, 12)) * 8
    counts = rng.poisson(rates[rng.integers(4, size=300)])
    write_csv(folder / "counts.csv", [f"n{column}" for column in range(12)], counts.T)
    write_svm(folder / "counts.svm", counts)
    words = rng.poisson((rng.gamma(0.05, size=(3, 150)) * 3)[rng.integers(3, size=150)])
    write_svm(folder / "words.svm", words)
    write_svm(folder / "reals.svm", words[:, :40] * rng.random((150, 40)).round(3))
    rare = np.zeros((1100, 1100))  # beyond what principal directions are found in exactly
    np.put_along_axis(rare, rng.integers(1100, size=(1100, 6)), rng.integers(1, 9, size=(1100, 6)), axis=1)
    write_svm(folder / "rare.svm", rare)
    bits = rng.random((300, 10)) < rng.beta(0.4, 0.4, size=(3, 10))[rng.integers(3, size=300)]
    write_csv(folder / "bits.csv", [f"q{column}" for column in range(10)], bits.astype(int).T)
    write_csv(folder / "answers.csv", [f"q{column}" for column in range(10)], np.where(bits, "yes", "no").T)
    write_svm(folder / "bits.svm", bits)


BAD_TEXT = {
    "empty.csv": "", "header_only.csv": "a,b,c\n", "nan.csv": "a,b\n1,2\n3,nan\n",
    "missing_cell.csv": "a,b\n1,2\nNA,4\n", "infinite.csv": "a,b\n1,inf\n2,4\n",
    "word.csv": "a,b\n1,2\n3,x\n", "ragged.csv": "a,b\n1,2\n3\n",
    "open_quote.csv": 'a,b\n1,2\n"3,4\n', "twice.csv": "a,a\n1,2\n", "money.csv": "a,b\n1,$5\n2,$6\n",
    "huge.csv": "a,b\n1e200,1\n-1e200,2\n3,4\n", "negative.csv": "a,b\n0,1\n-1,2\n3,4\n", "words_only.csv": "a\nx\ny\n",
    "json.csv": '{"a": 1}\n', "bad.svm": "0 1:2 1:3\n", "short.csv": "0\n1\n1\n", "half.csv": "0\n1\n0.5\n",
    "three.csv": "a,b\n1,2\n3,5\n4,4\n", "negative_weights.csv": "1\n-2\n1\n", "zero_weights.csv": "0\n0\n0\n",
    "two_columns.csv": "u,v\n1,2\n3,4\n",
}


def bad(folder):
    for name, text in BAD_TEXT.items():
        (folder / name).write_text(text)
    values = np.arange(12.0).reshape(4, 3)
    np.save(folder / "whole.npy", values)
    (folder / "cut.npy").write_bytes((folder / "whole.npy").read_bytes()[:-20])
    values[2, 1] = np.nan
    np.save(folder / "nan.npy", values)
    with zipfile.ZipFile(folder / "foreign.coppice", "w") as archive:
        archive.writestr("hello.txt", "hello")


def make(folder):
    folder.mkdir()
    for part in (points, shapes, discrete, bad):
        part(folder)
