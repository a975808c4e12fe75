# SPDX-License-Identifier: BSD-3-Clause
"""Tables and arguments that cannot be used: the right exit code, one message that names the place, nothing left behind."""

import json
import math
import os
import stat
import subprocess

import numpy as np
import pytest

from program import BINARY, DATA, IO, OK, USAGE, left_behind, mixture, run, succeed


@pytest.fixture(name="folder")
def fixture_folder(tmp_path):
    mixture(tmp_path, rows=40, dimensions=2, k=2)
    return tmp_path


def check_refusal(folder, code, arguments, *named):
    before = left_behind(folder)
    done = run(folder, *arguments)
    assert done.returncode == code, (arguments, done.returncode, done.stderr)
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert lines and lines[0].startswith("coppice: ") and len(lines[0]) > len("coppice: ") + 10
    assert len(lines) == 1 or (len(lines) == 2 and lines[1].startswith("Try '")), done.stderr
    for name in named:
        assert str(name) in lines[0], (name, lines[0])
    assert left_behind(folder) == before


BAD_TABLES = {
    "empty": ("", "bad.csv"),
    "blank": ("\n\n# nothing\n", "bad.csv"),
    "header only": ("a,b\n", "bad.csv"),
    "NaN": ("a,b\n1,2\n3,nan\n", "bad.csv:3:2"),
    "NA": ("a,b\n1,2\nNA,4\n", "bad.csv:3:1"),
    "infinite": ("a,b\n1,inf\n2,4\n", "bad.csv:2:2"),
    "text": ("a,b\n1,2\n3,x\n", "bad.csv:3:2"),
    "ragged": ("a,b\n1,2\n3\n", "bad.csv:3"),
    "open quote": ('a,b\n1,2\n"3,4\n', "bad.csv:3:1"),
    "same name twice": ("a,a\n1,2\n", "bad.csv:1:2"),
    "broken NPY": ("\x93NUMPY", "bad.csv"),
}


@pytest.mark.parametrize("kind, command", [
    (kind, command) for kind in BAD_TABLES for command in ("fit", "info") if (kind, command) != ("NA", "info")])
def test_bad_tables(folder, kind, command):  # info counts what is missing
    text, place = BAD_TABLES[kind]
    (folder / "bad.csv").write_bytes(text.encode("latin-1"))
    check_refusal(folder, DATA, [command, "bad.csv"], place)


def test_npy_with_nan_names_the_value(folder):
    array = np.zeros((5, 2))
    array[3, 1] = np.nan
    np.save(folder / "bad.npy", array)
    check_refusal(folder, DATA, ["fit", "bad.npy"], "bad.npy")


def fits(folder, text, *options):
    (folder / "odd.csv").write_text(text)
    summary = json.loads(succeed(folder, "fit", "odd.csv", "--out", "out", "--json", *options).stdout)
    assert math.isfinite(summary["objective"]["value"])
    return summary


def test_one_row_is_one_cluster(folder):
    assert fits(folder, "a,b\n1,2\n")["k"] == 1


def test_equal_rows_are_one_cluster_with_a_note(folder):
    summary = fits(folder, "a,b\n" + "5,7\n" * 50)
    assert summary["k"] == 1
    assert any("2 columns are constant" in note and "'a', 'b'" in note for note in summary["warnings"])


def test_a_constant_column_is_noted_and_does_no_harm(folder):
    text = (folder / "x.csv").read_text().splitlines()
    summary = fits(folder, "\n".join([text[0] + ",c"] + [line + ",3" for line in text[1:]]))
    assert summary["k"] == 2
    assert [note for note in summary["warnings"] if "'c'" in note]


def test_more_columns_than_rows(folder):
    rows = np.random.default_rng(1).normal(size=(4, 9))
    summary = fits(folder, "\n".join(",".join(map(str, row)) for row in rows))
    assert 1 <= summary["k"] <= 4


@pytest.mark.parametrize("scale", [1e-300, 1e-150, 1e-12, 1e12, 1e150, 1e300])
def test_scales_are_found_or_refused_by_name(folder, scale):
    """Units of measurement must not matter; where numbers cannot be squared, the message names the table."""
    lines = (folder / "x.csv").read_text().splitlines()
    rows = [line.split(",") for line in lines[1:]]
    text = "a,b\n" + "".join(f"{float(row[0]) * scale!r},{row[1]}\n" for row in rows)
    (folder / "scaled.csv").write_text(text)
    done = run(folder, "fit", "scaled.csv", "--out", "out", "--json")
    if done.returncode == OK:
        summary = json.loads(done.stdout)
        assert math.isfinite(summary["objective"]["value"])
        assert summary["k"] == 2 or not 1e-12 <= scale <= 1e12
    else:
        assert not 1e-12 <= scale <= 1e12
        assert done.returncode == DATA, done.stderr
        assert "'a'" in done.stderr


@pytest.mark.parametrize(
    ("code", "arguments", "named"),
    [
        (IO, ["fit", "missing.csv"], "missing.csv"),
        (IO, ["predict", "missing.coppice", "x.csv"], "missing.coppice"),
        (IO, ["evaluate", "missing.csv", "truth.csv"], "missing.csv"),
        (IO, ["info", "missing.csv"], "missing.csv"),
        (IO, ["fit", "x.csv", "--truth", "missing.csv"], "missing.csv"),
        (IO, ["fit", "x.csv", "--m0", "missing.csv"], "missing.csv"),
        (IO, ["fit", "."], "."),
        (IO, ["fit", "x.csv", "--out", "no/where"], "no/where"),
        (IO, ["fit", "x.csv", "--out", "x.csv/under"], "x.csv/under"),
        (IO, ["fit", "x.csv", "--out", "x.csv", "--force"], "x.csv"),
        (IO, ["generate", "mixture", "--out", "no/where.csv"], "no/where.csv"),
        (USAGE, ["generate"], "command"),
        (USAGE, ["frobnicate"], "frobnicate"),
        (USAGE, ["generate", "frobnicate"], "frobnicate"),
        (USAGE, ["fit"], "INPUT"),
        (USAGE, ["fit", "x.csv", "--bogus"], "--bogus"),
        (USAGE, ["fit", "x.csv", "--method", "bogus"], "'bogus'"),
        (USAGE, ["methods", "bogus"], "'bogus'"),
        (USAGE, ["fit", "x.csv", "--search", "bogus"], "'bogus'"),
        (USAGE, ["fit", "x.csv", "--labels-format", "bogus"], "bogus"),
        (USAGE, ["fit", "x.csv", "--columns", "bogus"], "'bogus'"),
        (USAGE, ["fit", "x.csv", "--id", "bogus"], "'bogus'"),
        (USAGE, ["fit", "x.csv", "--weights", "bogus"], "'bogus'"),
        (USAGE, ["fit", "x.csv", "--k", "41"], "--k is 41, but the data has 40 rows"),
        (USAGE, ["fit", "x.csv", "--k", "0"], "--k"),
        (USAGE, ["fit", "x.csv", "--k", "two"], "--k"),
        (USAGE, ["fit", "x.csv", "--k", "3", "--max-k", "2"], "--max-k"),
        (USAGE, ["fit", "x.csv", "--seed", "-1"], "--seed"),
        (USAGE, ["fit", "x.csv", "--phi0", "nan"], "--phi0"),
        (USAGE, ["fit", "x.csv", "--time-limit", "0"], "--time-limit"),
        (USAGE, ["fit", "x.csv", "--threads", "-1"], "--threads"),
        (USAGE, ["fit", "x.csv", "--init", "short.csv"], "--init"),
        (USAGE, ["fit", "x.csv", "--m0", "short.csv"], "--m0"),
        (USAGE, ["fit", "x.csv", "--b0", "short.csv"], "--b0"),
        (USAGE, ["fit", "-"], "--out"),
        (USAGE, ["generate", "mixture", "--rows", "0", "--out", "new.csv"], "--rows"),
        (USAGE, ["generate", "mixture", "--rows", "-5", "--out", "new.csv"], "--rows"),
        (USAGE, ["generate", "mixture", "--rows", "5", "--k", "10", "--out", "new.csv"], "--k"),
        (DATA, ["fit", "x.csv", "--truth", "short.csv"], "short.csv"),
        (DATA, ["fit", "x.csv", "--weights", "short.csv"], "short.csv"),
        (DATA, ["score", "x.csv", "--labels", "short.csv"], "short.csv"),
        (DATA, ["evaluate", "truth.csv", "short.csv"], "short.csv"),
        (DATA, ["evaluate", "x.csv", "truth.csv"], "x.csv"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_refusals(folder, code, arguments, named):
    (folder / "short.csv").write_text("0\n1\n1\n")
    check_refusal(folder, code, arguments, named)


def private_full_device(folder):
    """A device that is always full, of our own: outputs are renamed into place, and nobody may lose /dev/full to that."""
    path = folder / "full"
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 7))
        with path.open("wb", buffering=0) as device:
            device.write(b"x")
    except PermissionError:
        pytest.skip("making a device needs more rights")
    except OSError:
        return path
    return pytest.skip("the device is not full")


def test_a_full_device_is_an_io_error_and_stays_a_device(folder):
    succeed(folder, "fit", "x.csv", "--out", "out", "--quiet")
    path = private_full_device(folder)
    done = run(folder, "predict", "out/model.coppice", "x.csv", "--out", "full")
    assert stat.S_ISCHR(path.lstat().st_mode), "the device was replaced by a file"
    assert done.returncode == IO and "full" in done.stderr


def test_a_full_disk_leaves_nothing(folder):
    disk = folder / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("mounting a small disk needs more rights")
    try:
        mixture(folder, rows=20000, dimensions=2, k=2, name="large.npy")
        done = run(folder, "fit", "large.npy", "--out", "disk/out")
        left = left_behind(disk)
    finally:
        subprocess.run(["umount", str(disk)], check=True)
    assert done.returncode == IO and done.stdout == "" and "labels.csv" in done.stderr and "space" in done.stderr
    assert left == []


def test_a_full_standard_output_is_an_io_error(folder):
    with open("/dev/full", "wb") as full:  # opened, not replaced: nothing can happen to it
        for arguments in (["methods"], ["generate", "mixture", "--out", "-"], ["fit", "x.csv", "--json", "--out", "out"]):
            done = subprocess.run([BINARY, *arguments], cwd=folder, stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
            assert done.returncode == IO, arguments
            assert b"standard output" in done.stderr, arguments


def test_a_closed_pipe_ends_the_program_quietly(folder):
    succeed(folder, "fit", "x.csv", "--out", "out", "--quiet")
    mixture(folder, rows=200000, dimensions=2, k=2, name="large.npy")  # more than a pipe holds
    command = f"'{BINARY}' predict out/model.coppice large.npy | head -c 1 > head; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, timeout=60, check=False)
    assert done.returncode in (IO, 128 + 13), done.stderr
    assert (folder / "head").read_text() == "r"
