#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""How fast are CSV files read? coppice beside pandas and NumPy, in MB/s of text.

Makes a few files (seeded), then reads each with every reader in turn, several times over. coppice's time is `seconds.read`
of its own summary (a k-means of one iteration follows, which is not counted); the others are timed around the call, in a
process of their own. Prints medians and the ratio to pandas' default.

    benchmarks/readers/csv_speed.py [--program build/release/cli/coppice] [--rows 1000000] [--runs 5] [--out FILE.csv]
"""
import argparse
import csv
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

COLUMNS = 8
PEERS = {
    "pandas": "pandas.read_csv(path)",
    "pandas round_trip": "pandas.read_csv(path, float_precision='round_trip')",
    "numpy loadtxt": "numpy.loadtxt(path, delimiter=',', skiprows=1)",
    "numpy genfromtxt": "numpy.genfromtxt(path, delimiter=',', skip_header=1)",
}
SLOW = {"numpy genfromtxt"}  # read once
PEER_PROGRAM = """
import sys, time, numpy
if "pandas" in sys.argv[2]: import pandas
path = sys.argv[1]
start = time.perf_counter()
table = eval(sys.argv[2])
print(time.perf_counter() - start)
"""


def write(path, values, form, quoted=False):
    """A header and rows; with `quoted`, a last column of words in quotes, one in ten over two lines."""
    names = [f"x{column + 1}" for column in range(values.shape[1])] + (["word"] if quoted else [])
    with open(path, "w") as file:
        file.write(",".join(names) + "\n")
        for row, numbers in enumerate(values.tolist()):
            cells = [form % number for number in numbers]
            if quoted:
                cells.append('"two\nlines, ""so"""' if row % 10 == 0 else f'"word {row % 7}"')
            file.write(",".join(cells) + "\n")


def make_files(folder, rows):
    random = np.random.default_rng(1)
    wide = random.normal(scale=100, size=(rows, COLUMNS))
    files = {"17 digits": (wide, "%.17g"), "short": (np.round(wide / 20, 2), "%g"),
             "whole": (random.integers(0, 1000, size=(rows, COLUMNS)), "%d")}
    for name, (values, form) in files.items():
        yield name, folder / f"{name}.csv", lambda path, v=values, f=form: write(path, v, f)
    yield "quoted", folder / "quoted.csv", lambda path: write(path, wide, "%.6g", quoted=True)


def coppice_seconds(program, path, threads):
    out = path.parent / "fit"
    shutil.rmtree(out, ignore_errors=True)
    command = [program, "fit", path, "--method", "kmeans", "--k", "2", "--max-iterations", "1", "--threads", str(threads),
               "--columns", ",".join(f"x{column + 1}" for column in range(COLUMNS)), "--json", "--out", out]
    run = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True)
    return json.loads(run.stdout)["seconds"]["read"]


def peer_seconds(call, path):
    environment = dict(os.environ, OMP_NUM_THREADS="1")
    run = subprocess.run([sys.executable, "-c", PEER_PROGRAM, str(path), call], capture_output=True, text=True, check=True,
                         env=environment)
    return float(run.stdout)


def measure(program, path, runs, has_words):
    readers = {f"coppice, {n} thread{'s' if n > 1 else ''}": lambda n=n: coppice_seconds(program, path, n) for n in (1, 2)}
    for name, call in PEERS.items():
        if not (has_words and name.startswith("numpy")):
            readers[name] = lambda call=call: peer_seconds(call, path)
    seconds = {name: [] for name in readers}
    for run in range(runs):  # in turn, so that a busy moment does not hit one reader alone
        for name, read in readers.items():
            if run == 0 or name not in SLOW:
                seconds[name].append(read())
    return {name: statistics.median(times) for name, times in seconds.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, default=Path("build/release/cli/coppice"))
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--out", type=Path, help="also write the figures here")
    options = parser.parse_args()
    figures = []
    print(f"{'file':12} {'MB':>6}  {'reader':22} {'seconds':>8} {'MB/s':>7} {'to pandas':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for name, path, make in make_files(Path(folder), options.rows):
            make(path)
            size = path.stat().st_size / 1e6
            medians = measure(options.program.resolve(), path, options.runs, name == "quoted")
            for reader, seconds in medians.items():
                ratio = medians["pandas"] / seconds
                print(f"{name:12} {size:6.1f}  {reader:22} {seconds:8.3f} {size / seconds:7.1f} {ratio:9.2f}", flush=True)
                figures.append({"file": name, "megabytes": round(size, 1), "reader": reader, "seconds": round(seconds, 4),
                                "megabytes_per_second": round(size / seconds, 1), "times_pandas": round(ratio, 2)})
            path.unlink()
    if options.out:
        with open(options.out, "w", newline="") as file:
            writer = csv.DictWriter(file, figures[0].keys())
            writer.writeheader()
            writer.writerows(figures)


if __name__ == "__main__":
    main()
