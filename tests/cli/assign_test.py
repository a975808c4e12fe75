# SPDX-License-Identifier: BSD-3-Clause
"""`coppice fit --assign`: the labels do not depend on it, the work does, and the summary says what was done and why."""

import functools
import re

import numpy as np
import pytest

from at_length import cases, combinations
from program import MEMORY, USAGE, fit, labels_of, mixture, run, succeed

ASSIGNMENTS = ("naive", "kdtree", "auto")
FEW_ROWS = 600
MANY_ROWS = 20_000


def overlapping(folder, rows, dimensions, name="x.csv"):
    """Clusters with many rows between them: a wrong label would show."""
    size = ("--rows", rows, "--dimensions", dimensions, "--k", 8)
    succeed(folder, "generate", "mixture", *size, "--tau", 1.5, "--seed", 4, "--out", name, "--labels", "truth.csv")


@functools.cache  # tables do not change
def fit_by(folder, assign, *arguments):
    """The summary of a fit and the bytes of its labels."""
    result = fit(folder, *arguments, "--assign", assign)
    assert result["options"]["assign"] == assign
    return result, next((folder / "out").glob("labels.*")).read_bytes()


def expect_same_labels(folder, *arguments):
    """The summaries by assignment."""
    fits = {assign: fit_by(folder, assign, *arguments) for assign in ASSIGNMENTS}
    for assign in ("kdtree", "auto"):
        assert fits[assign][1] == fits["naive"][1], assign
        assert fits[assign][0]["objective"] == fits["naive"][0]["objective"], assign
    return {assign: result for assign, (result, _) in fits.items()}


@pytest.fixture(name="few", scope="module")
def fixture_few(tmp_path_factory):
    folder = tmp_path_factory.mktemp("few")
    mixture(folder, rows=FEW_ROWS)
    return folder


@pytest.fixture(name="many", scope="module")
def fixture_many(tmp_path_factory):
    folder = tmp_path_factory.mktemp("many")
    mixture(folder, rows=MANY_ROWS, dimensions=2, k=20, name="x.npy")
    return folder


@pytest.mark.parametrize("dimensions, options",
                         combinations([2, 1, 5], [[], ["--partition", "dp"], ["--search", "paper"], ["--k", 5]]))
def test_labels_are_the_same_bytes(tmp_path, dimensions, options):
    overlapping(tmp_path, 5000, dimensions)
    results = expect_same_labels(tmp_path, "x.csv", "--seed", 2, *options)
    assert results["naive"]["k"] > 1
    assert results["kdtree"]["counters"]["nodes_visited"] > 0
    # Five columns cannot be cut twice each with so few rows.
    assert (results["auto"]["counters"]["nodes_visited"] > 0) == (dimensions < 5)
    assert ("times per column" in results["auto"]["assign"]["why"]) == (dimensions == 5)


def test_labels_are_the_same_bytes_in_every_format(many):
    for labels_format in cases(["table"], ["csv", "npy", "table"]):
        expect_same_labels(many, "x.npy", "--k", 6, "--labels-format", labels_format)


def test_few_rows_keep_their_labels_too(few):
    results = expect_same_labels(few, "x.csv")
    assert results["naive"]["k"] == 4
    assert results["kdtree"]["assign"]["used"] == "kdtree"


def numbers_in(text):
    return [int(number) for number in re.findall(r"\b\d+\b", text)]


def test_summary_says_why_few_rows_go_one_by_one(few):
    result, _ = fit_by(few, "auto", "x.csv")
    assert result["assign"]["used"] == "naive"
    assert str(FEW_ROWS) in result["assign"]["why"] and "tree" in result["assign"]["why"]
    assert result["counters"]["nodes_visited"] == 0


def test_summary_says_what_was_asked_for(many):
    naive, _ = fit_by(many, "naive", "x.npy")
    assert naive["assign"]["used"] == "naive" and "asked for" in naive["assign"]["why"]
    assert naive["counters"]["nodes_visited"] == 0
    tree, _ = fit_by(many, "kdtree", "x.npy")
    assert tree["assign"]["used"] == "kdtree" and "asked for" in tree["assign"]["why"]
    assert tree["counters"]["nodes_visited"] > 0


@pytest.mark.parametrize("assign", ["kdtree", "auto"])
def test_summary_counts_what_the_tree_saved(many, assign):
    result, _ = fit_by(many, assign, "x.npy")
    assert result["assign"]["used"] == "kdtree"
    taken, full = numbers_in(result["assign"]["why"])[:2]
    assert 0 < taken <= result["counters"]["distances"]
    assert taken < full / 5 and full % MANY_ROWS == 0  # every row against some number of clusters
    assert result["counters"]["nodes_visited"] > 0


def test_a_tree_takes_far_fewer_distances(many):
    # The paper's prior is not fitted, so that no sample is searched first, which takes distances of its own.
    results = expect_same_labels(many, "x.npy", "--prior", "paper")
    naive = results["naive"]["counters"]["distances"]
    assert results["naive"]["k"] == 20
    assert naive > 20 * MANY_ROWS
    assert results["kdtree"]["counters"]["distances"] < naive / 5
    assert results["auto"]["counters"]["distances"] < naive / 5


def test_threads_change_nothing_by_tree(many):
    results = [fit_by(many, "kdtree", "x.npy", "--threads", threads) for threads in cases([1, 2], [1, 2, 3])]
    assert [result["threads"] for result, _ in results] == cases([1, 2], [1, 2, 3])
    for result, labels in results[1:]:
        assert labels == results[0][1]
        assert result["counters"] == results[0][0]["counters"]
        assert result["objective"] == results[0][0]["objective"]


def test_an_unknown_assignment_is_refused_with_the_choices(few):
    done = run(few, "fit", "x.csv", "--assign", "nonsense", "--out", "refused")
    assert done.returncode == USAGE and done.stdout == ""
    assert "--assign" in done.stderr and "nonsense" in done.stderr
    for assign in ASSIGNMENTS:
        assert assign in done.stderr
    assert not (few / "refused").exists()


@pytest.mark.parametrize("command", [("methods", "bkm"), ("fit", "--help")], ids=["methods", "help"])
def test_the_choices_are_named_beside_the_option(few, command):
    text = succeed(few, *command).stdout
    line = next(line for line in text.splitlines() if line.strip().startswith("--assign"))
    for assign in ASSIGNMENTS:
        assert assign in line


@pytest.mark.parametrize("assign", ASSIGNMENTS)
def test_a_tiny_time_limit_gives_no_result(tmp_path, assign):
    mixture(tmp_path, rows=200_000, dimensions=2, k=5, name="x.npy")
    limited = ("--assign", assign, "--time-limit", 1e-9)
    done = run(tmp_path, "fit", "x.npy", *limited, "--labels-format", "npy", "--out", "out", "--quiet")
    assert done.returncode == MEMORY and "nothing was written" in done.stderr
    assert not list(tmp_path.glob("out*"))


def write_rows(folder, rows):
    np.savetxt(folder / "x.csv", np.asarray(rows, dtype=float), delimiter=",", fmt="%.17g")


# By name: the rows, and how many clusters there are.
SMALL_TABLES = {
    "one row": ([[1.5, -2.0]], 1),
    "one row, one column": ([[3.0]], 1),
    "two rows": ([[0.0, 0.0], [3.0, 4.0]], None),
    "two equal rows": ([[1.0, 2.0], [1.0, 2.0]], 1),
    "all rows equal": ([[1.25, -7.0, 3.0]] * 500, 1),
    "more columns than rows": (np.random.default_rng(5).normal(size=(6, 20)), None),
    "two values": ([[0.0], [100.0]] * 250, 1),  # a grid of width 100 as far as anybody can tell
    "two pairs of values": ([[0.0], [1.0], [100.0], [101.0]] * 125, 2),
}


@pytest.mark.parametrize("name", SMALL_TABLES)
def test_small_and_degenerate_tables(tmp_path, name):
    rows, k = SMALL_TABLES[name]
    write_rows(tmp_path, rows)
    results = expect_same_labels(tmp_path, "x.csv")
    assert results["kdtree"]["assign"]["used"] == "kdtree"
    assert k in (None, results["kdtree"]["k"])
    assert sum(cluster["size"] for cluster in results["kdtree"]["clusters"]) == len(rows)


def test_all_rows_equal_and_enough_for_auto(tmp_path):
    np.save(tmp_path / "x.npy", np.full((10_000, 3), 0.1))
    results = expect_same_labels(tmp_path, "x.npy")
    assert [results[assign]["k"] for assign in ASSIGNMENTS] == [1, 1, 1]


def test_a_fixed_number_of_clusters_on_few_rows(tmp_path):
    write_rows(tmp_path, [[0.0, 1.0], [0.5, 1.5], [10.0, 10.0], [11.0, 10.0], [-20.0, 3.0]])
    assert expect_same_labels(tmp_path, "x.csv", "--k", 3)["kdtree"]["k"] == 3


def test_weights(tmp_path):
    overlapping(tmp_path, 5000, 2, "plain.csv")
    data = np.loadtxt(tmp_path / "plain.csv", delimiter=",", skiprows=1)
    weights = np.arange(len(data)) % 3 + 0.5
    table = np.column_stack([data, weights])
    np.savetxt(tmp_path / "x.csv", table, delimiter=",", header="a,b,w", comments="", fmt="%.17g")
    results = expect_same_labels(tmp_path, "x.csv", "--weights", "w")
    assert results["kdtree"]["input"]["columns"] == 2
    assert results["kdtree"]["counters"]["nodes_visited"] > 0
    labels = labels_of(tmp_path / "out/labels.csv")
    assert results["kdtree"]["k"] > 1
    assert [cluster["weight"] for cluster in results["auto"]["clusters"]] == pytest.approx(np.bincount(labels, weights))
    assert results["kdtree"]["objective"] != fit(tmp_path, "plain.csv", "--assign", "kdtree")["objective"]


def test_models_are_the_same_bytes(tmp_path):
    overlapping(tmp_path, 5000, 2)
    models = []
    for assign in ("naive", "kdtree"):
        fit_by(tmp_path, assign, "x.csv")
        models.append((tmp_path / "out/model.coppice").read_bytes())
    assert models[0] == models[1]
