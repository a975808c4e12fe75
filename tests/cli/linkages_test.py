# SPDX-License-Identifier: BSD-3-Clause
"""Hierarchies by linkage from outside: what is written and printed, what is refused, and evaluate --linkage."""

import json

import numpy as np
import pytest

from program import (DATA, IO, MEMORY, USAGE, csv_columns, fit, labels_of, left_behind, mixture, run, score, succeed,
                     summary)

LINKAGES = ("single", "complete", "average", "ward")


@pytest.fixture(name="table")
def fixture_table(tmp_path):
    mixture(tmp_path, rows=300, dimensions=2, k=3)
    return tmp_path


def write_rows(folder, rows, name="x.csv"):
    np.savetxt(folder / name, np.atleast_2d(rows), delimiter=",", fmt="%.17g",
               header=",".join(f"c{i}" for i in range(np.atleast_2d(rows).shape[1])), comments="")


@pytest.mark.parametrize("method", LINKAGES)
def test_a_fit_writes_tree_labels_and_model(table, method):
    result = fit(table, "x.csv", "--method", method, "--k", 3)
    assert (result["method"], result["family"], result["k"]) == (method, "centroid", 3)
    assert result["converged"] and result["objective"]["name"] == "sum of squared distances"
    assert result["assign"]["used"] == "tree" and "3 clusters" in result["assign"]["why"]
    assert result["counters"]["merges_accepted"] == 299
    tree = np.load(table / "out/linkage.npy")
    assert tree.shape == (299, 4) and tree.dtype == np.float64
    assert (np.diff(tree[:, 2]) >= 0).all() and tree[-1, 3] == 300
    assert csv_columns((table / "out/labels.csv").read_text())[0] == ["row", "label"]
    assert score(table, "truth.csv")["ari"] == 1.0
    assert left_behind(table / "out") == ["labels.csv", "linkage.npy", "model.coppice", "summary.json"]
    # Clusters far apart: the nearest centre is that of a row's own cluster.
    assert succeed(table, "predict", "out/model.coppice", "x.csv").stdout == (table / "out/labels.csv").read_text()


def test_the_output_names_the_tree(table):
    done = succeed(table, "fit", "x.csv", "--method", "ward", "--k", 3, "--out", "out", "--truth", "truth.csv")
    assert done.stdout.splitlines()[0].startswith("3 clusters in 300 rows x 2 columns (ward, centroid, ")
    assert done.stdout.splitlines()[-1] == "out/: model.coppice, labels.csv, linkage.npy, summary.json"
    scores = summary(table / "out")["scores"]
    assert scores["dendrogram_purity"] == scores["dendrogram_purity_pairs"] == 1.0


def test_no_tree_of_an_older_run_survives(table):
    fit(table, "x.csv", "--method", "single")
    assert (table / "out/linkage.npy").exists()
    fit(table, "x.csv", "--method", "kmeans", "--k", 2)
    assert left_behind(table / "out") == ["labels.csv", "model.coppice", "summary.json"]


def test_cut_at_a_height(table):
    fit(table, "x.csv", "--method", "complete")
    heights = np.load(table / "out/linkage.npy")[:, 2]
    for height in (heights[100], (heights[-1] + heights[-2]) / 2, 0, 1e9):
        result = fit(table, "x.csv", "--method", "complete", "--height", repr(float(height)))
        assert result["k"] == 300 - (heights <= height).sum() and "height" in result["assign"]["why"]


@pytest.mark.parametrize("method", LINKAGES)
def test_one_row_two_rows_and_copies(tmp_path, method):
    write_rows(tmp_path, [[1.5, 2.0]])
    assert fit(tmp_path, "x.csv", "--method", method)["k"] == 1
    assert np.load(tmp_path / "out/linkage.npy").shape == (0, 4)
    write_rows(tmp_path, [[0, 0], [3, 4]])
    assert fit(tmp_path, "x.csv", "--method", method)["k"] == 1
    np.testing.assert_array_equal(np.load(tmp_path / "out/linkage.npy"), [[0, 1, 5, 2]])
    assert fit(tmp_path, "x.csv", "--method", method, "--k", 2)["k"] == 2
    write_rows(tmp_path, np.full((50, 3), 0.1))
    assert fit(tmp_path, "x.csv", "--method", method)["k"] == 1
    assert (np.load(tmp_path / "out/linkage.npy")[:, 2] == 0).all()
    assert fit(tmp_path, "x.csv", "--method", method, "--k", 7)["k"] == 7


@pytest.mark.parametrize("method", LINKAGES)
def test_a_constant_column_changes_nothing_and_is_named(tmp_path, method):
    rows = np.random.default_rng(3).normal(size=(80, 2))
    write_rows(tmp_path, rows)
    fit(tmp_path, "x.csv", "--method", method, "--k", 4)
    expected = np.load(tmp_path / "out/linkage.npy"), labels_of(tmp_path / "out/labels.csv")
    write_rows(tmp_path, np.column_stack([rows, np.full(80, 7.25)]))
    result = fit(tmp_path, "x.csv", "--method", method, "--k", 4)
    assert any("'c2' is constant" in warning for warning in result["warnings"])
    np.testing.assert_array_equal(np.load(tmp_path / "out/linkage.npy"), expected[0])
    np.testing.assert_array_equal(labels_of(tmp_path / "out/labels.csv"), expected[1])


@pytest.mark.parametrize("method", LINKAGES)
def test_threads_change_no_byte(tmp_path, method):
    np.save(tmp_path / "x.npy", np.random.default_rng(4).normal(size=(1500, 200)).astype(np.float32))
    trees = set()
    for threads in (1, 2, 4):
        fit(tmp_path, "x.npy", "--method", method, "--threads", threads)
        trees.add((tmp_path / "out/linkage.npy").read_bytes())
    assert len(trees) == 1


@pytest.mark.parametrize("method", LINKAGES)
def test_weights_stand_for_copies(tmp_path, method):
    rng = np.random.default_rng(5)
    rows, weights = rng.normal(size=(40, 2)), rng.integers(0, 4, 40)
    write_rows(tmp_path, np.repeat(rows, weights, axis=0))
    repeated = fit(tmp_path, "x.csv", "--method", method, "--k", 4)
    heights = np.load(tmp_path / "out/linkage.npy")[:, 2]
    write_rows(tmp_path, np.column_stack([rows, weights]))
    weighted = fit(tmp_path, "x.csv", "--method", method, "--k", 4, "--weights", "c2")
    assert weighted["objective"]["value"] == pytest.approx(repeated["objective"]["value"], rel=1e-10)
    assert [c["weight"] for c in weighted["clusters"]] == [c["size"] for c in repeated["clusters"]]
    n_weighing = (weights > 0).sum()
    np.testing.assert_allclose(np.load(tmp_path / "out/linkage.npy")[1 - n_weighing:, 2], heights[1 - n_weighing:],
                               rtol=1e-10)


def test_stability_takes_linkages(table):
    result = fit(table, "x.csv", "--method", "ward", "--k", 3, "--stability", 3)
    assert result["stability"]["ari"] == pytest.approx(1.0)


def test_transforms_go_before_the_tree(table):
    result = fit(table, "x.csv", "--method", "average", "--k", 3, "--transform", "standardize")
    assert result["transform"]["chain"] == "standardize"
    assert np.load(table / "out/linkage.npy").shape == (299, 4)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--k", 301), "--k is 301, but the data has 300 rows; choose 1 to 300"),
        (("--k", 0), "--k"),
        (("--height", -1), "--height"),
        (("--k", 2, "--height", 1), "--k and --height"),
        (("--k", "2..5"), "--k"),
    ],
)
def test_what_is_refused(table, options, named):
    before = left_behind(table)
    for method in LINKAGES:
        done = run(table, "fit", "x.csv", "--method", method, "--out", "out", *options)
        assert done.returncode == USAGE and named in done.stderr, done.stderr
    assert left_behind(table) == before


def test_sparse_rows_are_refused(tmp_path):
    (tmp_path / "x.svm").write_text("1 1:0.5 7:1\n0 2:1.5\n1 1:2\n")
    for method in LINKAGES:
        done = run(tmp_path, "fit", "x.svm", "--method", method, "--out", "out")
        assert done.returncode == USAGE and method in done.stderr and "sparse" in done.stderr
    assert left_behind(tmp_path) == ["x.svm"]


@pytest.mark.parametrize("method", LINKAGES)
def test_a_time_limit_before_the_tree_is_whole_leaves_nothing(tmp_path, method):
    np.save(tmp_path / "x.npy", np.random.default_rng(6).normal(size=(12000, 20)))
    done = run(tmp_path, "fit", "x.npy", "--method", method, "--time-limit", 0.01, "--k", 3, "--out", "out")
    assert done.returncode == MEMORY and "time limit of 0.01 s" in done.stderr
    assert not list(tmp_path.glob("out*"))


def purity(folder, tree="out/linkage.npy"):
    return json.loads(succeed(folder, "evaluate", "out/labels.csv", "truth.csv", "--linkage", tree, "--json").stdout)


def by_pairs(tree, truth):
    """Both purities by their definition."""
    members = [[row] for row in range(len(truth))]
    of_class = {label: [] for label in np.unique(truth)}
    for a, b, _, _ in tree:
        left, right = members[int(a)], members[int(b)]
        members.append(left + right)
        classes = truth[members[-1]]
        for i in left:
            for j in right:
                if truth[i] == truth[j]:
                    of_class[truth[i]].append((classes == truth[i]).mean())
    sizes = {label: (truth == label).sum() for label, pairs in of_class.items() if pairs}
    leaf = sum(size * np.mean(of_class[label]) for label, size in sizes.items()) / sum(sizes.values())
    return leaf, np.mean(sum(of_class.values(), []))


@pytest.mark.parametrize("method", LINKAGES)
def test_dendrogram_purity(tmp_path, method):
    rng = np.random.default_rng(7)
    truth = np.append(rng.choice(4, size=119, p=[0.5, 0.3, 0.15, 0.05]), 9)  # class 9 has one member
    write_rows(tmp_path, rng.normal(size=(120, 2)) + truth[:, None])
    (tmp_path / "truth.csv").write_text("".join(f"{label}\n" for label in truth))
    fit(tmp_path, "x.csv", "--method", method)
    found = purity(tmp_path)
    leaf, pairs = by_pairs(np.load(tmp_path / "out/linkage.npy"), truth)
    assert found["dendrogram_purity"] == pytest.approx(leaf, rel=1e-12)
    assert found["dendrogram_purity_pairs"] == pytest.approx(pairs, rel=1e-12)
    assert list(found)[-2:] == ["dendrogram_purity", "dendrogram_purity_pairs"]
    text = succeed(tmp_path, "evaluate", "out/labels.csv", "truth.csv", "--linkage", "out/linkage.npy").stdout
    assert f"dendrogram_purity       {leaf:.6f}\n" in text and f"dendrogram_purity_pairs {pairs:.6f}\n" in text


def test_bad_trees(table):
    fit(table, "x.csv", "--method", "single")
    good = np.load(table / "out/linkage.npy")

    def refusal(tree):
        np.save(table / "tree.npy", tree)
        done = run(table, "evaluate", "out/labels.csv", "truth.csv", "--linkage", "tree.npy")
        assert done.returncode == DATA and done.stdout == "" and len(done.stderr.splitlines()) == 1
        assert "tree.npy: " in done.stderr
        return done.stderr

    assert "299 leaves (298 merges), but the table has 300 rows" in refusal(
        np.column_stack([np.r_[0, 299:596], np.arange(1, 299), np.ones(298), np.arange(2, 300)]))
    assert "shape (299, 3)" in refusal(good[:, :3])
    assert "shape (1196,)" in refusal(good.ravel())
    for column, value, why in ((0, 0.5, "joins node 0.5"), (0, 598, "joins node 598"), (1, good[0, 0], "joined before"),
                               (2, np.nan, "height is nan"), (3, 1, "size is 1")):
        bad = good.copy()
        bad[200, column] = value
        message = refusal(bad)
        assert "merge 200" in message and why in message
    (table / "tree.npy").write_text("no array\n")
    done = run(table, "evaluate", "out/labels.csv", "truth.csv", "--linkage", "tree.npy")
    assert done.returncode == DATA and "tree.npy: no NPY file" in done.stderr
    done = run(table, "evaluate", "out/labels.csv", "truth.csv", "--linkage", "missing.npy")
    assert done.returncode == IO and "missing.npy" in done.stderr
