# SPDX-License-Identifier: BSD-3-Clause
"""--labels-format table: the whole input with a label column."""

import csv
import os
import sqlite3
import subprocess

import numpy as np
import pytest

from program import BINARY, OK, mixture, run, succeed, summary

TEXT = """customer,city,spent,visits,joined,notes
C-1,Köln,1.50,1,2020-01-01,
C-2,"Bonn, Rhein",2.50,2,2020-01-02,NA
C-3,Trier,+3.5,2,2020-01-03,"said ""no"" to it"
C-4,Mainz,101.0,50,2020-01-04,007
C-5,Worms,102.0,51,2020-01-05,
C-6,Speyer,1.03e2,52,2020-01-06,x
"""
FIT = ("--method", "kmeans", "--k", 2, "--labels-format", "table", "--out", "out", "--force", "--quiet")
CHOSEN = ("--columns", "spent,visits")


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "customers.csv").write_text(TEXT, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("more", [(), ("--id", "customer"), ("--id", "1"), ("--weights", "visits", "--id", "customer")])
def test_every_column_is_there_in_its_own_text(folder, more):
    succeed(folder, "fit", "customers.csv", *FIT, *CHOSEN[:1], "spent" if more[:1] == ("--weights",) else CHOSEN[1], *more)
    given = rows_of(folder / "customers.csv")
    written = rows_of(folder / "out/labels.csv")
    assert written[0] == given[0] + ["label"]
    assert [row[:-1] for row in written] == given
    assert {row[-1] for row in written[1:4]} != {row[-1] for row in written[4:]}


def test_the_bytes_of_cells_without_quotes_stay(folder):
    succeed(folder, "fit", "customers.csv", *FIT, *CHOSEN)
    lines = (folder / "out/labels.csv").read_text(encoding="utf-8").splitlines()
    assert [line.rsplit(",", 1)[0] for line in lines] == TEXT.splitlines()


def test_probabilities_come_last(tmp_path):
    mixture(tmp_path, rows=80, dimensions=2, k=2)
    succeed(tmp_path, "fit", "x.csv", "--columns", "x2", "--labels-format", "table", "--out", "out", "--quiet")
    written = rows_of(tmp_path / "out/labels.csv")
    assert written[0] == ["x1", "x2", "label", "probability"]
    assert [row[:2] for row in written] == rows_of(tmp_path / "x.csv")


def test_a_column_called_label_is_kept(folder):
    (folder / "known.csv").write_text("label,x\n0,1\n0,2\n1,50\n1,51\n")
    succeed(folder, "fit", "known.csv", *FIT, "--columns", "x")
    assert rows_of(folder / "out/labels.csv")[0] == ["label", "x", "label_"]
    assert [row[0] for row in rows_of(folder / "out/labels.csv")[1:]] == ["0", "0", "1", "1"]


def test_compressed_files_are_read_again(folder):
    subprocess.run(["gzip", "-k", "customers.csv"], cwd=folder, check=True)
    succeed(folder, "fit", "customers.csv.gz", *FIT, *CHOSEN)
    assert [row[:-1] for row in rows_of(folder / "out/labels.csv")] == rows_of(folder / "customers.csv")


def test_other_separators_become_commas(folder):
    (folder / "de.csv").write_text("name;x;note\nA;1;a,b\nB;2;c\nC;50;d\nD;51;e\n")
    succeed(folder, "fit", "de.csv", *FIT, "--columns", "x")
    assert [row[:-1] for row in rows_of(folder / "out/labels.csv")] == [
        ["name", "x", "note"], ["A", "1", "a,b"], ["B", "2", "c"], ["C", "50", "d"], ["D", "51", "e"]]


def test_only_the_rows_that_were_read(folder):
    succeed(folder, "fit", "customers.csv", *FIT, *CHOSEN, "--max-rows", 4)
    assert [row[:-1] for row in rows_of(folder / "out/labels.csv")] == rows_of(folder / "customers.csv")[:5]


def test_arrays_and_databases_come_with_all_columns(folder):
    np.save(folder / "x.npy", np.array([[1.0, 7.5], [2.0, 7.0], [50.0, 7.25], [51.0, 7.0]]))
    succeed(folder, "fit", "x.npy", *FIT, "--columns", "1")
    assert [row[:2] for row in rows_of(folder / "out/labels.csv")] == [
        ["x1", "x2"], ["1", "7.5"], ["2", "7"], ["50", "7.25"], ["51", "7"]]
    with sqlite3.connect(folder / "x.db") as database:
        database.execute("CREATE TABLE t (x REAL, name TEXT)")
        database.executemany("INSERT INTO t VALUES (?, ?)", [(1, "a"), (2, "b"), (50, "c"), (51, "d")])
    database.close()
    succeed(folder, "fit", "x.db", *FIT, "--columns", "x", "--id", "name")
    assert [row[:2] for row in rows_of(folder / "out/labels.csv")] == [
        ["x", "name"], ["1", "a"], ["2", "b"], ["50", "c"], ["51", "d"]]


@pytest.mark.parametrize("name", ["-", "/dev/stdin", "pipe"])
def test_what_cannot_be_read_again_gives_what_was_read(folder, name):
    command = [BINARY, "fit", name, *map(str, FIT), *CHOSEN, "--id", "customer"]
    if name == "pipe":
        os.mkfifo(folder / "pipe")
        with subprocess.Popen(command, cwd=folder) as process:
            (folder / "pipe").write_text(TEXT, encoding="utf-8")
        assert process.returncode == OK
    else:
        subprocess.run(command, cwd=folder, input=TEXT, text=True, encoding="utf-8", timeout=60, check=True)
    written = rows_of(folder / "out/labels.csv")
    assert written[0] == ["customer", "spent", "visits", "label"]
    assert [row[0] for row in written[1:]] == [f"C-{number}" for number in range(1, 7)]


def test_a_file_that_changes_during_the_fit_costs_no_result(folder):
    """A stand-in for a long fit: the table is read, then its weights are waited for, and meanwhile it shrinks."""
    os.mkfifo(folder / "late.csv")
    command = [BINARY, "fit", "customers.csv", *map(str, FIT), *CHOSEN, "--truth", "late.csv"]
    with subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True) as process:
        with open(folder / "late.csv", "w", encoding="utf-8") as late:  # the program has read its table
            shorter = "".join(TEXT.splitlines(keepends=True)[:4])
            (folder / "new.csv").write_text(shorter, encoding="utf-8")
            os.rename(folder / "new.csv", folder / "customers.csv")
            late.write("0\n0\n0\n1\n1\n1\n")
        process.communicate(timeout=60)
    assert process.returncode == OK
    assert rows_of(folder / "out/labels.csv")[0] == ["spent", "visits", "label"]
    assert len(rows_of(folder / "out/labels.csv")) == 7
    assert any("customers.csv" in warning for warning in summary(folder / "out")["warnings"])


def test_the_labels_in_a_table_are_those_of_the_other_formats(folder):
    succeed(folder, "fit", "customers.csv", *FIT, *CHOSEN)
    by_table = [row[-1] for row in rows_of(folder / "out/labels.csv")[1:]]
    succeed(folder, "fit", "customers.csv", *["npy" if word == "table" else word for word in FIT], *CHOSEN)
    assert [int(label) for label in by_table] == list(np.load(folder / "out/labels.npy"))


def test_sparse_rows_are_refused_as_before(folder):
    (folder / "sparse.svm").write_text("0 1:1\n0 2:1\n")
    done = run(folder, "fit", "sparse.svm", "--labels-format", "table", "--out", "sparse")
    assert done.returncode == 2 and "sparse" in done.stderr
