# SPDX-License-Identifier: BSD-3-Clause
"""Interrupts and time limits: a fit ends soon and keeps the best so far; nothing half-written stays."""

import signal
import subprocess
import time

import numpy as np
import pytest

from program import BINARY, INTERRUPTED, OK, left_behind, mixture, succeed, summary

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


def start(folder, *arguments, **more):
    command = [BINARY, *map(str, arguments)]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)


def interrupt(process):
    """Its exit code, and the seconds it took from the signal on."""
    process.send_signal(signal.SIGINT)
    since = time.monotonic()
    process.communicate(timeout=60)
    return process.returncode, time.monotonic() - since


def check_written(folder):
    result = summary(folder)
    labels = np.load(folder / "labels.npy")
    assert labels.shape == (ROWS,) and labels.dtype == np.int32
    assert labels.min() == 0 and labels.max() == result["k"] - 1
    assert [cluster["size"] for cluster in result["clusters"]] == list(np.bincount(labels))
    assert f"a model of {result['k']} cluster" in succeed(folder, "info", "model.coppice").stdout
    assert result["converged"] is False
    return result


def test_an_interrupted_fit_keeps_the_best_so_far(large):
    process = start(large, "fit", "x.npy", "--out", "cut", "--labels-format", "npy", "--progress", "always")
    assert "clusters" in process.stderr.readline()  # the fit itself has begun
    time.sleep(0.7)
    code, seconds = interrupt(process)
    assert code == INTERRUPTED
    assert check_written(large / "cut")["stop_reason"] == "cancelled"
    assert seconds < SOON


def test_an_interrupt_before_the_first_sweep_ends_soon_too(large):
    process = start(large, "fit", "x.npy", "--out", "early", "--labels-format", "npy", "--quiet")
    time.sleep(0.5)
    code, seconds = interrupt(process)
    assert seconds < SOON
    if code == INTERRUPTED:
        check_written(large / "early")
    else:  # still reading: it ends at once and leaves nothing
        assert code == -signal.SIGINT
        assert not list(large.glob("early*"))


def test_a_time_limit_ends_the_fit_without_an_error(large):
    since = time.monotonic()
    process = start(large, "fit", "x.npy", "--out", "timed", "--labels-format", "npy", "--quiet", "--time-limit", 0.5)
    process.communicate(timeout=60)
    seconds = time.monotonic() - since
    assert process.returncode == OK
    result = check_written(large / "timed")
    assert result["stop_reason"] == "time_limit"
    assert seconds - result["seconds"]["read"] < 0.5 + SOON


def test_an_interrupt_while_reading_leaves_nothing(tmp_path):
    process = start(tmp_path, "fit", "-", "--out", "out", "--quiet", stdin=subprocess.PIPE)
    process.stdin.write("a,b\n1,2\n")
    process.stdin.flush()
    time.sleep(0.5)  # it waits for more rows
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    time.sleep(0.2)
    process.stdin.close()
    process.stdin = None
    process.communicate(timeout=30)
    assert process.returncode in (INTERRUPTED, -signal.SIGINT)
    assert left_behind(tmp_path) == []
