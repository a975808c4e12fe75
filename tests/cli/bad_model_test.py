# SPDX-License-Identifier: BSD-3-Clause
"""Model files that are damaged, foreign or do not fit the table."""

import zipfile

import pytest

from at_length import cases
from program import DATA, OK, left_behind, mixture, run, succeed


@pytest.fixture(name="folder")
def fixture_folder(tmp_path):
    mixture(tmp_path, rows=60, dimensions=2, k=2)
    succeed(tmp_path, "fit", "x.csv", "--out", "out", "--quiet")
    return tmp_path


def check_refusal(folder, *named, model="bad.coppice", table="x.csv"):
    before = left_behind(folder)
    done = run(folder, "predict", model, table, "--out", "new.csv")
    assert done.returncode == DATA, (done.returncode, done.stderr)
    assert done.stdout == "" and len(done.stderr.splitlines()) == 1
    for name in named:
        assert name in done.stderr, done.stderr
    assert left_behind(folder) == before


def test_truncated_models_are_refused(folder):
    whole = (folder / "out/model.coppice").read_bytes()
    points = sorted({*range(8), *range(8, len(whole), len(whole) // cases(20, 60)), *range(len(whole) - cases(8, 24), len(whole))})
    for size in points:
        (folder / "bad.coppice").write_bytes(whole[:size])
        check_refusal(folder, "bad.coppice")


def test_flipped_bytes_are_refused_or_harmless(folder):
    """An archive has checksums over its contents, not over its dates and the like; those may change unnoticed."""
    whole = (folder / "out/model.coppice").read_bytes()
    right = succeed(folder, "predict", "out/model.coppice", "x.csv").stdout
    n_refused = 0
    places = range(0, len(whole), max(1, len(whole) // cases(50, 150)))
    for place in places:
        damaged = bytearray(whole)
        damaged[place] ^= 0x55
        (folder / "bad.coppice").write_bytes(bytes(damaged))
        done = run(folder, "predict", "bad.coppice", "x.csv")
        assert done.returncode in (OK, DATA), (place, done.returncode, done.stderr)
        if done.returncode == OK:
            assert done.stdout == right, place
        else:
            n_refused += 1
            assert "bad.coppice" in done.stderr and done.stdout == "", place
    assert n_refused > len(places) / 2


def test_foreign_files_are_refused(folder):
    with zipfile.ZipFile(folder / "bad.coppice", "w") as archive:
        archive.writestr("hello.txt", "hello")
    check_refusal(folder, "bad.coppice")
    check_refusal(folder, "x.csv", model="x.csv")
    (folder / "bad.coppice").write_bytes(b"")
    check_refusal(folder, "bad.coppice")


def test_edited_descriptions_are_refused(folder):
    with zipfile.ZipFile(folder / "out/model.coppice") as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    for text in (b"", b"[]", b"{}", b"not json", contents["model.json"][:-5]):
        with zipfile.ZipFile(folder / "bad.coppice", "w") as archive:
            for name, content in {**contents, "model.json": text}.items():
                archive.writestr(name, content)
        check_refusal(folder, "bad.coppice")
    for missing in sorted(set(contents) - {"means.npy"}):  # that one is for readers other than the program
        with zipfile.ZipFile(folder / "bad.coppice", "w") as archive:
            for name, content in contents.items():
                if name != missing:
                    archive.writestr(name, content)
        check_refusal(folder, "bad.coppice")


def test_tables_of_other_columns_are_refused(folder):
    (folder / "three.csv").write_text("a,b,c\n1,2,3\n4,5,6\n")
    check_refusal(folder, "x1", "2 columns", model="out/model.coppice", table="three.csv")
    (folder / "one.csv").write_text("a\n1\n4\n")
    check_refusal(folder, "x1", "2 columns", model="out/model.coppice", table="one.csv")
    for command in ("density", "predict"):
        done = run(folder, command, "out/model.coppice", "three.csv")
        assert done.returncode == DATA and done.stdout == ""
        assert "three.csv" in done.stderr
