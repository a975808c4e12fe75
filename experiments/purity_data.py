# SPDX-License-Identifier: BSD-3-Clause
"""The data sets of [L] Table 2 and [S] Table 2, as random subsets of files in a folder.

| set | what is drawn | from files NAME.npy or NAME.npy.xz |
|---|---|---|
| pendigits | 100 rows of 16 columns, both parts together | pendigits/X, y |
| optdigits | 100 rows of 64 columns; stands for CEDAR's 8 x 8 digits, which are not public | optdigits/X, y |
| mnist | 100 training images, projected to 50 columns by a Gaussian matrix that every subset draws anew | mnist/X_train, y_train |
| mnist 0/2/4 | the same for the digits 0, 2 and 4 | mnist/X_train, y_train |
| spambase | 200 rows; a column is 1 where the word or sign occurs; lengths of capitals, which are never 0: above the median | spambase/X, y |
| spambase 25+25 | 50 rows, 25 of each class ([L] Figure 4) | spambase/X, y |
| newsgroups4 | 240 articles; does a term occur? The 50 terms that tell most about the group, in nats over all articles | newsgroups4/counts_indptr, counts_indices, y |
"""
import dataclasses
import lzma
from pathlib import Path

import numpy as np

PROJECTED = 50  # columns of a random projection
TERMS = 50
LENGTHS = slice(54, 57)  # columns of spambase that are lengths of runs of capitals


@dataclasses.dataclass(frozen=True)
class Source:
    """All rows that subsets are drawn from."""

    points: np.ndarray
    classes: np.ndarray
    rows: int  # of a published subset
    projected: bool = False
    balanced: bool = False  # as many rows of every class

    def has_subsets_of(self, size):
        """0 is the published size; a balanced set, which illustrates, has no other."""
        return size == 0 or (size <= len(self.points) and not self.balanced)

    def subset(self, size, seed):
        """Rows without replacement in the order of the file, and their classes; all that is random comes from the seed."""
        random = np.random.default_rng(seed)
        chosen = self.balanced_rows(size, random) if self.balanced else random.choice(len(self.points), size, replace=False)
        chosen.sort()
        points = self.points[chosen].astype(np.float64)
        if self.projected:
            points = points @ random.standard_normal((points.shape[1], PROJECTED)) / np.sqrt(PROJECTED)
        return points, self.classes[chosen].astype(np.int32)

    def balanced_rows(self, size, random):
        names = np.unique(self.classes)
        return np.concatenate([random.choice(np.flatnonzero(self.classes == name), size // len(names), replace=False)
                               for name in names])


def load(folder, name):
    """An array of a file, which may be compressed."""
    for path, opener in ((Path(folder, f"{name}.npy"), open), (Path(folder, f"{name}.npy.xz"), lzma.open)):
        if path.exists():
            with opener(path, "rb") as file:
                return np.load(file)
    raise SystemExit(f"--data: there is no {name}.npy and no {name}.npy.xz in {folder}")


def digits(folder):
    return Source(load(folder, "X"), load(folder, "y"), rows=100)


def mnist(folder):
    return Source(load(folder, "X_train"), load(folder, "y_train"), rows=100, projected=True)


def three_digits(folder):
    images, classes = load(folder, "X_train"), load(folder, "y_train")
    kept = np.isin(classes, (0, 2, 4))
    return Source(images[kept], classes[kept], rows=100, projected=True)


def spambase(folder, **kind):
    points = load(folder, "X")
    bits = points > 0
    bits[:, LENGTHS] = points[:, LENGTHS] > np.median(points[:, LENGTHS], axis=0)
    return Source(bits, load(folder, "y"), **kind)


def mutual_information(occurs, classes):
    """Nats that every column of bits says about the class."""
    total = np.zeros(occurs.shape[1])
    for value in (occurs, ~occurs):
        share = value.mean(axis=0)
        for name in np.unique(classes):
            of_class = classes == name
            joint = (value & of_class[:, None]).mean(axis=0)
            total += joint * np.log(np.where(joint > 0, joint, 1) / np.where(joint > 0, share * of_class.mean(), 1))
    return total


def newsgroups(folder):
    starts, terms, classes = (load(folder, name) for name in ("counts_indptr", "counts_indices", "y"))
    occurs = np.zeros((len(classes), terms.max() + 1), dtype=bool)
    occurs[np.repeat(np.arange(len(classes)), np.diff(starts)), terms] = True
    told = mutual_information(occurs, classes)
    best = np.sort(np.argsort(-told, kind="stable")[:TERMS])
    return Source(occurs[:, best], classes, rows=240)


SETS = {  # how a set is read from its folder
    "pendigits": ("pendigits", digits),
    "optdigits": ("optdigits", digits),
    "mnist": ("mnist", mnist),
    "mnist 0/2/4": ("mnist", three_digits),
    "spambase": ("spambase", lambda folder: spambase(folder, rows=200)),
    "spambase 25+25": ("spambase", lambda folder: spambase(folder, rows=50, balanced=True)),
    "newsgroups4": ("newsgroups4", newsgroups),
}


def read(data, name):
    folder, reader = SETS[name]
    return reader(Path(data, folder))


def installed():
    """The test part of the optical digits, which comes with scikit-learn."""
    from sklearn.datasets import load_digits

    return Source(*load_digits(return_X_y=True), rows=100)
