# SPDX-License-Identifier: BSD-3-Clause
"""Where a command writes and in which format: endings, standard output and its names, result folders as models."""

import io
import json
import os
import subprocess

import numpy as np
import pytest

from program import BINARY, DATA, IO, OK, USAGE, csv_columns, left_behind, run, succeed, with_result


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return with_result(tmp_path_factory.mktemp("output"), rows=60, k=2)


WRITERS = {  # per command: what comes before the name of the file
    "predict": ("predict", "res", "x.csv", "--out"),
    "density": ("density", "res", "x.csv", "--out"),
    "convert": ("convert", "x.csv"),
    "generate": ("generate", "birch", "--side", 2, "--rows-per-cluster", 5, "--out"),
    "labels": ("generate", "birch", "--side", 2, "--rows-per-cluster", 5, "--out", "/dev/null", "--labels"),
}


# Endings.


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("name", ["a.NPY", "b.Npy"])
def test_an_ending_in_capitals_is_the_same_format(folder, writer, name):
    succeed(folder, *WRITERS[writer], name, "--force")
    assert len(np.load(folder / name)) in (60, 20)


@pytest.mark.parametrize("writer", WRITERS)
def test_a_tsv_file_has_tabs(folder, writer):
    succeed(folder, *WRITERS[writer], "a.TSV", "--force")
    first = (folder / "a.TSV").read_text().splitlines()[0]
    assert "\t" in first and "," not in first


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("name", ["a.nyp", "a.xlsx", "a.json", "a", "a.csv.gz", ".npy"])
def test_an_unknown_ending_is_refused_with_those_there_are(folder, writer, name):
    before = left_behind(folder)
    done = run(folder, *WRITERS[writer], name)
    assert done.returncode == USAGE
    assert ".csv, .tsv, .npy" in done.stderr and name in done.stderr
    assert left_behind(folder) == before


def test_sparse_counts_are_made_for_an_ending_in_capitals(folder):
    succeed(folder, "generate", "counts", "--rows", 20, "--out", "words.SVM", "--force")
    assert (folder / "words.SVM").read_text().startswith("0 ")


# Standard output.


@pytest.mark.parametrize("writer", ["predict", "density", "convert", "generate"])
@pytest.mark.parametrize("name", ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/dev//stdout"])
def test_standard_output_holds_the_table_alone(folder, writer, name):
    """As a pipe and as a file, which is written on and never replaced."""
    succeed(folder, *WRITERS[writer], "expected.csv", "--force")
    expected = (folder / "expected.csv").read_text()
    assert succeed(folder, *WRITERS[writer], name).stdout == expected
    with open(folder / "redirected", "w+", encoding="utf-8") as file:
        file.write("before\n")
        file.flush()
        command = [BINARY, *map(str, WRITERS[writer]), name]
        assert subprocess.run(command, cwd=folder, stdout=file, timeout=60, check=False).returncode == OK
        assert os.fstat(file.fileno()).st_nlink == 1, "the file itself was written, not another in its place"
        file.seek(0)
        assert file.read() == "before\n" + expected


def test_labels_go_to_standard_output(folder):
    header, rows = csv_columns(succeed(folder, *WRITERS["labels"], "/dev/stdout").stdout)
    assert header == ["row", "label"] and len(rows) == 20


def test_another_open_file_is_written_in_place(folder):
    with open(folder / "log", "wb") as file:
        file.write(b"before\n")
        file.flush()
        succeed(folder, *WRITERS["predict"], f"/dev/fd/{file.fileno()}", pass_fds=[file.fileno()])
        assert os.fstat(file.fileno()).st_nlink == 1
    assert (folder / "log").read_bytes().startswith(b"before\nrow,label\n")


def test_devices_and_pipes_take_csv(folder):
    succeed(folder, *WRITERS["predict"], "/dev/null")
    succeed(folder, *WRITERS["convert"], "/dev/null")
    os.mkfifo(folder / "pipe")
    with subprocess.Popen([BINARY, *WRITERS["predict"], "pipe"], cwd=folder) as process:
        assert (folder / "pipe").read_text().startswith("row,label\n")
    assert process.returncode == OK


def test_table_and_labels_do_not_share_a_place(folder):
    make = ("generate", "birch", "--side", 2, "--rows-per-cluster", 5)
    for out, labels in (("-", "/dev/stdout"), ("same.csv", "same.csv"), ("same.csv", "./same.csv"),
                        ("same.csv", folder / "same.csv")):
        done = run(folder, *make, "--out", out, "--labels", labels)
        assert done.returncode == USAGE and "--labels" in done.stderr
        assert done.stdout == ""
    assert not (folder / "same.csv").exists()


# Result folders as models.


@pytest.mark.parametrize("model", ["res", "res/", "./res", "link"])
def test_a_result_folder_stands_for_its_model(folder, model):
    if not (folder / "link").exists():
        (folder / "link").symlink_to("res")
    for command in (("predict", "MODEL", "x.csv"), ("density", "MODEL", "x.csv"), ("info", "MODEL"),
                    ("score", "x.csv", "--labels", "truth.csv", "--model", "MODEL")):
        by_folder = succeed(folder, *[model if word == "MODEL" else word for word in command]).stdout
        by_file = succeed(folder, *["res/model.coppice" if word == "MODEL" else word for word in command]).stdout
        assert by_folder.replace(model, "res/model.coppice") == by_file or by_folder == by_file


def test_a_fit_starts_from_a_result_folder(folder):
    made = ("fit", "x.csv", "--method", "abc", "--out", "tree", "--force", "--quiet", "--start-from")
    succeed(folder, *made, "res")
    by_folder = (folder / "tree/labels.csv").read_text()
    succeed(folder, *made, "res/model.coppice")
    assert (folder / "tree/labels.csv").read_text() == by_folder


@pytest.mark.parametrize("command", [("predict", "empty", "x.csv"), ("density", "empty", "x.csv"), ("info", "empty"),
                                     ("score", "x.csv", "--labels", "truth.csv", "--model", "empty")])
def test_a_folder_without_a_model_is_named(folder, command):
    (folder / "empty").mkdir(exist_ok=True)
    done = run(folder, *command)
    assert done.returncode == IO
    assert "empty" in done.stderr and "model.coppice" in done.stderr


def test_a_damaged_model_in_a_folder_is_named(folder):
    (folder / "bad").mkdir(exist_ok=True)
    (folder / "bad/model.coppice").write_text("nonsense")
    done = run(folder, "predict", "bad", "x.csv")
    assert done.returncode == DATA and "bad/model.coppice" in done.stderr


# A model as JSON.


def test_the_description_of_a_model_is_json(folder):
    for name in ("res", "res/model.coppice"):
        told = json.loads(succeed(folder, "info", name, "--json").stdout)
        assert told["method"] == "bkm" and told["k"] == 2 and told["weight"] == 60
        assert told["columns"] == [{"name": "x1", "kind": "real"}, {"name": "x2", "kind": "real"}]
        assert told["mean_columns"] == ["x1", "x2"]
        assert told["transform"] is None
        assert told["objective"]["name"] == "-log p(data, labels)"
        assert told["partition"]["name"] in ("dirichlet", "dp")
        assert [cluster["label"] for cluster in told["clusters"]] == [0, 1]
        assert sum(cluster["weight"] for cluster in told["clusters"]) == pytest.approx(60)
    summary = json.loads((folder / "res/summary.json").read_text())
    assert [cluster["mean"] for cluster in told["clusters"]] == [cluster["mean"] for cluster in summary["clusters"]]
    assert told["objective"]["value"] == summary["objective"]["value"]


def test_the_description_names_transformed_columns(folder):
    succeed(folder, "fit", "x.csv", "--transform", "project:1", "--out", "projected", "--quiet", "--force")
    told = json.loads(succeed(folder, "info", "projected", "--json").stdout)
    assert [column["name"] for column in told["columns"]] == ["x1", "x2"]
    assert told["transform"] == "project:1"
    assert len(told["mean_columns"]) == len(told["clusters"][0]["mean"]) == 1


def test_the_description_of_a_model_without_a_prior_is_json(folder):
    succeed(folder, "fit", "x.csv", "--method", "kmeans", "--k", 2, "--out", "km", "--quiet", "--force")
    told = json.loads(succeed(folder, "info", "km", "--json").stdout)
    assert told["objective"]["name"] == "sum of squared distances" and told["objective"]["bits_per_row"] is None
    assert told["partition"] is None


def test_names_that_are_no_utf8_make_json_all_the_same(folder):
    name = os.fsdecode(b"caf\xe9.coppice")
    (folder / name).write_bytes((folder / "res/model.coppice").read_bytes())
    assert json.loads(succeed(folder, "info", name, "--json", text=False).stdout)["k"] == 2


def test_predictions_in_a_csv_file_are_those_in_an_npy_file(folder):
    succeed(folder, *WRITERS["predict"], "p.NPY", "--force")
    text = succeed(folder, *WRITERS["predict"], "/dev/stdout").stdout
    assert np.array_equal(np.load(folder / "p.NPY"), np.loadtxt(io.StringIO(text), delimiter=",", skiprows=1)[:, 1])
