# SPDX-License-Identifier: BSD-3-Clause
"""What `coppice fit` writes and prints."""

import io
import json
import math
import zipfile

import numpy as np
import pytest

from program import IO, csv_columns, fit, labels_of, left_behind, mixture, run, score, succeed, summary

NUMBER = (int, float)
# The contract of summary.json: every name and its type; a list stands for the type of its entries.
CONTRACT = {
    "coppice": str, "method": str, "options": dict, "prior": dict, "family": str, "seed": int, "threads": int, "simd": str,
    "input": {"path": str, "rows": int, "columns": int, "storage": str},
    "assign": {"used": str, "why": str},
    "k": int,
    "objective": {"name": str, "value": float, "bits_per_row": float},
    "k_evidence": [{"k": int, "objective": NUMBER}],
    "families": [{"family": str, "k": int, "objective": NUMBER}],
    "soft_bound": float,
    "converged": bool, "stop_reason": str, "iterations": int,
    "trace": [{"iteration": int, "phase": str, "k": int, "objective": NUMBER, "seconds": NUMBER, "distances": int}],
    "counters": {name: int for name in ("distances", "nodes_visited", "splits_tried", "splits_accepted", "merges_tried",
                                        "merges_accepted")},
    "seconds": {name: NUMBER for name in ("read", "prepare", "fit", "write", "total")},
    "peak_memory_bytes": int,
    "mean_columns": [str],
    "clusters": [{"label": int, "size": int, "weight": NUMBER, "mean": [NUMBER],
                  "telling_columns": [{"column": str, "score": NUMBER}]}],
    "scores": dict, "warnings": [str],
}


def check_shape(value, expected, place):
    if isinstance(expected, dict):
        assert sorted(value) == sorted(expected), place
        for name, inner in expected.items():
            check_shape(value[name], inner, f"{place}.{name}")
    elif isinstance(expected, list):
        assert isinstance(value, list), place
        for entry in value:
            check_shape(entry, expected[0], place + "[]")
    else:
        assert isinstance(value, expected), (place, value)
        assert expected is bool or not isinstance(value, bool), place


@pytest.fixture(name="table")
def fixture_table(tmp_path):
    mixture(tmp_path)
    return tmp_path


def test_writes_three_files_beside_the_call(table):
    before = left_behind(table)
    done = succeed(table, "fit", "x.csv")
    written = ["x.coppice", "x.coppice/labels.csv", "x.coppice/model.coppice", "x.coppice/summary.json"]
    assert left_behind(table) == sorted(before + written)
    assert done.stderr == ""
    assert done.stdout.startswith("4 clusters in 600 rows x 3 columns")


def test_summary_keeps_its_contract(table):
    result = fit(table, "x.csv", "--truth", "truth.csv", "--seed", 5)
    check_shape(result, CONTRACT, "summary")
    assert result["method"] == "bkm" and result["seed"] == 5 and result["options"]["seed"] == 5
    assert result["input"] == {"path": "x.csv", "rows": 600, "columns": 3, "storage": "float64"}
    assert result["k"] == 4 == len(result["clusters"])
    assert result["converged"] and result["stop_reason"] == "converged"
    assert result["trace"] and result["k_evidence"]
    value = result["objective"]["value"]
    assert result["objective"]["bits_per_row"] == pytest.approx(value / math.log(2) / 600, rel=1e-12)
    assert min(entry["objective"] for entry in result["k_evidence"]) == pytest.approx(value, rel=1e-12)
    assert sum(cluster["size"] for cluster in result["clusters"]) == 600
    parts = [result["seconds"][name] for name in ("read", "prepare", "fit", "write")]
    assert 0 <= sum(parts) <= result["seconds"]["total"] * (1 + 1e-9)


def test_peak_memory_is_not_that_of_who_started_the_program(table):
    alone = fit(table, "x.csv")["peak_memory_bytes"]
    ballast = bytearray(b"x") * 300_000_000
    assert fit(table, "x.csv")["peak_memory_bytes"] < alone + len(ballast) / 2


def test_labels_are_by_size_and_means_are_theirs(table):
    result = fit(table, "x.csv")
    header, rows = csv_columns((table / "out/labels.csv").read_text())
    assert header == ["row", "label", "probability"]
    assert [row[0] for row in rows] == [str(number) for number in range(600)]
    assert all(0 < float(row[2]) <= 1 for row in rows)
    labels = labels_of(table / "out/labels.csv")
    sizes = np.bincount(labels, minlength=4)
    assert labels.min() == 0 and len(sizes) == result["k"]
    assert list(sizes) == sorted(sizes, reverse=True) == [cluster["size"] for cluster in result["clusters"]]
    data = np.loadtxt(table / "x.csv", delimiter=",", skiprows=1)
    for cluster in result["clusters"]:  # sums of some 150 values of size 10: errors below 150 * 10 * 2^-52
        np.testing.assert_allclose(cluster["mean"], data[labels == cluster["label"]].mean(axis=0), rtol=1e-9, atol=1e-11)
    assert score(table, "truth.csv")["ari"] == 1.0


def test_labels_as_npy_and_as_table(table):
    fit(table, "x.csv")
    labels = labels_of(table / "out/labels.csv")
    fit(table, "x.csv", "--labels-format", "npy")
    array = np.load(table / "out/labels.npy")
    assert array.dtype == np.int32 and not (table / "out/labels.csv").exists()
    np.testing.assert_array_equal(array, labels)
    fit(table, "x.csv", "--labels-format", "table")
    header, rows = csv_columns((table / "out/labels.csv").read_text())
    assert header[:3] == ["x1", "x2", "x3"] and "label" in header
    np.testing.assert_array_equal(labels_of(table / "out/labels.csv"), labels)
    data = np.loadtxt(table / "x.csv", delimiter=",", skiprows=1)
    np.testing.assert_array_equal(np.array([row[:3] for row in rows], dtype=float), data)


def test_json_prints_the_summary_and_nothing_else(table):
    done = succeed(table, "fit", "x.csv", "--out", "out", "--json")
    assert done.stdout == (table / "out/summary.json").read_text()
    check_shape(json.loads(done.stdout), CONTRACT, "summary")
    assert done.stderr == ""


def test_quiet_prints_nothing(table):
    done = succeed(table, "fit", "x.csv", "--out", "out", "--quiet")
    assert (done.stdout, done.stderr) == ("", "")
    assert (table / "out/summary.json").exists()


def test_progress_goes_to_standard_error(table):
    done = succeed(table, "fit", "x.csv", "--out", "out", "--progress", "always", "--json")
    assert json.loads(done.stdout)["k"] == 4
    assert ", sweep" in succeed(table, "fit", "x.csv", "--out", "b", "--progress", "always").stderr


def test_truth_scores_are_those_of_evaluate(table):
    scores = fit(table, "x.csv", "--max-k", 3, "--truth", "truth.csv")["scores"]
    evaluated = score(table, "truth.csv")
    assert set(scores) == {"ari", "nmi", "ami", "purity"}
    assert scores == {name: evaluated[name] for name in scores}
    assert 0 < scores["ari"] < 1  # three clusters cannot match four groups


def test_existing_output_is_refused_untouched_and_replaced_by_force(table):
    fit(table, "x.csv", "--k", 2)
    before = (table / "out/summary.json").read_bytes()
    done = run(table, "fit", "x.csv", "--out", "out")
    assert done.returncode == IO and done.stdout == ""
    assert "out" in done.stderr and "--force" in done.stderr
    assert (table / "out/summary.json").read_bytes() == before
    succeed(table, "fit", "x.csv", "--out", "out", "--force")
    assert left_behind(table / "out") == ["labels.csv", "model.coppice", "summary.json"]
    assert left_behind(table) == ["out", "out/labels.csv", "out/model.coppice", "out/summary.json", "truth.csv", "x.csv"]


def test_force_replaces_no_folder_but_a_result(table):
    (table / "out").mkdir()
    (table / "out/mine.txt").write_text("keep")
    for force in ([], ["--force"]):
        done = run(table, "fit", "x.csv", "--out", "out", *force)
        assert done.returncode == IO and done.stdout == "" and "out" in done.stderr
        assert left_behind(table) == ["out", "out/mine.txt", "truth.csv", "x.csv"]


def test_model_opens_with_numpy(table):
    result = fit(table, "x.csv")
    arrays = {}
    with zipfile.ZipFile(table / "out/model.coppice") as archive:
        assert archive.testzip() is None
        description = json.loads(archive.read("model.json"))
        for name in archive.namelist():
            if name.endswith(".npy"):
                arrays[name] = np.load(io.BytesIO(archive.read(name)), allow_pickle=False)
    assert isinstance(description, dict)
    assert arrays["means.npy"].shape == (4, 3)
    assert all(np.isfinite(array).all() for array in arrays.values())
    means = np.array([cluster["mean"] for cluster in result["clusters"]])
    stored = [arrays["means.npy"], arrays["means.npy"] + arrays["origin.npy"]]  # about the origin, or not
    assert any(np.allclose(means, candidate, rtol=1e-9, atol=1e-11) for candidate in stored)


def test_reads_standard_input(table):
    done = succeed(table, "fit", "-", "--out", "out", "--quiet", input=(table / "x.csv").read_text())
    assert done.stdout == "" and summary(table / "out")["k"] == 4
