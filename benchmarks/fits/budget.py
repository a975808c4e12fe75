# SPDX-License-Identifier: BSD-3-Clause
"""How long fits go on after their time limit, or after Ctrl-C: seconds over, for every method and table.

  /usr/bin/python3 benchmarks/fits/budget.py --program build/release/cli/coppice --seconds 2 mnist.npy spambase.npy

Tables that are named are taken as they are; 100 rows x 3,000 columns and 1,000,000 x 8 are made up. A cell is the time
from the limit (or the signal) to the end of the program, writing included; negative if the fit was done before. "-5" and
such behind it is the exit code where that is not 0 (limit) or 130 (Ctrl-C): 5 and 130 with nothing written mean that
there was no clustering yet.
"""

import argparse
import pathlib
import signal
import subprocess
import tempfile
import time

import numpy as np

FITS = {
    "bkm": (),
    "bkm gaussian": ("--family", "gaussian"),
    "bkm outliers": ("--outliers",),
    "abc": ("--method", "abc"),
    "kmeans": ("--method", "kmeans", "--k", "50"),
    "gmm": ("--method", "gmm", "--k", "10"),
    "gmm hard": ("--method", "gmm", "--k", "10", "--hard"),
    "gmm diagonal": ("--method", "gmm", "--k", "10", "--family", "diagonal"),
    "single": ("--method", "single"),
    "complete": ("--method", "complete"),
    "average": ("--method", "average"),
    "ward": ("--method", "ward"),
    "bkm pca:100": ("--transform", "pca:100"),
}


def made_up(folder):
    """The two tables that nobody has to bring."""
    random = np.random.default_rng(0)
    wide = 2.0 * random.normal(size=(4, 3000))[random.integers(4, size=100)] + random.normal(size=(100, 3000))
    np.save(folder / "100x3000.npy", wide)
    tall = 4.0 * random.normal(size=(20, 8))[random.integers(20, size=1_000_000)] + random.normal(size=(1_000_000, 8))
    np.save(folder / "1000000x8.npy", tall.astype(np.float32))
    return [folder / "100x3000.npy", folder / "1000000x8.npy"]


def seconds_over(program, table, options, seconds, how, folder):
    limit = ("--time-limit", str(seconds)) if how == "limit" else ()
    out = folder / "out"
    command = [str(program), "fit", str(table), *options, *limit, "--out", str(out), "--force", "--quiet"]
    start = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            process.wait(timeout=seconds if how == "signal" else 120)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(timeout=120)
            except subprocess.TimeoutExpired:
                process.kill()
                return 120.0, -9
    return time.monotonic() - start - seconds, process.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="*", type=pathlib.Path)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--only", help="fits whose name begins so")
    parser.add_argument("--how", choices=("limit", "signal", "both"), default="both")
    arguments = parser.parse_args()
    ways = ("limit", "signal") if arguments.how == "both" else (arguments.how,)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        tables = arguments.tables + made_up(folder)
        for way in ways:
            print(f"{way:<14}" + "".join(f"{table.stem:>16}" for table in tables), flush=True)
            for fit, options in FITS.items():
                if arguments.only and not fit.startswith(arguments.only):
                    continue
                print(f"{fit:<14}", end="", flush=True)
                for table in tables:
                    over, code = seconds_over(arguments.program, table, options, arguments.seconds, way, folder)
                    expected = 0 if way == "limit" else 130
                    note = "" if code in (0, expected) else f" ({code})"
                    print(f"{over:>+{16 - len(note)}.2f}{note}", end="", flush=True)
                print(flush=True)


if __name__ == "__main__":
    main()
