# SPDX-License-Identifier: BSD-3-Clause
"""`coppice evaluate` against scikit-learn on random labelings and data."""

import json
import subprocess

import numpy as np
import pytest
from sklearn import metrics

from program import BINARY

TOLERANCE = 1e-9


def evaluate(folder, labels, truth, data=None):
    """The program's answer for arrays, by way of files."""
    np.save(folder / "labels.npy", np.asarray(labels, dtype=np.int32))
    np.save(folder / "truth.npy", np.asarray(truth, dtype=np.int32))
    command = [BINARY, "evaluate", str(folder / "labels.npy"), str(folder / "truth.npy")]
    if data is not None:
        np.save(folder / "data.npy", np.asarray(data, dtype=np.float64))
        command += ["--data", str(folder / "data.npy")]
    done = subprocess.run(command + ["--json"], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def agreement(labels, truth):
    table = metrics.cluster.contingency_matrix(truth, labels)
    return {
        "ari": metrics.adjusted_rand_score(truth, labels),
        "nmi": metrics.normalized_mutual_info_score(truth, labels),
        "ami": metrics.adjusted_mutual_info_score(truth, labels),
        "purity": table.max(axis=0).sum() / len(labels),
        "k": len(np.unique(labels)),
        "k_truth": len(np.unique(truth)),
    }


def compactness(data, labels):
    return {
        "silhouette": metrics.silhouette_score(data, labels),
        "calinski_harabasz": metrics.calinski_harabasz_score(data, labels),
        "davies_bouldin": metrics.davies_bouldin_score(data, labels),
    }


def assert_close(found, expected):
    for key, value in expected.items():
        assert found[key] == pytest.approx(value, rel=TOLERANCE, abs=TOLERANCE), key


def random_case(seed):
    """Labels that agree with the truth in part, -1 among them, and data that follow the truth."""
    rng = np.random.default_rng(seed)
    n_rows = int(rng.integers(20, 600))
    n_columns = int(rng.integers(1, 8))
    k_truth = int(rng.integers(2, 8))
    truth = rng.integers(0, k_truth, n_rows) - 1
    is_noise = rng.random(n_rows) < rng.random()
    labels = np.where(is_noise, rng.integers(0, int(rng.integers(2, 12)), n_rows), 3 * truth)
    centres = rng.normal(scale=3.0, size=(k_truth, n_columns))
    data = centres[truth + 1] + rng.normal(size=(n_rows, n_columns))
    return labels, truth, data


@pytest.mark.parametrize("seed", range(20))
def test_random_labelings(tmp_path, seed):
    labels, truth, data = random_case(seed)
    expected = {**agreement(labels, truth), **compactness(data, labels)}
    assert_close(evaluate(tmp_path, labels, truth, data), expected)


def test_without_data(tmp_path):
    labels, truth, _ = random_case(100)
    assert_close(evaluate(tmp_path, labels, truth), agreement(labels, truth))


def test_many_rows(tmp_path):
    rng = np.random.default_rng(101)
    truth = rng.integers(0, 20, 200_000)
    labels = np.where(rng.random(truth.size) < 0.5, truth, rng.integers(0, 50, truth.size))
    assert_close(evaluate(tmp_path, labels, truth), agreement(labels, truth))


@pytest.mark.parametrize(
    ("labels", "truth"),
    [
        ([0, 0, 0, 0], [1, 1, 1, 1]),  # one group each
        ([0, 1, 2], [2, 1, 0]),  # all alone; with 4 rows 0/0 rounds to 0 in scikit-learn
        ([0, 0, 0, 0], [0, 1, 2, 3]),
        ([0, 1, 2, 3, 4], [0, 0, 1, 1, 1]),
        ([0, 0, 1, 1], [1, 1, 0, 0]),  # the same but for names
        ([0, 1, 0, 1], [0, 0, 1, 1]),  # less agreement than by chance
        ([7], [-1]),
    ],
)
def test_edges(tmp_path, labels, truth):
    assert_close(evaluate(tmp_path, labels, truth), agreement(labels, truth))


def test_cluster_of_one_row(tmp_path):
    labels, truth, data = random_case(102)
    labels[0] = 99
    assert_close(evaluate(tmp_path, labels, truth, data), compactness(data, labels))


def test_lengths_that_differ_are_bad_data(tmp_path):
    np.save(tmp_path / "labels.npy", np.zeros(3, dtype=np.int32))
    np.save(tmp_path / "truth.npy", np.zeros(4, dtype=np.int32))
    command = [BINARY, "evaluate", str(tmp_path / "labels.npy"), str(tmp_path / "truth.npy"), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 3
    assert "3" in done.stderr and "4" in done.stderr
