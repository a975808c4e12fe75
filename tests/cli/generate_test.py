# SPDX-License-Identifier: BSD-3-Clause
"""Made-up counts and bits, in every form that tables are written in."""

import numpy as np
import pytest

from program import run, succeed

SIZE = ("--rows", 60, "--dimensions", 12, "--k", 3, "--seed", 2)


def counts(folder, name, *more):
    succeed(folder, "generate", "counts", *SIZE, "--total", 40, "--out", name, "--labels", "truth.npy", "--force", *more)
    return folder / name


def dense(path):
    """A LIBSVM file as an array."""
    table = np.zeros((60, 12))
    for row, line in enumerate(path.read_text().splitlines()):
        for pair in line.split()[1:]:
            column, value = pair.split(":")
            table[row, int(column) - 1] = float(value)
    return table


def test_counts_are_the_same_in_every_format(tmp_path):
    array = np.load(counts(tmp_path, "table.npy"))
    assert array.shape == (60, 12)
    assert (array.sum(axis=1) == 40).all()
    csv = np.loadtxt(counts(tmp_path, "table.csv"), delimiter=",", skiprows=1)
    assert (csv == array).all()
    assert (dense(counts(tmp_path, "table.svm")) == array).all()
    assert sorted(np.bincount(np.load(tmp_path / "truth.npy"))) == [20, 20, 20]


def test_wide_counts_need_no_dense_table(tmp_path):
    """As a dense table this would be 80 GB."""
    size = ("--rows", 20000, "--dimensions", 1000000, "--k", 2, "--total", 10)
    succeed(tmp_path, "generate", "counts", *size, "--out", "wide.svm")
    lines = (tmp_path / "wide.svm").read_text().splitlines()
    assert len(lines) == 20000
    assert lines[0].split()[-1].startswith("1000000:")
    assert all(sum(float(pair.split(":")[1]) for pair in line.split()[1:]) == 10 for line in lines)


def test_bits_are_bits(tmp_path):
    succeed(tmp_path, "generate", "binary", *SIZE, "--concentration", 0.5, "--out", "bits.npy")
    array = np.load(tmp_path / "bits.npy")
    assert array.shape == (60, 12)
    assert set(np.unique(array)) == {0, 1}


@pytest.mark.parametrize("kind", ["counts", "binary"])
def test_a_concentration_must_be_positive(tmp_path, kind):
    result = run(tmp_path, "generate", kind, "--concentration", 0, "--out", "new.csv")
    assert result.returncode == 2 and "--concentration is 0" in result.stderr
