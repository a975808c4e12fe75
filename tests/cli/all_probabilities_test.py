# SPDX-License-Identifier: BSD-3-Clause
"""How probable every cluster is for new rows."""

import numpy as np
import pytest

from program import USAGE, csv_columns, fit, mixture, run, succeed


@pytest.mark.parametrize("partition", ["dirichlet", "dp"])
def test_all_probabilities_add_up_and_hold_that_of_the_label(tmp_path, partition):
    mixture(tmp_path)
    found = fit(tmp_path, "x.csv", "--partition", partition)
    text = succeed(tmp_path, "predict", "out", "x.csv", "--all-probabilities").stdout
    header, rows = csv_columns(text)
    k = found["k"]
    assert header == ["row", "label", "probability", *(f"p{c}" for c in range(k)), "p_new"]
    values = np.array(rows, float)
    np.testing.assert_allclose(values[:, 3:].sum(axis=1), 1, atol=1e-5)  # six digits each
    np.testing.assert_array_equal(values[np.arange(len(values)), 3 + values[:, 1].astype(int)], values[:, 2])
    assert (values[:, -1] > 0).any() == (partition == "dp")
    plain = succeed(tmp_path, "predict", "out", "x.csv", "--probabilities").stdout
    assert [row[:3] for row in rows] == csv_columns(plain)[1]
    succeed(tmp_path, "predict", "out", "x.csv", "--all-probabilities", "--out", "p.npy")
    matrix = np.load(tmp_path / "p.npy")
    assert matrix.dtype == np.float64 and matrix.shape == (600, k + 1)
    np.testing.assert_allclose(matrix.sum(axis=1), 1, rtol=1e-12)
    np.testing.assert_allclose(matrix, values[:, 3:], rtol=1e-5)
    (tmp_path / "far.csv").write_text("x1,x2,x3\n1e4,1e4,1e4\n")
    far = csv_columns(succeed(tmp_path, "predict", "out", "far.csv", "--all-probabilities").stdout)[1][0]
    assert (float(far[-1]) > 0.5) == (partition == "dp"), "so far away nothing but a new cluster explains a row"


def test_distances_give_no_probabilities(tmp_path):
    mixture(tmp_path)
    fit(tmp_path, "x.csv", "--method", "kmeans", "--k", "4")
    done = run(tmp_path, "predict", "out", "x.csv", "--all-probabilities")
    assert done.returncode == USAGE and done.stdout == ""
    assert "kmeans gives labels without probabilities; leave out --all-probabilities" in done.stderr


def test_a_background_has_a_probability_of_its_own(tmp_path):
    mixture(tmp_path, dimensions=2)
    rng = np.random.default_rng(3)
    with (tmp_path / "x.csv").open("a") as file:
        np.savetxt(file, rng.uniform(-200, 200, (60, 2)), delimiter=",")
    fit(tmp_path, "x.csv", "--outliers")
    header, rows = csv_columns(succeed(tmp_path, "predict", "out", "x.csv", "--all-probabilities").stdout)
    assert header[-2:] == ["p_new", "p_outlier"]
    for row in rows:
        assert row[1] != "-1" or row[-1] == row[2]
