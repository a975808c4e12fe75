# SPDX-License-Identifier: BSD-3-Clause
"""One step of the bench in a process of its own: `runner.py STEP ARGUMENTS`, arguments and answer in JSON.

Steps: `data` makes the files of a case, `fit` times a peer, `product` times the matrix product of a case, `inertia`
judges centres, `versions` says what is installed.
"""
import importlib
import json
import os
import statistics
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import threadpoolctl

import cases
import peers

LONG_ENOUGH = 1.0  # seconds of fits after which a pair is not repeated
MOST_PAIRS = 5


def peak_memory():
    """VmHWM starts anew with the program; getrusage's maximum would include whoever started it."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("no VmHWM in /proc/self/status")


def clocked(function, *arguments):
    """Result, wall seconds, CPU seconds of all threads."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = function(*arguments)
    return result, time.perf_counter() - wall, time.process_time() - cpu


def data(case, folder, data_folder):
    return cases.make_files(cases.Case(**case), folder, data_folder)


def timed_pairs(fit, first, last):
    """Fits of `first` and `last` iterations in turn, until they took long enough; what a warm-up costs is in neither."""
    pairs = []
    fit(first)
    while not pairs or (len(pairs) < MOST_PAIRS and sum(pair["both"] for pair in pairs) < LONG_ENOUGH):
        (_, done), short_wall, _ = clocked(fit, first)
        (fitted, iterations), wall, cpu = clocked(fit, last)
        between = (wall - short_wall) / (iterations - done) if iterations > done else float("nan")
        pairs.append(dict(both=wall + short_wall, per_iteration=between, wall=wall, cpu=cpu))
    return fitted, iterations, pairs


def timed_wholes(fit):
    """Fits without iterations."""
    runs = []
    fit(None)
    while not runs or (len(runs) < MOST_PAIRS and sum(run["wall"] for run in runs) < LONG_ENOUGH):
        (fitted, _), wall, cpu = clocked(fit, None)
        runs.append(dict(per_iteration=wall, wall=wall, cpu=cpu))
    return fitted, None, runs


def fit(peer, case, folder, threads, floor):
    warnings.simplefilter("ignore")  # "did not converge" is what we ask for
    case, peer = cases.Case(**case), peers.PEERS[peer]
    importlib.import_module(peer.library)
    start = Path(folder, "start.npy")
    with threadpoolctl.threadpool_limits(threads):
        problem = peers.Problem(np.load(Path(folder, "x.npy")), np.load(start) if start.exists() else None, case.clusters,
                                case.kind, threads, floor)
        loaded = peak_memory()
        fit_once, read = peer.prepare(problem)
        whole = case.task == "linkage"
        fitted, iterations, runs = timed_wholes(fit_once) if whole else timed_pairs(fit_once, case.first, case.last)
        peak = peak_memory()
        answer = read(fitted)
    if "centres" in answer:
        answer["centres"] = save(Path(folder, f"centres-{peer.name}.npy"), answer["centres"])
    medians = {key: statistics.median(run[key] for run in runs) for key in ("per_iteration", "wall", "cpu")}
    if medians["per_iteration"] <= 0:  # the longer fit took less time: all noise
        medians["per_iteration"] = float("nan")
    return medians | answer | dict(iterations=iterations, pairs=len(runs), peak=peak, loaded=loaded)


def save(path, array):
    np.save(path, array)
    return str(path)


def product(folder, threads):
    """Rows of a block times centres, as the libraries would call BLAS: flops per second, the median of several calls."""
    points, centres = np.load(Path(folder, "x.npy"), mmap_mode="r"), np.load(Path(folder, "start.npy"))
    block = np.array(points[:max(256, 2**22 // len(centres))])
    out = np.empty((len(block), len(centres)), block.dtype)
    with threadpoolctl.threadpool_limits(threads):
        np.matmul(block, centres.T, out=out)
        seconds = [clocked(np.matmul, block, centres.T, out)[1] for _ in range(15)]
    return dict(rate=2.0 * block.size * len(centres) / statistics.median(seconds))


def inertia(folder, centres):
    """Sum of squared distances to the nearest centre, in float64; the distance itself is a plain difference."""
    points, centres = np.load(Path(folder, "x.npy"), mmap_mode="r"), np.load(centres).astype(np.float64)
    squared_norms = np.einsum("cd,cd->c", centres, centres)
    total, step = 0.0, max(256, 2**23 // len(centres))
    for first in range(0, len(points), step):
        block = points[first:first + step].astype(np.float64)
        nearest = (squared_norms - 2 * (block @ centres.T)).argmin(axis=1)
        difference = block - centres[nearest]
        total += float(np.einsum("rd,rd->", difference, difference))
    return dict(inertia=total, centres=len(centres))


def versions():
    found = {}
    for name in ("numpy", *sorted({peer.library for peer in peers.PEERS.values()})):
        try:
            found[name] = importlib.import_module(name).__version__
        except ImportError:
            found[name] = None
    blas = [pool for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"]
    described = [f"{pool['internal_api']} {pool['version']} ({pool.get('threading_layer')})" for pool in blas]
    return dict(versions=found, blas=", ".join(described) or None, cores=os.cpu_count())


STEPS = dict(data=data, fit=fit, product=product, inertia=inertia, versions=versions)

if __name__ == "__main__":
    print(json.dumps(STEPS[sys.argv[1]](**json.loads(sys.argv[2]))))
