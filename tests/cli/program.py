# SPDX-License-Identifier: BSD-3-Clause
"""Runs the real program (COPPICE_BINARY) and reads what it leaves behind; shared by the tests of this folder."""

import json
import os
import subprocess

import numpy as np

BINARY = os.environ["COPPICE_BINARY"]  # no program, no tests: a run that skipped them would look like a success

OK, OTHER, USAGE, DATA, IO, MEMORY, INTERRUPTED = 0, 1, 2, 3, 4, 5, 130


def run(folder, *arguments, text=True, **more):
    command = [BINARY, *map(str, arguments)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=text, timeout=120, check=False, **more)


def succeed(folder, *arguments, **more):
    done = run(folder, *arguments, **more)
    assert done.returncode == OK, (arguments, done.returncode, done.stderr)
    return done


def fit(folder, *arguments):
    """The summary of a fit into folder/out."""
    succeed(folder, "fit", *arguments, "--out", "out", "--force", "--quiet")
    return summary(folder / "out")


def summary(folder):
    return json.loads((folder / "summary.json").read_text())


def csv_columns(text):
    """Header and rows of plain CSV."""
    lines = text.splitlines()
    return lines[0].split(","), [line.split(",") for line in lines[1:]]


def labels_of(path):
    header, rows = csv_columns(path.read_text())
    column = header.index("label")
    return np.array([int(row[column]) for row in rows])


def score(folder, truth, labels="out/labels.csv"):
    return json.loads(succeed(folder, "evaluate", labels, truth, "--json").stdout)


def mixture(folder, rows=600, dimensions=3, k=4, seed=1, name="x.csv"):
    """Clusters far apart, so that any sound fit finds them."""
    size = ("--rows", rows, "--dimensions", dimensions, "--k", k)
    succeed(folder, "generate", "mixture", *size, "--tau", 8, "--seed", seed, "--out", name, "--labels", "truth.csv",
            "--force")
    return folder / name


def with_result(folder, *options, **table):
    """The folder, with a table in it, its known groups and the result of a fit, res."""
    mixture(folder, dimensions=2, **table)
    succeed(folder, "fit", "x.csv", *options, "--out", "res", "--quiet")
    return folder


def left_behind(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))
