# SPDX-License-Identifier: BSD-3-Clause
"""Interrupts and time limits: a fit ends soon and keeps the best so far; nothing half-written stays."""

import signal
import subprocess
import time

import numpy as np
import pytest

from at_length import cases
from program import BINARY, INTERRUPTED, MEMORY, OK, left_behind, mixture, run, succeed, summary

ROWS = 2_000_000
# Seconds from the signal to the end, writing included. The promise is about one; sanitizers and a busy machine get more, and
# a fit that ignored the signal would take far longer still.
SOON = 10.0


@pytest.fixture(name="large", scope="module")
def fixture_large(tmp_path_factory):
    folder = tmp_path_factory.mktemp("large")
    mixture(folder, rows=ROWS, dimensions=8, k=30, name="x.npy")
    yield folder
    (folder / "x.npy").unlink()


@pytest.fixture(name="long", scope="module")
def fixture_long(tmp_path_factory):
    """A table for a fit that takes long, but is ready to end at any time."""
    folder = tmp_path_factory.mktemp("long")
    mixture(folder, rows=ROWS // 10, dimensions=8, k=30, name="x.npy")
    return folder


def start(folder, *arguments, **more):
    command = [BINARY, *map(str, arguments)]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)


def interrupt(process):
    """Its exit code, and the seconds it took from the signal on."""
    process.send_signal(signal.SIGINT)
    since = time.monotonic()
    process.communicate(timeout=60)
    return process.returncode, time.monotonic() - since


def check_written(folder, n_rows=ROWS):
    result = summary(folder)
    labels = np.load(folder / "labels.npy")
    assert labels.shape == (n_rows,) and labels.dtype == np.int32
    assert labels.min() == 0 and labels.max() == result["k"] - 1
    assert [cluster["size"] for cluster in result["clusters"]] == list(np.bincount(labels))
    assert f"a model of {result['k']} cluster" in succeed(folder, "info", "model.coppice").stdout
    assert result["converged"] is False
    return result


def test_an_interrupted_fit_keeps_the_best_so_far(long):
    process = start(long, "fit", "x.npy", "--restarts", 1000, "--out", "cut", "--labels-format", "npy", "--progress", "always")
    while "clusters" not in process.stderr.readline():  # reading and preparing come first
        assert process.poll() is None
    time.sleep(0.7)
    code, seconds = interrupt(process)
    assert code == INTERRUPTED
    assert check_written(long / "cut", ROWS // 10)["stop_reason"] == "cancelled"
    assert seconds < SOON


def test_an_interrupt_before_the_first_sweep_ends_soon_too(large):
    process = start(large, "fit", "x.npy", "--out", "early", "--labels-format", "npy", "--quiet")
    time.sleep(0.5)
    code, seconds = interrupt(process)
    assert seconds < SOON
    assert code == INTERRUPTED
    if (large / "early").exists():
        check_written(large / "early")
    else:  # there was no clustering yet
        assert not list(large.glob("early*"))


def test_a_time_limit_ends_the_fit_without_an_error(large):
    since = time.monotonic()
    process = start(large, "fit", "x.npy", "--out", "timed", "--labels-format", "npy", "--quiet", "--time-limit", 2)
    process.communicate(timeout=60)
    seconds = time.monotonic() - since
    assert process.returncode == OK
    result = check_written(large / "timed")
    assert result["stop_reason"] == "time_limit"
    assert seconds < 2 + SOON


def test_an_interrupt_while_reading_leaves_nothing(tmp_path):
    process = start(tmp_path, "fit", "-", "--out", "out", "--quiet", stdin=subprocess.PIPE)
    process.stdin.write("a,b\n1,2\n")
    process.stdin.flush()
    time.sleep(0.5)  # it waits for more rows
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == INTERRUPTED  # though nobody closed the pipe
    assert "interrupted; nothing was written" in process.stderr.read()
    assert left_behind(tmp_path) == []


def waiting(folder, *arguments):
    """A command that waits for rows on standard input."""
    process = start(folder, *arguments, stdin=subprocess.PIPE)
    process.stdin.write("a,b\n1,2\n")
    process.stdin.flush()
    return process


COMMANDS = {
    "fit": ("fit", "-", "--out", "new"),
    "predict": ("predict", "out/model.coppice", "-", "--out", "new.csv"),
    "density": ("density", "out/model.coppice", "-", "--out", "new.csv"),
    "score": ("score", "-", "--labels", "out/labels.csv"),
    "convert": ("convert", "-", "new.csv"),
    "info": ("info", "-"),
    "evaluate": ("evaluate", "-", "truth.csv"),
}


@pytest.mark.parametrize("name", cases(["fit", "predict", "info"], list(COMMANDS)))
def test_a_time_limit_ends_any_command_without_a_trace(tmp_path, name):
    mixture(tmp_path, rows=60)
    succeed(tmp_path, "fit", "x.csv", "--out", "out", "--method", "kmeans" if name == "score" else "bkm", "--quiet")
    before = left_behind(tmp_path)
    process = waiting(tmp_path, *COMMANDS[name], "--time-limit", 0.3)
    assert process.wait(timeout=30) == MEMORY  # exit code 5: out of memory, or of time
    assert "the time limit of 0.3 s is over; nothing was written" in process.stderr.read()
    assert left_behind(tmp_path) == before


def interrupted_while_writing(folder, name, *arguments):
    """Sends Ctrl-C once the temporary file of a large output is there."""
    process = start(folder, *arguments)
    until = time.monotonic() + 60
    while not list(folder.glob(f"{name}.part-*")):
        assert process.poll() is None and time.monotonic() < until, "it never came to writing"
        time.sleep(0.01)
    code, seconds = interrupt(process)
    assert code == INTERRUPTED and seconds < SOON


def test_an_interrupted_convert_leaves_no_temporary_file(large):
    interrupted_while_writing(large, "large.csv", "convert", "x.npy", "large.csv")
    assert not list(large.glob("large.csv*"))


def test_an_interrupted_generate_leaves_no_temporary_file(tmp_path):
    interrupted_while_writing(tmp_path, "large.csv", "generate", "mixture", "--rows", 2_000_000, "--dimensions", 8, "--out",
                              "large.csv")
    assert left_behind(tmp_path) == []


def test_a_fit_without_a_clustering_at_its_time_limit_writes_nothing(tmp_path):
    mixture(tmp_path, rows=60000, dimensions=2)
    done = run(tmp_path, "fit", "x.csv", "--method", "ward", "--time-limit", 0.3, "--out", "out")
    assert done.returncode == MEMORY
    assert "nothing was written" in done.stderr and not (tmp_path / "out").exists()
