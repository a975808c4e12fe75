# SPDX-License-Identifier: BSD-3-Clause
"""The data sets of the experiment about trees are what they claim, and its table tells the papers' figures apart."""

import json
import lzma

import numpy as np
import pytest
from scripts import run, table_rows

import dendrogram_purity
import purity_data


def write(folder, **arrays):
    """Every second file compressed."""
    folder.mkdir()
    for i, (name, values) in enumerate(arrays.items()):
        with open(folder / f"{name}.npy", "wb") if i % 2 else lzma.open(folder / f"{name}.npy.xz", "wb") as file:
            np.save(file, np.asarray(values))


def test_subsets_depend_on_the_seed_alone():
    rows = np.arange(40.0).reshape(20, 2)
    source = purity_data.Source(rows, np.arange(20), rows=5)
    (points, classes), (again, _), (other, _) = (source.subset(5, seed) for seed in (3, 3, 4))
    assert np.array_equal(points, again) and not np.array_equal(points, other)
    assert np.array_equal(points, rows[classes]) and len(set(classes)) == 5


def test_projections_are_drawn_anew_and_keep_lengths():
    source = purity_data.Source(np.ones((10, 784)), np.zeros(10), rows=10, projected=True)
    points = [source.subset(10, seed)[0] for seed in range(40)]
    assert points[0].shape == (10, 50) and not np.allclose(points[0], points[1])
    assert np.mean([(rows[0] ** 2).sum() for rows in points]) == pytest.approx(784, rel=0.2)


def test_balanced_subsets_have_all_classes_alike():
    source = purity_data.Source(np.zeros((60, 1)), np.repeat([0, 1], [50, 10]), rows=12, balanced=True)
    assert np.bincount(source.subset(12, 0)[1]).tolist() == [6, 6]
    assert [source.has_subsets_of(size) for size in (0, 20)] == [True, False]


def test_sets_with_fewer_rows_are_left_out():
    source = purity_data.Source(np.zeros((60, 1)), np.zeros(60), rows=12)
    assert [source.has_subsets_of(size) for size in (0, 60, 61)] == [True, True, False]


def test_mutual_information():
    classes = np.array([0, 0, 1, 1])
    bits = np.array([[1, 1, 0, 1], [1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1]], dtype=bool)
    some = np.log(2) - 0.75 * (np.log(3) - 2 / 3 * np.log(2))  # H(class) - H(class | bit) of the third column
    assert purity_data.mutual_information(bits, classes) == pytest.approx([np.log(2), 0.0, some, 0.0])


def test_the_terms_that_tell_most_are_kept(tmp_path):
    classes = np.tile(np.arange(4), 30)
    random = np.random.default_rng(0)
    occurs = random.random((120, 80)) < 0.5
    occurs[:, 7] = classes == 2
    write(tmp_path / "newsgroups4", counts_indptr=np.concatenate([[0], occurs.sum(axis=1).cumsum()]),
          counts_indices=np.nonzero(occurs)[1], y=classes)
    source = purity_data.read(tmp_path, "newsgroups4")
    assert source.points.shape == (120, 50) and source.rows == 240
    assert any(np.array_equal(column, occurs[:, 7]) for column in source.points.T)
    kept = purity_data.mutual_information(source.points, classes)
    assert np.allclose(np.sort(kept), np.sort(purity_data.mutual_information(occurs, classes))[-50:])


def test_spambase_becomes_bits(tmp_path):
    points = np.zeros((4, 57))
    points[1, 0] = 0.1
    points[:, 54:] = np.array([1.0, 2.0, 3.0, 4.0])[:, None]
    write(tmp_path / "spambase", X=points, y=[0, 0, 1, 1])
    bits = purity_data.read(tmp_path, "spambase").points
    assert bits[:, 0].tolist() == [False, True, False, False] and not bits[:, 1].any()
    assert bits[:, 56].tolist() == [False, False, True, True]


def test_three_digits(tmp_path):
    write(tmp_path / "mnist", X_train=np.arange(10)[:, None], y_train=np.arange(10))
    assert purity_data.read(tmp_path, "mnist 0/2/4").classes.tolist() == [0, 2, 4]
    with pytest.raises(SystemExit, match="no X.npy"):
        purity_data.read(tmp_path, "pendigits")


def test_tables(tmp_path):
    results = tmp_path / "results.jsonl"
    fits = [dict(set="mnist", rows=100, seed=seed, contender=name, data=f"{seed}", k=1, ari=0.0, seconds=0.0,
                 dendrogram_purity=leaf + seed / 100, dendrogram_purity_pairs=leaf / 2)
            for seed in range(20) for name, leaf in (("abc", 0.5), ("single", 0.25))]
    results.write_text("".join(json.dumps(fit) + "\n" for fit in fits))
    said = run("dendrogram_purity.py", "--table", results, program="no-such-program")
    header, *rows = table_rows(said.stdout)
    assert header == ["set", "rows", "subsets", "abc, published", "abc", "single, published", "single"]
    assert rows[:2] == [
        ["mnist", "100", "10", "0.410 ± 0.078", "0.545 ± 0.030", "0.316 ± 0.056", "0.295 ± 0.030"],
        ["mnist", "100", "20", "0.410 ± 0.078", "0.595 ± 0.059", "0.316 ± 0.056", "0.345 ± 0.059"]]
    assert rows[3] == ["mnist", "100", "10", "0.207 ± 0.038", "0.250 ± 0.000", "0.182 ± 0.017", "0.125 ± 0.000"]
    assert rows[-1] == ["mnist", "100", "20", "+0.250 ± 0.000, 100%"]


def test_published_figures_of_the_short_paper_are_those_it_has():
    assert dendrogram_purity.published("pendigits", 100, "single", "dendrogram_purity_pairs") == "0.691 ± 0.055"
    assert dendrogram_purity.published("spambase", 200, "single", "dendrogram_purity_pairs") == "-"
    assert dendrogram_purity.published("mnist 0/2/4", 100, "abc", "dendrogram_purity") == "-"
    assert dendrogram_purity.published("pendigits", 1000, "abc", "dendrogram_purity") == "-"
