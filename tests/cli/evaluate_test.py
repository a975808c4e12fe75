# SPDX-License-Identifier: BSD-3-Clause
"""evaluate, and every other place where labels meet rows: ids, names of classes, and what there is without TRUTH."""

import json
import random
import re

import numpy as np
import pytest

from program import DATA, IO, OK, USAGE, csv_columns, mixture, run, succeed, summary, with_result

SCORES = ("silhouette", "calinski_harabasz", "davies_bouldin")


def evaluated(folder, *arguments):
    return json.loads(succeed(folder, "evaluate", *arguments, "--json").stdout)


def write(path, header, rows):
    path.write_text(header + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))


@pytest.fixture
def folder(tmp_path):
    """Labels that agree with the truth, by id, in two orders; with row numbers; and without either."""
    rows = [(f"P{number:02}", "ABC"[number % 3], number % 3) for number in range(30)]
    shuffled = random.Random(1).sample(rows, len(rows))
    write(tmp_path / "labels.csv", "row,label", [(name, label) for name, _, label in rows])
    write(tmp_path / "truth.csv", "id,label", [(name, word) for name, word, _ in shuffled])
    write(tmp_path / "species.csv", "species,id", [(word, name) for name, word, _ in shuffled])
    write(tmp_path / "customer.csv", "customer,label", [(name, word) for name, word, _ in shuffled])
    write(tmp_path / "plain.csv", "label", [(word,) for _, word, _ in rows])
    numbered = [(number, label) for number, (_, _, label) in enumerate(rows)]
    write(tmp_path / "numbered.csv", "row,label", numbered)
    write(tmp_path / "sorted.csv", "row,label", sorted(numbered, key=lambda row: row[1]))
    return tmp_path


# Rows by id.


@pytest.mark.parametrize("truth", ["truth.csv", "species.csv"])
def test_rows_are_matched_by_id_in_any_order(folder, truth):
    done = succeed(folder, "evaluate", "labels.csv", truth, "--json")
    assert json.loads(done.stdout)["ari"] == 1.0
    assert done.stderr == ""
    assert evaluated(folder, truth, "labels.csv")["ari"] == 1.0


def test_the_column_of_ids_can_be_named(folder):
    assert evaluated(folder, "labels.csv", "customer.csv", "--id", "customer")["ari"] == 1.0


def test_sorted_row_numbers_are_put_back(folder):
    """A labels.csv of a fit, sorted by label in a spreadsheet."""
    for truth in ("plain.csv", "numbered.csv"):
        assert evaluated(folder, "sorted.csv", truth)["ari"] == 1.0
        assert evaluated(folder, truth, "sorted.csv")["ari"] == 1.0


@pytest.mark.parametrize("change, named", [
    (lambda lines: lines[:-1], "missing"), (lambda lines: lines + ["P99,A"], "P99"),
    (lambda lines: [line.replace("P07", "P70") for line in lines], "P70|P07"),
    (lambda lines: [line.replace("P07", "P08") for line in lines], "P08")])
def test_ids_that_do_not_agree_are_named(folder, change, named):
    lines = (folder / "truth.csv").read_text().splitlines()
    if named == "missing":
        named = lines[-1].split(",")[0]
    (folder / "other.csv").write_text("\n".join(change(lines)) + "\n")
    for order in (("labels.csv", "other.csv"), ("other.csv", "labels.csv")):
        done = run(folder, "evaluate", *order)
        assert done.returncode == DATA
        assert re.search(f"'({named})'", done.stderr) and "id" in done.stderr


def test_ids_on_one_side_only_are_noted(folder):
    done = succeed(folder, "evaluate", "labels.csv", "plain.csv", "--json")
    assert json.loads(done.stdout)["ari"] == 1.0
    assert "by position" in done.stderr
    assert succeed(folder, "evaluate", "numbered.csv", "plain.csv").stderr == "", "row numbers are no ids"


def test_a_quiet_fit_says_nothing_and_keeps_the_note(folder):
    write(folder / "x.csv", "name,x", [(f"P{number:02}", 100 * (number % 3) + number / 100) for number in range(30)])
    fit = ("fit", "x.csv", "--id", "name", "--method", "kmeans", "--k", 3, "--truth", "plain.csv", "--force", "--out", "out")
    assert "by position" in succeed(folder, *fit).stderr
    assert succeed(folder, *fit, "--quiet").stderr == ""
    assert any("by position" in warning for warning in summary(folder / "out")["warnings"])


def test_row_numbers_beside_names_go_by_position(folder):
    done = succeed(folder, "evaluate", "numbered.csv", "labels.csv", "--json")
    assert json.loads(done.stdout)["ari"] == 1.0 and "by position" in done.stderr


def test_numbers_from_one_are_not_those_from_zero(folder):
    write(folder / "from_one.csv", "id,label", [(number + 1, number % 3) for number in range(30)])
    done = run(folder, "evaluate", "numbered.csv", "from_one.csv")
    assert done.returncode == DATA and "'0'" in done.stderr


def test_a_fit_scores_by_id(tmp_path):
    mixture(tmp_path, rows=90, dimensions=2, k=3)
    _, rows = csv_columns((tmp_path / "x.csv").read_text())
    _, truth = csv_columns((tmp_path / "truth.csv").read_text())
    write(tmp_path / "named.csv", "name,x1,x2", [(f"R{number}", *row) for number, row in enumerate(rows)])
    shuffled = random.Random(2).sample([(f"R{number}", row[1]) for number, row in enumerate(truth)], len(rows))
    write(tmp_path / "known.csv", "name,label", shuffled)
    succeed(tmp_path, "fit", "named.csv", "--id", "name", "--truth", "known.csv", "--out", "out", "--quiet")
    assert summary(tmp_path / "out")["scores"]["ari"] == 1.0
    by_fit = summary(tmp_path / "out")["objective"]["value"]
    named = ("score", "named.csv", "--id", "name", "--model", "out", "--json", "--labels")
    _, found = csv_columns((tmp_path / "out/labels.csv").read_text())
    write(tmp_path / "again.csv", "row,label", random.Random(3).sample([row[:2] for row in found], len(found)))
    for labels in ("out/labels.csv", "out", "again.csv"):
        objective = json.loads(succeed(tmp_path, *named, labels).stdout)["objective"]
        assert objective == pytest.approx(by_fit, rel=1e-12)


def test_a_fit_starts_from_labels_by_id(tmp_path):
    write(tmp_path / "x.csv", "id,x", [("a", 0), ("b", 1), ("c", 100), ("d", 101)])
    write(tmp_path / "start.csv", "id,label", [("c", 1), ("a", 0), ("d", 1), ("b", 0)])
    for start in ("start.csv", "plain.csv"):
        (tmp_path / "plain.csv").write_text("label\n0\n0\n1\n1\n")
        succeed(tmp_path, "fit", "x.csv", "--id", "id", "--method", "kmeans", "--k", 2, "--init", start,
                "--max-iterations", 1, "--out", "out", "--force", "--quiet")
        assert summary(tmp_path / "out")["objective"]["value"] == 1.0
        assert summary(tmp_path / "out")["trace"][0]["objective"] == 1.0, "the start was already the end"


# Names of classes.


def test_classes_have_their_own_names(folder):
    text = succeed(folder, "evaluate", "labels.csv", "truth.csv").stdout
    table = text.split("\n\n")[1].splitlines()
    assert sorted(table[0].split()) == ["A", "B", "C", "label"]
    for label, word in enumerate("ABC"):
        row = table[1 + label].split()
        assert row[0] == str(label)
        assert row[table[0].split().index(word)] == "10"
    reversed_table = succeed(folder, "evaluate", "truth.csv", "labels.csv").stdout.split("\n\n")[1].splitlines()
    assert {row.split()[0] for row in reversed_table[1:]} == set("ABC")
    assert "truth 0" in reversed_table[0]


# Without known groups.


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    return with_result(tmp_path_factory.mktemp("fitted"), rows=90, k=3)


def test_the_table_alone_gives_scores(fitted):
    with_truth = evaluated(fitted, "res/labels.csv", "truth.csv", "--data", "x.csv")
    alone = evaluated(fitted, "res/labels.csv", "--data", "x.csv")
    assert list(alone) == ["k", *SCORES]
    assert alone == {name: with_truth[name] for name in alone}
    assert alone["k"] == 3 and alone["silhouette"] > 0.5
    text = succeed(fitted, "evaluate", "res/labels.csv", "--data", "x.csv").stdout
    assert "silhouette" in text and "ari" not in text


def test_something_to_judge_by_is_asked_for(fitted):
    done = run(fitted, "evaluate", "res/labels.csv")
    assert done.returncode == USAGE
    assert "TRUTH" in done.stderr and "--data" in done.stderr
    done = run(fitted, "evaluate", "res/labels.csv", "--data", "x.csv", "--linkage", "tree.npy")
    assert done.returncode == USAGE and "TRUTH" in done.stderr


def test_a_result_folder_stands_for_its_labels(fitted):
    assert evaluated(fitted, "res", "truth.csv") == evaluated(fitted, "res/labels.csv", "truth.csv")
    succeed(fitted, "fit", "x.csv", "--out", "npy", "--labels-format", "npy", "--quiet", "--force")
    assert evaluated(fitted, "npy", "truth.csv") == evaluated(fitted, "res", "truth.csv")
    assert evaluated(fitted, "res", "npy")["ari"] == 1.0
    (fitted / "empty").mkdir(exist_ok=True)
    done = run(fitted, "evaluate", "empty", "truth.csv")
    assert done.returncode == IO and "labels.csv" in done.stderr


def test_one_cluster_has_no_such_scores(fitted):
    rows = len((fitted / "x.csv").read_text().splitlines()) - 1
    np.save(fitted / "one.npy", np.zeros(rows, np.int32))
    np.save(fitted / "own.npy", np.arange(rows, dtype=np.int32))
    for labels, words, k in (("one.npy", "one", 1), ("own.npy", "of its own", rows)):
        found = evaluated(fitted, labels, "--data", "x.csv")
        assert found == {"k": k, "silhouette": None, "calinski_harabasz": None, "davies_bouldin": None}
        text = succeed(fitted, "evaluate", labels, "--data", "x.csv").stdout
        for name in SCORES:
            line = next(line for line in text.splitlines() if line.startswith(name))
            assert "undefined" in line and words in line
    both = evaluated(fitted, "one.npy", "truth.csv", "--data", "x.csv")
    assert both["ari"] == 0.0 and both["silhouette"] is None


def test_columns_and_ids_of_the_table_are_chosen(fitted):
    _, rows = csv_columns((fitted / "x.csv").read_text())
    _, labels = csv_columns((fitted / "res/labels.csv").read_text())
    named = [(f"R{number}", *row, "word") for number, row in enumerate(rows)]
    write(fitted / "wide.csv", "name,x1,x2,note", random.Random(4).sample(named, len(named)))
    write(fitted / "wide_labels.csv", "name,label", [(f"R{number}", row[1]) for number, row in enumerate(labels)])
    found = evaluated(fitted, "wide_labels.csv", "--data", "wide.csv", "--id", "name", "--columns", "x1,x2")
    expected = evaluated(fitted, "res", "--data", "x.csv")
    assert found == pytest.approx(expected, rel=1e-9)
    done = run(fitted, "evaluate", "wide_labels.csv", "--data", "wide.csv", "--id", "name")
    assert done.returncode == OK and "note" in done.stderr and "words" in done.stderr


# summary.json


def test_the_summary_names_the_columns_of_means(tmp_path):
    (tmp_path / "t.csv").write_text("length,width\n1,2\n1,2\n50,9\n51,9\n52,9\n")
    for more, expected in (((), ["length", "width"]), (("--columns", "width,length"), ["width", "length"]),
                           (("--transform", "standardize"), ["length", "width"]),
                           (("--transform", "log1p,project:1"), None)):
        succeed(tmp_path, "fit", "t.csv", "--method", "kmeans", "--k", 2, *more, "--out", "out", "--force", "--quiet")
        told = summary(tmp_path / "out")
        assert all(len(cluster["mean"]) == len(told["mean_columns"]) for cluster in told["clusters"])
        if expected:
            assert told["mean_columns"] == expected
            length = told["mean_columns"].index("length")
            assert sorted(round(cluster["mean"][length]) for cluster in told["clusters"]) == [1, 51]
        else:
            assert len(told["mean_columns"]) == 1 and "length" not in told["mean_columns"]
