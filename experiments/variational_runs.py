# SPDX-License-Identifier: BSD-3-Clause
"""Fits of variational mixtures by the program, and where their time goes; for the scripts variational_*.py.

Processor seconds are those of the fit command's process, its threads added up, with everything from reading to writing.
Parts of it are wall seconds by its summary and trace, brought to the scale of processor seconds where one thread ran:

    files     reading and writing
    tree      what the summary calls prepare: origin, prior, and the tree if there is one
    search    from the first entry of the trace to the last
    last      the rest of the fit: the first mixture; the gap of a front, labels and probabilities of all rows
"""
import json
import resource
import subprocess
import time
from pathlib import Path

VDP = ("--method", "vdp")
FAST = ("--method", "vdp", "--assign", "kdtree")
BJ = ("--method", "bj", "--truncation", 20)


def run(program, folder, *arguments):
    done = subprocess.run([program, *map(str, arguments)], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, arguments))}: {done.stderr.strip()}")


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def parts(summary, wall, processor, threads):
    """Seconds of each part; they add up to the wall time, or, of one thread, to the processor time."""
    seconds, trace = summary["seconds"], summary["trace"]
    search = trace[-1]["seconds"] - trace[0]["seconds"]
    scale = processor / wall if threads == 1 else 1.0
    found = dict(files=wall - seconds["prepare"] - seconds["fit"], tree=seconds["prepare"], search=search,
                 last=seconds["fit"] - search)
    return {name: value * scale for name, value in found.items()}


def fit(program, folder, table, name, *options, threads=1):
    """The figures of one fit; its files are in folder/name."""
    before, start = processor_seconds(), time.monotonic()
    run(program, folder, "fit", table, *options, "--threads", threads, "--labels-format", "npy", "--quiet", "--out", name,
        "--force")
    wall, processor = time.monotonic() - start, processor_seconds() - before
    summary = json.loads(Path(folder, name, "summary.json").read_text())
    return dict(threads=threads, seconds=processor, wall=wall, parts=parts(summary, wall, processor, threads),
                k=summary["k"], f=summary["objective"]["value"], ari=summary["scores"].get("ari"),
                iterations=summary["iterations"], front=summary["assign"].get("front"), stopped=summary["stop_reason"],
                family=summary["family"])


def front(of):
    return f"{of['nodes']} + {of['rows']}, {of['gap']:.4f}" if of else "all rows"
