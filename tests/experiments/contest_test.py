# SPDX-License-Identifier: BSD-3-Clause
"""A contest continues where it was stopped, records failures, and judges everybody alike."""

import json

import numpy as np
from scripts import run, succeed, table_rows

import contenders
import hard_data
import tables

SMALL = ("finding_k.py", "--cells", "2/100/2", "--spreads", "spread", "--contenders", "paper")


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_what_is_there_is_not_done_again(tmp_path):
    results = tmp_path / "results.jsonl"
    first = succeed(*SMALL, "--seeds", "0..2", "--results", results)
    again = succeed(*SMALL, "--seeds", "0..2", "--results", results)
    assert [line["seed"] for line in lines(results)] == [0, 1, 2]
    assert again.stderr == "" and again.stdout == first.stdout
    more = succeed(*SMALL, "--seeds", "0..3", "--results", results)
    assert [line["seed"] for line in lines(results)] == [0, 1, 2, 3]
    assert more.stderr.startswith("[1/1]")


def test_a_line_that_was_cut_short_is_done_again(tmp_path):
    results = tmp_path / "results.jsonl"
    succeed(*SMALL, "--seeds", "0,1", "--results", results)
    whole = lines(results)
    results.write_text(results.read_text()[:-40])
    succeed(*SMALL, "--seeds", "0,1", "--results", results)
    kept = [line for line in results.read_text().splitlines() if line.endswith("}")]
    assert [json.loads(line)["seed"] for line in kept] == [0, 1]
    assert json.loads(kept[1])["objective"] == whole[1]["objective"]


def test_table_alone_runs_nothing(tmp_path):
    results = tmp_path / "results.jsonl"
    first = succeed(*SMALL, "--seeds", "0,1", "--results", results)
    table = run("finding_k.py", "--table", results, program="no-such-program")
    assert table.returncode == 0 and table.stdout == first.stdout
    assert run("finding_k.py", "--table", tmp_path / "absent").returncode == 2


def test_failures_are_recorded_and_tried_again_on_request(tmp_path):
    results = tmp_path / "results.jsonl"
    odd = (*SMALL, "--seeds", "0", "--fit", "odd=--prior nonsense", "--results", results)
    said = succeed(*odd)
    assert "odd: 1 fits gave no result" in said.stdout and "nonsense" in said.stdout
    assert table_rows(said.stdout)[1][5] == "-"
    assert succeed(*odd).stderr == ""
    assert succeed(*odd, "--retry").stderr.startswith("[1/1]")


def test_a_fit_that_takes_too_long_is_ended(tmp_path):
    said = succeed(*SMALL[:-1], "gmm-bic", "--seeds", "0", "--timeout", "0.05", "--results", tmp_path / "results.jsonl")
    assert "no result within 0.05 s" in said.stdout


def test_unknown_names_are_refused():
    assert "no contender is called best" in run(*SMALL[:-1], "best").stderr
    assert "no cell is called so" in run("finding_k.py", "--cells", "3/100/2").stderr


def test_different_rows_under_one_name_are_noticed(tmp_path):
    results = tmp_path / "results.jsonl"
    succeed(*SMALL, "--seeds", "0", "--results", results)
    other = lines(results)[0] | dict(contender="other", data="0")
    results.write_text(results.read_text() + json.dumps(other) + "\n")
    assert "WARNING: not the same rows" in succeed("finding_k.py", "--table", results).stdout


def test_rows_of_no_class_are_not_judged():
    truth = np.array([0, 0, 1, 1, -1, -1])
    assert contenders.judge(np.array([5, 5, 3, 3, 3, 5]), truth) == dict(ari=1.0, nmi=1.0)
    assert contenders.judge(np.array([5, 3, 5, 3, 0, 0]), truth)["ari"] < 0.1


def test_common_data_sets_are_those_that_everybody_finished():
    a, b = (dict(contender=name, ari=1.0) for name in "ab")
    records = [a | dict(seed=0), b | dict(seed=0), a | dict(seed=1), b | dict(seed=1, error="late"),
               dict(contender="never", seed=0, error="absent")]
    assert [record["seed"] for record in tables.common(records, ["seed"])] == [0, 0]


def test_hard_data_are_what_they_claim():
    for group, name in hard_data.CASES:
        points, truth = hard_data.make(group, name, 0)
        again, _ = hard_data.make(group, name, 0)
        other, _ = hard_data.make(group, name, 1)
        assert np.array_equal(points, again) and not np.array_equal(points, other)
        assert len(points) == len(truth) and np.isfinite(points).all()
        assert np.mean(truth == -1) == (0.05 if group == "outliers" else 0.0)
    assert [hard_data.make("overlap", "2 sd, D = 2", seed)[1].max() + 1 for seed in range(3)] == [3, 4, 5]
    points, _ = hard_data.make("whole numbers", "sd 0.4", 0)
    assert np.array_equal(points, np.round(points))
