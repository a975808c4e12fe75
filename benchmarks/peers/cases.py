# SPDX-License-Identifier: BSD-3-Clause
"""What is compared: shapes, and the files that every contender reads.

A case is one data set with one start. Its rows are generated with a fixed seed (a Gaussian mixture, or BIRCH's grid in
two dimensions), or come from a folder of real data where that holds a matching set. The start of k-means is `clusters`
rows drawn without replacement; the start of mixtures is a labelling, the true one with a fifth of the labels redrawn.

NumPy is imported where it is used: the process that starts the measurements must stay small (see measure.py).
"""
import dataclasses
import io
import lzma
from pathlib import Path

SEED = 1
SEPARATION = 4.0  # typical distance of two means of a mixture, in standard deviations of a component
LINKAGES = ("single", "complete", "average", "ward")
GRID_SPACING = 4 * 2**0.5  # BIRCH's grid: distance of neighbouring means, standard deviation 1


@dataclasses.dataclass(frozen=True)
class Case:
    """Seconds per iteration are taken between iterations `first` and `last`; a linkage has no iterations."""

    name: str
    task: str  # kmeans, gmm or linkage: which contenders can take it
    rows: int
    columns: int
    clusters: int
    kind: str = ""  # gmm: the family; linkage: the method
    source: str = "mixture"
    real: str = ""  # the set of the data folder that has this shape
    dtype: str = "float32"
    first: int = 2
    last: int = 12

    @property
    def shape(self):
        return f"{self.rows} x {self.columns}, {self.clusters}" if self.clusters else f"{self.rows} x {self.columns}"

    @property
    def flops(self):
        """Of one assignment by a matrix product: a multiplication and an addition per row, cluster and column."""
        return 2.0 * self.rows * self.clusters * self.columns


CASES = (
    Case("year", "kmeans", 500_000, 90, 2000, real="yearmsd", first=1, last=4),
    Case("kdd", "kmeans", 145_751, 74, 200, real="kdd_bio"),
    Case("digits-100", "kmeans", 60_000, 50, 100, real="mnist-50", last=22),
    Case("digits-10", "kmeans", 60_000, 50, 10, real="mnist-50", last=22),
    Case("pixels", "kmeans", 60_000, 784, 100, real="mnist"),
    Case("million", "kmeans", 1_000_000, 16, 64),
    Case("grid-1024", "kmeans", 102_400, 2, 1024, source="grid"),
    Case("grid-4096", "kmeans", 409_600, 2, 4096, source="grid", first=1, last=5),
    Case("gmm-diagonal", "gmm", 100_000, 32, 16, kind="diagonal", dtype="float64"),
    Case("gmm-full", "gmm", 100_000, 32, 16, kind="gaussian", dtype="float64", last=7),
    *(Case(f"{kind}-{thousands}k-{columns}", "linkage", 1000 * thousands, columns, 0, kind=kind, dtype="float64")
      for kind in LINKAGES for thousands in (5, 20) for columns in (2, 16)),
)


def quick(case):
    """The case in a size that takes no time: for a test of the bench itself."""
    if case.task == "linkage":
        return dataclasses.replace(case, rows=300, columns=4)
    if case.source == "grid":
        return dataclasses.replace(case, rows=3600, clusters=36, first=1, last=4)
    columns, clusters = min(case.columns, 24), min(case.clusters, 16)
    return dataclasses.replace(case, rows=5000, columns=columns, clusters=clusters, first=1, last=4)


def gaussian_mixture(generator, rows, columns, clusters):
    """Rows and labels of a mixture of spherical Gaussians with standard deviation 1."""
    spread = SEPARATION / (2 * columns) ** 0.5  # two means are sqrt(2 columns) spread apart on average
    means = generator.normal(scale=spread, size=(clusters, columns))
    labels = generator.integers(clusters, size=rows)
    points = generator.normal(size=(rows, columns))
    points += means[labels]
    return points, labels


def gaussian_grid(generator, rows, clusters):
    """BIRCH's grid: sqrt(clusters) x sqrt(clusters) means, the same number of rows around each."""
    import numpy as np

    side = round(clusters**0.5)
    labels = generator.permutation(np.arange(rows) % clusters)
    means = GRID_SPACING * np.stack(np.divmod(np.arange(clusters), side), axis=1)
    return means[labels] + generator.normal(size=(rows, 2)), labels


def load(path):
    """An NPY file, plain or compressed."""
    import numpy as np

    packed = path.with_name(path.name + ".xz")
    return np.load(path) if path.exists() else np.load(io.BytesIO(lzma.open(packed).read()))


def principal_scores(points, columns):
    import numpy as np

    centred = points - points.mean(axis=0)
    _, vectors = np.linalg.eigh(centred.T @ centred)
    return centred @ vectors[:, ::-1][:, :columns]


REAL = {
    "kdd_bio": lambda folder: load(folder / "kdd_bio" / "X.npy"),
    "yearmsd": lambda folder: load(folder / "yearmsd" / "X_uniform.npy"),
    "mnist": lambda folder: load(folder / "mnist" / "X_train.npy"),
    "mnist-50": lambda folder: principal_scores(load(folder / "mnist" / "X_train.npy").astype("float64"), 50),
}


def make_rows(case, generator, data_folder):
    """The rows, their labels if known, and where they come from."""
    if data_folder and case.real:
        return REAL[case.real](Path(data_folder)), None, case.real
    if case.source == "grid":
        return *gaussian_grid(generator, case.rows, case.clusters), "generated"
    return *gaussian_mixture(generator, case.rows, case.columns, case.clusters or 16), "generated"


def make_files(case, folder, data_folder=None):
    """Writes x.npy and start.npy into the folder; returns what the case really has."""
    import numpy as np

    generator = np.random.default_rng([SEED, case.rows, case.columns, case.clusters])
    points, labels, origin = make_rows(case, generator, data_folder)
    points = np.ascontiguousarray(points, dtype=case.dtype)
    np.save(Path(folder, "x.npy"), points)
    if case.task == "kmeans":
        np.save(Path(folder, "start.npy"), points[generator.choice(len(points), case.clusters, replace=False)])
    elif case.task == "gmm":
        redrawn = generator.random(len(points)) < 0.2
        labels = np.where(redrawn, generator.integers(case.clusters, size=len(points)), labels)
        np.save(Path(folder, "start.npy"), labels.astype(np.int32))
    return dict(rows=points.shape[0], columns=points.shape[1], origin=origin)
