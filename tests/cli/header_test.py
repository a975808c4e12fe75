# SPDX-License-Identifier: BSD-3-Clause
"""What the first line of a text table is taken for, and columns that only number the rows."""

import json

import numpy as np
import pytest

from program import DATA, OK, USAGE, fit, run, succeed

YEARS = "2019,2020,2021\n1.5,2.5,3.5\n4.5,5.5,6.25\n7.5,8.5,9.5\n1.25,2,3\n"


@pytest.fixture
def folder(tmp_path):
    return tmp_path


def info(folder, text, *arguments):
    (folder / "x.csv").write_text(text)
    done = succeed(folder, "info", "x.csv", "--json", *arguments)
    found = json.loads(done.stdout)
    return [column["name"] for column in found["columns"]], found["rows"], done.stderr


@pytest.mark.parametrize("text", [YEARS, "0,1,2,3\n" + "5.5,1,2,3\n" * 2 + "1,2.5,1,0\n" * 2,  # as pandas numbers columns
                                  "10,20,30\n1,2,3\n4,9,8\n3,1,2\n",
                                  "2010,2015,2021\n" + "7,3,9\n1,8,2\n6,6,1\n"])
def test_numbers_that_look_like_names_get_a_note(folder, text):
    n_lines = len(text.splitlines())
    names, rows, notes = info(folder, text)
    assert names[0] == "x1" and rows == n_lines
    assert notes.count("note:") == 1 and "x.csv:1" in notes and "--header yes" in notes
    names, rows, notes = info(folder, text, "--header", "yes")
    assert names == text.splitlines()[0].split(",") and rows == n_lines - 1 and notes == ""
    names, rows, notes = info(folder, text, "--header", "no")
    assert names[0] == "x1" and rows == n_lines and notes == ""


@pytest.mark.parametrize("text", ["1,2,3\n4,5,6\n7,8,9\n10,11,12\n", "5,7\n1.5,2.5\n3,4.5\n1,1\n",
                                  "3,1,2\n1.5,2.5,3.5\n2.5,1.5,1\n1,2,1.5\n", "1,5,9\n0,4,12\n3,7,8\n2,2,2\n",
                                  "a,b\n1,2\n3,4\n5,6\n", "id,2019,2020\n1,2.5,3\n2,3.5,1\n"])
def test_other_first_lines_get_none(folder, text):
    _, _, notes = info(folder, text)
    assert "--header" not in notes


@pytest.mark.parametrize("text, why", [("5,3,setosa\n4,2,virginica\n6,3,setosa\n", "'setosa'"),
                                       ("red,small\nblue,large\nred,large\nblue,small\n", "'red'"),
                                       ("1,,3\n4,5,6\n7,8,9\n", "numbers")])
def test_names_that_look_like_a_row_get_a_note(folder, text, why):
    n_lines = len(text.splitlines())
    _, rows, notes = info(folder, text)
    assert rows == n_lines - 1
    assert "x.csv:1" in notes and "--header no" in notes and why in notes
    names, rows, notes = info(folder, text, "--header", "no")
    assert "x1" in names and rows == n_lines and notes == ""


def test_the_rule_reaches_the_fit(folder):
    rng = np.random.default_rng(1)
    values = np.round(rng.normal(size=(40, 3)), 3)
    text = "2019,2020,2021\n" + "\n".join(",".join(map(str, row)) for row in values) + "\n"
    (folder / "x.csv").write_text(text)
    assert fit(folder, "x.csv", "--k", 1, "--header", "yes")["input"]["rows"] == 40
    taken = fit(folder, "x.csv", "--k", 1)
    assert taken["input"]["rows"] == 41 and any("--header yes" in note for note in taken["warnings"])
    done = run(folder, "fit", "x.csv", "--k", 1, "--out", "other")
    assert done.returncode == OK and done.stderr.count("--header yes") == 1


def test_the_rule_is_for_text_tables(folder):
    np.save(folder / "x.npy", np.eye(3))
    done = run(folder, "info", "x.npy", "--header", "yes")
    assert done.returncode == USAGE and "x.npy" in done.stderr and "--header" in done.stderr
    (folder / "x.csv").write_text("1,2\n3,4\n")
    done = run(folder, "info", "x.csv", "--header", "maybe")
    assert done.returncode == USAGE and "maybe" in done.stderr and "{auto,yes,no}" in done.stderr


def test_a_word_in_a_first_line_of_data_points_to_the_rule(folder):
    (folder / "x.csv").write_text("v,1.0,2.0\n3,4,5\n")
    done = run(folder, "info", "x.csv")
    assert done.returncode == DATA and "x.csv:1:1" in done.stderr and "--header yes" in done.stderr
    assert info(folder, "v,1.0,2.0\n3,4,5\n", "--header", "yes")[0] == ["v", "1.0", "2.0"]


def numbered(first_name, first, n=30):
    rng = np.random.default_rng(2)
    rows = [f"{first[i]},{a:.3f},{b:.3f}" for i, (a, b) in enumerate(rng.normal(size=(n, 2)))]
    return f"{first_name},a,b\n" + "\n".join(rows) + "\n"


@pytest.mark.parametrize("name, shown", [("", "x1"), ("Unnamed: 0", "Unnamed: 0"), ("id", "id"), ("Index", "Index"),
                                         ("customer_id", "customer_id"), ("customerId", "customerId"), ("row", "row")])
@pytest.mark.parametrize("first", [list(range(30)), list(range(1, 31)), [7 * i % 30 + 1000 for i in range(30)]],
                         ids=["from 0", "from 1", "shuffled"])
def test_row_numbers_get_a_note_that_names_what_helps(folder, name, shown, first):
    text = numbered(name, first)
    names, _, notes = info(folder, text)
    assert names == [shown, "a", "b"]
    assert notes.count("note:") == 1 and f"'{shown}'" in notes and "--id" in notes and "--columns" in notes
    for chosen in (["--id", shown], ["--id", "1"], ["--columns", "a,b"]):
        names, _, notes = info(folder, text, *chosen)
        assert names == ["a", "b"] and notes == "", chosen


@pytest.mark.parametrize("text", [numbered("age", list(range(30))), numbered("id", [i // 2 for i in range(30)]),
                                  numbered("paid", list(range(30))), numbered("index", [i / 2 for i in range(30)]),
                                  "id\n" + "\n".join(map(str, range(30))) + "\n"],
                         ids=["other name", "repeated", "no id", "fractions", "alone"])
def test_measurements_get_none(folder, text):
    assert info(folder, text)[2] == ""


def test_row_numbers_without_any_names(folder):
    lines = numbered("", list(range(30))).splitlines()[1:]
    assert "--id x1" in info(folder, "\n".join(lines) + "\n")[2]


def test_row_numbers_are_noted_by_fit_and_kept_in_the_summary(folder):
    (folder / "x.csv").write_text(numbered("", list(range(30))))
    done = succeed(folder, "fit", "x.csv", "--k", 1, "--out", "out")
    assert done.stderr.count("--id x1") == 1
    assert any("--id x1" in note for note in json.loads((folder / "out/summary.json").read_text())["warnings"])
    assert succeed(folder, "fit", "x.csv", "--k", 1, "--out", "quiet", "--quiet").stderr == ""
    named = succeed(folder, "fit", "x.csv", "--k", 1, "--id", "1", "--out", "named")
    assert named.stderr == ""
    assert (folder / "named/labels.csv").read_text().splitlines()[1].startswith("0,")
