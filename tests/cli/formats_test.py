# SPDX-License-Identifier: BSD-3-Clause
"""The same numbers in every format: read alike, converted without loss, described by info."""

import gzip
import json
import lzma
import sqlite3
import struct

import numpy as np
import pytest
import scipy.sparse

from program import DATA, IO, OK, USAGE, run, succeed

h5py = pytest.importorskip("h5py")

VALUES = np.random.default_rng(4).normal(size=(60, 3)).round(6)
VALUES[:20] += 8.0
VALUES[VALUES < -1.5] = 0.0


def write_csv(path):
    lines = [",".join(map(repr, row)) for row in VALUES.tolist()]
    path.write_text("x1,x2,x3\n" + "\n".join(lines) + "\n")


def write_svm(path):
    lines = [" ".join(["0"] + [f"{c + 1}:{v!r}" for c, v in enumerate(row) if v != 0.0]) for row in VALUES.tolist()]
    path.write_text("\n".join(lines) + "\n")


def write_compressed(path, compress):
    plain = path.with_suffix(".plain")
    write_csv(plain)
    path.write_bytes(compress(plain.read_bytes()))
    plain.unlink()


def write_idx(path):
    path.write_bytes(struct.pack(">HBBII", 0, 0x0E, 2, *VALUES.shape) + VALUES.astype(">f8").tobytes())


def write_hdf5(path):
    with h5py.File(path, "w") as file:
        file["group/table"] = VALUES


def write_sqlite(path):
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE t (x1 REAL, x2 REAL, x3 REAL)")
        database.executemany("INSERT INTO t VALUES (?, ?, ?)", VALUES.tolist())


WRITERS = {
    "table.csv": write_csv,
    "table.csv.gz": lambda path: write_compressed(path, gzip.compress),
    "table.csv.xz": lambda path: write_compressed(path, lzma.compress),
    "table.npy": lambda path: np.save(path, VALUES),
    "fortran.npy": lambda path: np.save(path, np.asfortranarray(VALUES)),
    "table.npz": lambda path: np.savez_compressed(path, table=VALUES),
    "table.idx": write_idx,
    "table.h5": write_hdf5,
    "table.db": write_sqlite,
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_gives_the_same_fit(tmp_path, name):
    np.save(tmp_path / "reference.npy", VALUES)
    WRITERS[name](tmp_path / name)
    expected = json.loads(succeed(tmp_path, "fit", "reference.npy", "--out", "a", "--json").stdout)
    found = json.loads(succeed(tmp_path, "fit", name, "--out", "b", "--json").stdout)
    assert found["objective"] == expected["objective"]
    assert found["k"] == expected["k"] >= 2
    assert (tmp_path / "a" / "labels.csv").read_bytes() == (tmp_path / "b" / "labels.csv").read_bytes()


@pytest.mark.parametrize("name", [*WRITERS, "table.svm", "sparse.npz"])
def test_every_format_is_described(tmp_path, name):
    writers = WRITERS | {
        "table.svm": write_svm,
        "sparse.npz": lambda path: scipy.sparse.save_npz(path, scipy.sparse.csr_matrix(VALUES)),
    }
    writers[name](tmp_path / name)
    found = json.loads(succeed(tmp_path, "info", name, "--json").stdout)
    assert found["rows"] == len(VALUES)
    assert [column["least"] for column in found["columns"]] == VALUES.min(axis=0).tolist()
    assert [column["most"] for column in found["columns"]] == VALUES.max(axis=0).tolist()
    np.testing.assert_allclose([column["mean"] for column in found["columns"]], VALUES.mean(axis=0), rtol=1e-12)
    assert found["sparse"] == (name in ("table.svm", "sparse.npz"))
    assert found["duplicate_rows"] == 0


def test_standard_input_may_be_compressed(tmp_path):
    write_csv(tmp_path / "table.csv")
    expected = succeed(tmp_path, "info", "table.csv", "--json").stdout
    packed = gzip.compress((tmp_path / "table.csv").read_bytes())
    (tmp_path / "packed").write_bytes(packed)
    with open(tmp_path / "packed", "rb") as stream:
        found = run(tmp_path, "info", "-", "--json", stdin=stream)
    assert found.returncode == OK, found.stderr
    assert json.loads(found.stdout)["columns"] == json.loads(expected)["columns"]


def test_round_trip_through_all_writers(tmp_path):
    write_csv(tmp_path / "a.csv")
    for source, target in [("a.csv", "b.npy"), ("b.npy", "c.svm"), ("c.svm", "d.csv"), ("d.csv", "e.tsv"), ("e.tsv", "f.npy")]:
        succeed(tmp_path, "convert", source, target)
    np.testing.assert_array_equal(np.load(tmp_path / "b.npy"), VALUES)
    np.testing.assert_array_equal(np.load(tmp_path / "f.npy"), VALUES)


def test_convert_keeps_gaps_words_names_and_weights(tmp_path):
    text = 'name,x,"a, b",w,kind\nr1,1,,2,red\nr2,NA,0.5,1,"blue ""dark"""\n'
    (tmp_path / "a.csv").write_text(text)
    succeed(tmp_path, "convert", "a.csv", "b.csv")
    found = json.loads(succeed(tmp_path, "info", "b.csv", "--json").stdout)
    assert {column["name"]: column.get("missing") for column in found["columns"]} == {
        "name": 0, "x": 1, "a, b": 1, "w": 0, "kind": 0}
    assert '"blue ""dark"""' in (tmp_path / "b.csv").read_text()


def test_convert_does_not_replace_a_file_unasked(tmp_path):
    write_csv(tmp_path / "a.csv")
    (tmp_path / "b.npy").write_text("precious")
    refused = run(tmp_path, "convert", "a.csv", "b.npy")
    assert refused.returncode == IO and "--force" in refused.stderr
    assert (tmp_path / "b.npy").read_text() == "precious"
    succeed(tmp_path, "convert", "a.csv", "b.npy", "--force")
    np.testing.assert_array_equal(np.load(tmp_path / "b.npy"), VALUES)


def test_convert_names_the_formats_it_writes(tmp_path):
    write_csv(tmp_path / "a.csv")
    refused = run(tmp_path, "convert", "a.csv", "b.xlsx")
    assert refused.returncode == USAGE and ".npy" in refused.stderr


def test_types_override_the_guess(tmp_path):
    (tmp_path / "a.csv").write_text("zip,x\n8000,1\n8001,2\n8000,2.5\n")
    found = json.loads(succeed(tmp_path, "info", "a.csv", "--types", "zip=category,x=real", "--json").stdout)
    assert {column["name"]: column["kind"] for column in found["columns"]} == {"zip": "category", "x": "real"}
    refused = run(tmp_path, "info", "a.csv", "--types", "x=count")
    assert refused.returncode == DATA and "a.csv:4:2" in refused.stderr
    for wrong in ("x", "x=colour", "=real"):
        assert run(tmp_path, "info", "a.csv", "--types", wrong).returncode == USAGE


def test_max_rows_reads_no_further(tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n1,2\n3,4\nbroken\n")
    assert json.loads(succeed(tmp_path, "info", "a.csv", "--max-rows", "2", "--json").stdout)["rows"] == 2
    assert run(tmp_path, "info", "a.csv", "--max-rows", "3").returncode == DATA


def test_info_counts_copies_and_what_is_missing(tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n1,2\n1,2\nNA,2\n1,2\n")
    text = succeed(tmp_path, "info", "a.csv").stdout
    assert "2 of the rows are equal to an earlier one" in text
    assert "missing" in text
    refused = run(tmp_path, "fit", "a.csv", "--out", "out")
    assert refused.returncode == DATA and "a.csv:4:1" in refused.stderr
    assert not (tmp_path / "out").exists()


def test_info_shows_many_columns_only_when_asked(tmp_path):
    np.save(tmp_path / "wide.npy", np.arange(200.0).reshape(2, 100))
    assert "70 more columns" in succeed(tmp_path, "info", "wide.npy").stdout
    assert "x100" in succeed(tmp_path, "info", "wide.npy", "--all").stdout


def test_sparse_rows_are_refused_with_a_way_out(tmp_path):
    write_svm(tmp_path / "a.svm")
    refused = run(tmp_path, "fit", "a.svm", "--out", "out")
    assert refused.returncode == USAGE and "--transform" in refused.stderr
    succeed(tmp_path, "fit", "a.svm", "--transform", "pca:2", "--out", "out")


def test_labels_in_front_of_sparse_rows_are_a_truth(tmp_path):
    rows = [f"{1 if i < 20 else 0} 1:{row[0]!r} 2:{row[1]!r} 3:{row[2]!r}" for i, row in enumerate(VALUES.tolist())]
    (tmp_path / "a.svm").write_text("\n".join(rows) + "\n")
    np.save(tmp_path / "a.npy", VALUES)
    summary = json.loads(succeed(tmp_path, "fit", "a.npy", "--k", "2", "--truth", "a.svm", "--out", "o", "--json").stdout)
    assert summary["scores"]["ari"] > 0.9
