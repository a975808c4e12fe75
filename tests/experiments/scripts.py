# SPDX-License-Identifier: BSD-3-Clause
"""Runs the scripts of experiments/ with the real program (COPPICE_BINARY); shared by the tests of this folder."""

import os
import subprocess
import sys
from pathlib import Path

BINARY = os.environ["COPPICE_BINARY"]  # no program, no tests: a run that skipped them would look like a success
EXPERIMENTS = Path(__file__).parents[2] / "experiments"
sys.path.insert(0, str(EXPERIMENTS))


def run(name, *arguments, program=BINARY):
    command = [sys.executable, EXPERIMENTS / name, "--program", program, *arguments]
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, check=False)


def succeed(name, *arguments):
    done = run(name, *arguments)
    assert done.returncode == 0, (name, arguments, done.stderr)
    return done


def table_rows(text):
    """Cells of the lines of Markdown tables, without the rules below the headers."""
    lines = [line for line in text.splitlines() if line.startswith("|") and not line.startswith("|---")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
