# SPDX-License-Identifier: BSD-3-Clause
"""Agglomerative Bayesian clustering from the command line: its options, a tree above a model, and what is refused."""

import json

import pytest

from program import fit, labels_of, mixture, run, succeed, summary


@pytest.fixture(name="folder", scope="module")
def fixture_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("abc")
    mixture(folder, rows=200, dimensions=2, k=4)
    return folder


def abc(folder, *arguments):
    return fit(folder, "x.csv", "--method", "abc", *arguments)


def test_a_fit_says_what_it_found(folder):
    result = abc(folder)
    assert result["method"] == "abc" and result["converged"]
    assert len(labels_of(folder / "out/labels.csv")) == 200
    assert {family["family"] for family in result["families"]} == {"gaussian", "diagonal", "spherical"}
    assert result["assign"]["why"] == "closest pairs by fastpair"
    assert result["counters"]["distances"] >= 200 * 199 // 2


def test_the_structures_give_the_same_labels(folder):
    labels = []
    for pairs in ("auto", "fastpair", "conga", "naive"):
        abc(folder, "--pairs", pairs, "--prior", "paper")
        labels.append((folder / "out/labels.csv").read_text())
    assert len(set(labels)) == 1


def test_k_and_where_to_stop(folder):
    assert abc(folder, "--k", 7)["k"] == 7
    first = abc(folder, "--stop", "first-rise", "--prior", "paper")["objective"]["value"]
    assert first >= abc(folder, "--prior", "paper")["objective"]["value"]


def test_looking_ahead(folder):
    result = abc(folder, "--look-ahead", 2, "--prior", "paper", "--k", 4)
    assert "looking 2 merges ahead" in result["assign"]["why"]


def test_a_tree_above_a_model(folder):
    fit(folder, "x.csv", "--k", 9, "--seed", 1)
    fine = labels_of(folder / "out/labels.csv")
    succeed(folder, "fit", "x.csv", "--method", "abc", "--start-from", "out/model.coppice", "--k", 3, "--out", "tree",
            "--force", "--quiet")
    coarse = labels_of(folder / "tree/labels.csv")
    assert len(set(zip(fine, coarse))) == 9 and len(set(coarse)) == 3
    result = summary(folder / "tree")
    assert result["options"]["start_from"] == "bkm, 9 clusters"
    assert [entry["k"] for entry in result["k_evidence"]] == list(range(1, 10))
    succeed(folder, "predict", "tree/model.coppice", "x.csv", "--out", "again.csv", "--force")


def test_a_labelling_is_scored_as_the_fit_was(folder):
    value = abc(folder, "--prior", "paper")["objective"]["value"]
    done = succeed(folder, "score", "x.csv", "--labels", "out/labels.csv", "--method", "abc", "--prior", "paper", "--json")
    assert json.loads(done.stdout)["objective"] == pytest.approx(value)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("--family", "uninformative"), 2, "single rows"),
        (("--k", 201), 2, "200 rows"),
        (("--start-from", "nosuch.coppice"), 4, "nosuch.coppice"),
        (("--start-from", "x.csv"), 3, "x.csv"),
        (("--look-ahead", 0), 2, "--look-ahead"),
        (("--pairs", "heap"), 2, "fastpair"),
    ],
    ids=str,
)
def test_refusals(folder, arguments, code, words):
    done = run(folder, "fit", "x.csv", "--method", "abc", *arguments, "--out", "refused")
    assert done.returncode == code and words in done.stderr, done.stderr
    assert not (folder / "refused").exists()
