# SPDX-License-Identifier: BSD-3-Clause
"""Trees and their cuts against scipy.cluster.hierarchy."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import dendrogram, fcluster, is_valid_linkage, linkage

from program import fit, labels_of

LINKAGES = ("single", "complete", "average", "ward")
SHAPES = [(2, 1), (3, 2), (10, 1), (57, 3), (200, 2), (256, 16), (257, 5), (513, 40), (900, 8)]


def tree_of(folder, rows, method, *options):
    np.save(folder / "x.npy", rows)
    fit(folder, "x.npy", "--method", method, *options)
    return np.load(folder / "out/linkage.npy")


def same_groups(a, b):
    return len(set(zip(a, b))) == len(set(a)) == len(set(b))


@pytest.mark.parametrize("method", LINKAGES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_trees_are_those_of_scipy(tmp_path, method, shape):
    """Random rows have no ties: nodes, heights and sizes are determined."""
    rows = np.random.default_rng(shape).normal(size=shape)
    found, expected = tree_of(tmp_path, rows, method), linkage(rows, method)
    np.testing.assert_array_equal(found[:, [0, 1, 3]], np.column_stack([np.sort(expected[:, :2]), expected[:, 3]]))
    np.testing.assert_allclose(found[:, 2], expected[:, 2], rtol=1e-9)


@pytest.mark.parametrize("method", LINKAGES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_copies_and_rows_far_from_zero(tmp_path, method, dtype):
    rng = np.random.default_rng(8)
    distinct = rng.normal(size=(60, 3))
    rows = (distinct[rng.integers(0, 60, 200)] + [0, 1000, -20]).astype(dtype)
    found, expected = tree_of(tmp_path, rows, method), linkage(rows.astype(np.float64), method)
    assert is_valid_linkage(found)
    # Copies tie at 0. The heights above do not depend on how.
    np.testing.assert_allclose(found[:, 2], expected[:, 2], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("method", ["single"])
def test_heights_on_a_grid(tmp_path, method):
    """Where everything ties, single linkage alone has heights that do not depend on how."""
    rows = np.stack(np.meshgrid(np.arange(20.0), np.arange(15.0)), axis=-1).reshape(-1, 2)
    found = tree_of(tmp_path, rows, method)
    assert is_valid_linkage(found)
    np.testing.assert_array_equal(found[:, 2], linkage(rows, method)[:, 2])


@pytest.mark.parametrize("method", LINKAGES)
def test_scipy_takes_the_file(tmp_path, method):
    rows = np.random.default_rng(9).normal(size=(150, 4))
    for k in (1, 2, 5, 40, 148):  # fcluster never undoes the lowest two merges
        tree = tree_of(tmp_path, rows, method, "--k", k)
        assert is_valid_linkage(tree, throw=True)
        assert sorted(dendrogram(tree, no_plot=True)["leaves"]) == list(range(150))
        assert same_groups(fcluster(tree, k, "maxclust"), labels_of(tmp_path / "out/labels.csv"))
    height = (tree[120, 2] + tree[121, 2]) / 2
    tree_of(tmp_path, rows, method, "--height", repr(float(height)))
    assert same_groups(fcluster(tree, height, "distance"), labels_of(tmp_path / "out/labels.csv"))
