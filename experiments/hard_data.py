# SPDX-License-Identifier: BSD-3-Clause
"""Data for finding K where Gaussian clusters are wrong, or numbers are not what a Gaussian expects.

Every case is a function of a random generator and of the seed that returns rows and truth; truth -1 is a row of no class.
"""
import functools
import itertools

import numpy as np


def distant(random, k, dimensions, gap):
    """Centres with no two closer than the gap, drawn in a box that grows until they fit."""
    half = gap
    while True:
        for _ in range(100):
            centres = random.uniform(-half, half, size=(k, dimensions))
            if all(np.linalg.norm(a - b) >= gap for a, b in itertools.combinations(centres, 2)):
                return centres
        half *= 1.1


def chained(random, k, dimensions, gap):
    """Centres that each have a neighbour at the gap, and none nearer."""
    centres = [np.zeros(dimensions)]
    while len(centres) < k:
        direction = random.normal(size=dimensions)
        centre = centres[random.integers(len(centres))] + gap * direction / np.linalg.norm(direction)
        if all(np.linalg.norm(centre - other) >= gap * (1 - 1e-9) for other in centres):
            centres.append(centre)
    return np.array(centres)


def shapes(random, k, dimensions):
    """Matrices of clusters turned at random, standard deviations along the axes 0.5 to 1.5."""
    turns = (np.linalg.qr(random.normal(size=(dimensions, dimensions)))[0] for _ in range(k))
    return np.array([turn * random.uniform(0.5, 1.5, size=dimensions) for turn in turns])


def gaussians(random, rows, centres, matrices=None):
    truth = np.arange(rows) % len(centres)
    noise = random.normal(size=(rows, centres.shape[1]))
    if matrices is not None:
        noise = np.einsum("nij,nj->ni", matrices[truth], noise)
    return centres[truth] + noise, truth


def five_clusters(random, rows, dimensions, gap=10.0):
    return gaussians(random, rows, distant(random, 5, dimensions, gap), shapes(random, 5, dimensions))


def heavy_tails(random, _, freedom, dimensions):
    """Five multivariate Student-t clusters."""
    centres = distant(random, 5, dimensions, 10.0)
    points, truth = gaussians(random, 2000, np.zeros_like(centres), shapes(random, 5, dimensions))
    return centres[truth] + points * np.sqrt(freedom / random.chisquare(freedom, size=(2000, 1))), truth


def overlap(random, seed, gap, dimensions):
    """Three to five round Gaussians, neighbours 2 or 2.5 standard deviations apart."""
    return gaussians(random, 3000, chained(random, 3 + seed % 3, dimensions, gap))


def whole_numbers(random, _, deviation):
    """Five round clusters of that standard deviation in four columns, rounded; centres ten deviations apart, but at least 4."""
    centres = distant(random, 5, 4, max(10 * deviation, 4.0))
    points, truth = gaussians(random, 2000, np.zeros_like(centres))
    return np.round(centres[truth] + deviation * points), truth


def few_values(random, _):
    """Five clusters in three real columns, and three columns of the values 0, 1, 2 with other shares in every cluster."""
    points, truth = five_clusters(random, 2000, 3)
    shares = random.dirichlet(np.ones(3), size=(5, 3))
    steps = shares.cumsum(axis=2)[truth]
    return np.hstack([points, (random.random((2000, 3, 1)) > steps[:, :, :2]).sum(axis=2)]), truth


def outliers(random, _, dimensions):
    """Five clusters, and 5% of all rows uniform in a box five times as wide: these are of no class."""
    points, truth = five_clusters(random, 1900, dimensions)
    low, high = points.min(axis=0), points.max(axis=0)
    background = random.uniform(-2.5, 2.5, size=(100, dimensions)) * (high - low) + (low + high) / 2
    return np.vstack([points, background]), np.append(truth, np.full(100, -1))


def moons(random, _):
    """Two half circles, one inside the other's bow."""
    truth = np.arange(1500) % 2
    angle = random.uniform(0, np.pi, size=1500)
    across = np.where(truth == 0, np.cos(angle), 1 - np.cos(angle))
    up = np.where(truth == 0, np.sin(angle), 0.5 - np.sin(angle))
    return np.column_stack([across, up]) + 0.07 * random.normal(size=(1500, 2)), truth


def ring_and_blob(random, _):
    """A circle with a blob in its middle."""
    truth = (np.arange(1500) % 3 == 0).astype(int)
    angle = random.uniform(0, 2 * np.pi, size=1500)
    ring = np.column_stack([np.cos(angle), np.sin(angle)]) * (1 - truth)[:, None]
    return ring + np.where(truth, 0.2, 0.07)[:, None] * random.normal(size=(1500, 2)), truth


def scales(random, _):
    """Columns that differ by a factor of up to 1e12."""
    points, truth = five_clusters(random, 2000, 7)
    return points * 10.0 ** np.arange(-6, 7, 2), truth


def constant_columns(random, _):
    points, truth = five_clusters(random, 2000, 4)
    return np.insert(points, [0, 2], [0.0, 7500.0], axis=1), truth


def repeated_rows(random, _):
    """500 different rows, each four times."""
    points, truth = five_clusters(random, 500, 4)
    return np.tile(points, (4, 1)), np.tile(truth, 4)


# Group, then name: the function. The order is part of the seeds: new cases are appended.
CASES = {
    ("heavy tails", "t3, D = 2"): functools.partial(heavy_tails, freedom=3, dimensions=2),
    ("heavy tails", "t3, D = 8"): functools.partial(heavy_tails, freedom=3, dimensions=8),
    ("heavy tails", "t5, D = 2"): functools.partial(heavy_tails, freedom=5, dimensions=2),
    ("heavy tails", "t5, D = 8"): functools.partial(heavy_tails, freedom=5, dimensions=8),
    ("overlap", "2 sd, D = 2"): functools.partial(overlap, gap=2.0, dimensions=2),
    ("overlap", "2 sd, D = 4"): functools.partial(overlap, gap=2.0, dimensions=4),
    ("overlap", "2.5 sd, D = 2"): functools.partial(overlap, gap=2.5, dimensions=2),
    ("overlap", "2.5 sd, D = 4"): functools.partial(overlap, gap=2.5, dimensions=4),
    ("whole numbers", "sd 0.4"): functools.partial(whole_numbers, deviation=0.4),
    ("whole numbers", "sd 1"): functools.partial(whole_numbers, deviation=1.0),
    ("whole numbers", "sd 3"): functools.partial(whole_numbers, deviation=3.0),
    ("whole numbers", "few values"): few_values,
    ("outliers", "D = 2"): functools.partial(outliers, dimensions=2),
    ("outliers", "D = 8"): functools.partial(outliers, dimensions=8),
    ("ragged", "moons"): moons,
    ("ragged", "ring and blob"): ring_and_blob,
    ("columns", "scales"): scales,
    ("columns", "constant"): constant_columns,
    ("columns", "repeated rows"): repeated_rows,
}


def make(group, name, seed):
    """Rows in random order, and their truth."""
    random = np.random.default_rng([list(CASES).index((group, name)), seed])
    points, truth = CASES[group, name](random, seed)
    order = random.permutation(len(points))
    return points[order], truth[order].astype(np.int32)
