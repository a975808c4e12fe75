# SPDX-License-Identifier: BSD-3-Clause
"""Which columns of a table a model takes: by name where there are names, by position only where there are none or where
it is asked for."""

import numpy as np
import pytest

from program import DATA, OK, csv_columns, fit, run, succeed

NAMES = ["age", "Income", "visits"]


@pytest.fixture(scope="module")
def values():
    """Two groups that every column tells apart, and the columns apart from each other."""
    rng = np.random.default_rng(3)
    group = np.repeat([0, 1], 60)
    centres = np.array([[30, 5000, -3], [60, 9000, 4]])
    return centres[group] + rng.normal(size=(120, 3)) * [2, 200, 0.5]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, values):
    folder = tmp_path_factory.mktemp("names")
    write(folder / "train.csv", NAMES, values)
    fit(folder, "train.csv", "--k", 2)
    (folder / "out").rename(folder / "named")
    np.save(folder / "train.npy", values)
    fit(folder, "train.npy", "--k", 2)
    (folder / "out").rename(folder / "nameless")
    return folder


def write(path, names, values):
    lines = [",".join(f"{value:.6f}" for value in row) for row in values]
    path.write_text("\n".join(([",".join(names)] if names else []) + lines) + "\n")


def labels(folder, model, *arguments):
    done = succeed(folder, "predict", f"{model}/model.coppice", *arguments)
    _, rows = csv_columns(done.stdout)
    return [row[1] for row in rows], done.stderr


def refusal(folder, *arguments):
    done = run(folder, *arguments)
    assert done.returncode == DATA and done.stdout == "", (done.returncode, done.stderr)
    return done.stderr


@pytest.mark.parametrize("order, names", [([2, 0, 1], ["visits", "age", "Income"]),
                                          ([1, 2, 0], ["INCOME", "Visits", "AGE"]),
                                          ([0, 1, 2], ["age", "income", "visits"])])
def test_names_count_in_any_order_and_case(folder, values, order, names):
    wanted, _ = labels(folder, "named", "train.csv")
    assert len(set(wanted)) == 2
    write(folder / "new.csv", names, values[:, order])
    found, notes = labels(folder, "named", "new.csv")
    assert found == wanted and notes == ""


def test_columns_that_the_model_does_not_know_are_left_out(folder, values):
    more = np.column_stack([np.arange(120), values[:, ::-1], np.ones(120)])
    write(folder / "new.csv", ["extra", *NAMES[::-1], "flag"], more)
    assert labels(folder, "named", "new.csv")[0] == labels(folder, "named", "train.csv")[0]


def test_other_names_are_refused_with_what_is_missing_and_what_is_there(folder, values):
    write(folder / "new.csv", ["age", "wage", "count"], values)
    (folder / "labels.csv").write_text("label\n" + "0\n" * 120)
    for arguments in (["predict", "named/model.coppice", "new.csv"], ["density", "named/model.coppice", "new.csv"],
                      ["score", "new.csv", "--labels", "labels.csv", "--model", "named/model.coppice"],
                      ["fit", "new.csv", "--method", "abc", "--start-from", "named/model.coppice", "--out", "abc"]):
        message = refusal(folder, *arguments)
        for part in ("new.csv", "'Income'", "'visits'", "wage", "count", "--by-position"):
            assert part in message, (arguments, message)
        assert "'age'" not in message
    with open(folder / "new.csv", encoding="utf-8") as file:
        done = run(folder, "predict", "named/model.coppice", "-", stdin=file)
    assert done.returncode == DATA and done.stderr.startswith("coppice: standard input: ")


def test_by_position_takes_the_columns_as_they_stand(folder, values):
    write(folder / "new.csv", ["a", "b", "c"], values)
    assert labels(folder, "named", "new.csv", "--by-position")[0] == labels(folder, "named", "train.csv")[0]
    one = succeed(folder, "density", "named/model.coppice", "new.csv", "--by-position").stdout
    assert one == succeed(folder, "density", "named/model.coppice", "train.csv").stdout
    # Also where the names would say otherwise.
    write(folder / "swapped.csv", ["visits", "Income", "age"], values)
    assert labels(folder, "named", "swapped.csv", "--by-position")[0] == labels(folder, "named", "train.csv")[0]
    write(folder / "new.csv", ["a", "b"], values[:, :2])
    assert "2 columns" in refusal(folder, "predict", "named/model.coppice", "new.csv", "--by-position")


def test_a_tree_over_a_model_finds_its_columns_by_name(folder, values):
    write(folder / "new.csv", NAMES[::-1], values[:, ::-1])
    over = ["--method", "abc", "--start-from", "named/model.coppice", "--k", 2]
    fit(folder, "new.csv", *over)
    swapped = (folder / "out/labels.csv").read_text()
    fit(folder, "train.csv", *over)
    assert swapped == (folder / "out/labels.csv").read_text()
    write(folder / "new.csv", ["a", "b", "c"], values)
    fit(folder, "new.csv", *over, "--by-position")
    assert swapped == (folder / "out/labels.csv").read_text()


def test_a_name_that_may_mean_two_columns_is_refused(folder, values):
    write(folder / "new.csv", ["AGE", "Age", "Income", "visits"], values[:, [0, 0, 1, 2]])
    assert "'age'" in refusal(folder, "predict", "named/model.coppice", "new.csv")
    # The very name is meant, whatever else there is.
    write(folder / "new.csv", ["AGE", "age", "Income", "visits"], values[:, [2, 0, 1, 2]])
    assert labels(folder, "named", "new.csv")[0] == labels(folder, "named", "train.csv")[0]


def test_words_where_the_model_wants_numbers(folder):
    (folder / "new.csv").write_text("age,Income,visits\nold,5000,3\nyoung,4000,2\n")
    message = refusal(folder, "predict", "named/model.coppice", "new.csv")
    assert "'age'" in message and "words" in message and "'old'" in message


@pytest.mark.parametrize("model, table, note", [("named", "new.npy", "new.npy has no column names"),
                                                ("named", "bare.csv", "bare.csv has no column names"),
                                                ("nameless", "train.csv", "the model has no column names"),
                                                ("nameless", "new.npy", ""), ("nameless", "bare.csv", "")])
def test_without_names_position_decides_and_a_note_says_so(folder, values, model, table, note):
    np.save(folder / "new.npy", values)
    write(folder / "bare.csv", [], values)
    found, notes = labels(folder, model, table)
    assert found == labels(folder, "named", "train.csv")[0]
    assert (note in notes and "by position" in notes) if note else notes == ""


def test_names_such_as_x1_in_a_header_are_names(folder, values):
    """What coppice makes up for a file without names is not what a header says."""
    write(folder / "x.csv", ["x1", "x2", "x3"], values)
    fit(folder, "x.csv", "--k", 2)
    write(folder / "new.csv", ["x2", "x3", "x4"], values)
    assert "'x1'" in refusal(folder, "predict", "out/model.coppice", "new.csv")
    write(folder / "new.csv", ["x3", "x2", "x1"], values[:, ::-1])
    done = run(folder, "predict", "out/model.coppice", "new.csv")
    assert done.returncode == OK
    assert done.stdout == succeed(folder, "predict", "out/model.coppice", "x.csv").stdout


def test_numbers_of_columns_that_differ_are_refused_without_names_too(folder, values):
    np.save(folder / "narrow.npy", values[:, :2])
    message = refusal(folder, "predict", "named/model.coppice", "narrow.npy")
    assert "3 columns" in message and "x1, x2" in message
