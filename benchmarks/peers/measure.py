# SPDX-License-Identifier: BSD-3-Clause
"""Starts coppice and the peers, each measurement in a fresh process, and reads what they say.

A program that starts another hands on its own peak memory: getrusage of the new one, which coppice reports, is at least
that of the old one. So this side never imports NumPy, and whatever needs it is a step of runner.py.
"""
import array
import dataclasses
import json
import os
import resource
import shlex
import subprocess
import sys
import time
import zipfile
from pathlib import Path

RUNNER = Path(__file__).with_name("runner.py")
POOLS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS")
CENTRES = ("means.npy", "centres.npy")  # what the model archive calls them


class Failure(Exception):
    """A contender that did not deliver; the bench goes on without it."""


@dataclasses.dataclass(frozen=True)
class Run:
    output: str
    wall: float
    cpu: float  # seconds of all threads
    others: float  # cores that everybody else kept busy meanwhile


def own_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def busy_seconds():
    """CPU time that the whole machine has spent, with what other guests of the hardware took from it."""
    user, nice, system, _, _, interrupt, soft_interrupt, steal = map(int, Path("/proc/stat").read_text().split()[1:9])
    return (user + nice + system + interrupt + soft_interrupt + steal) / os.sysconf("SC_CLK_TCK")


def run(command, threads):
    """A program with pools of that many threads."""
    environment = os.environ | {pool: str(threads) for pool in POOLS}
    own, busy, start = own_seconds(), busy_seconds(), time.perf_counter()
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
    except OSError as error:
        raise Failure(f"{Path(command[0]).name} cannot be started: {error.strerror}") from error
    wall, own, busy = time.perf_counter() - start, own_seconds() - own, busy_seconds() - busy
    if done.returncode != 0:
        said = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise Failure(said[-1])
    return Run(done.stdout, wall, own, max(0.0, busy - own) / wall)


def step(name, pool=1, **arguments):
    """A step of runner.py with pools of that many threads; its answer is the last line."""
    done = run([sys.executable, str(RUNNER), name, json.dumps(arguments)], pool)
    return json.loads(done.output.splitlines()[-1]) | dict(others=done.others)


def program_version(program):
    try:
        return run([program, "--version"], 1).output.strip()
    except Failure:
        return None


def start_options(case, folder):
    return ["--k", case.clusters, "--init", Path(folder, "start.npy"), "--max-iterations", case.last]


# How our program is asked for a task.
METHODS = {
    "kmeans": lambda case, folder: ["--method", "kmeans", *start_options(case, folder)],
    "gmm": lambda case, folder: ["--method", "gmm", "--family", case.kind, *start_options(case, folder)],
    "linkage": lambda case, folder: ["--method", case.kind],
}


def extract_centres(archive, target):
    """The array of centres out of a model archive, as a file of its own."""
    with zipfile.ZipFile(archive) as parts:
        for name in CENTRES:
            if name in parts.namelist():
                Path(target).write_bytes(parts.read(name))
                return str(target)
    raise Failure(f"{archive}: none of {', '.join(CENTRES)} inside")


def sum_of_heights(path):
    """Of a linkage matrix: the third of every four numbers behind the header."""
    content = Path(path).read_bytes()
    numbers = array.array("d", content[10 + int.from_bytes(content[8:10], "little"):])
    return sum(numbers[2::4])


def between_iterations(trace, first, last):
    """Seconds per iteration, and the last iteration there was; entry i of the trace is the state after i iterations."""
    last = min(last, len(trace) - 1)
    if last <= first:
        return float("nan"), last
    return (trace[last]["seconds"] - trace[first]["seconds"]) / (last - first), last


@dataclasses.dataclass(frozen=True)
class Ours:
    """Our program with one way of assigning."""

    program: str
    assign: str
    options: str = ""  # further ones, as typed
    ours = True

    @property
    def name(self):
        return "coppice" if self.assign == "auto" else f"coppice-{self.assign}"

    def obstacle(self, case, _):
        return None if case.task in METHODS else f"has no method for {case.task} yet"

    def command(self, case, folder, threads, out):
        choice = ["--assign", self.assign] if case.task == "kmeans" else []
        rest = ["--threads", threads, "--labels-format", "npy", "--quiet", "--force", "--out", out]
        words = [Path(folder, "x.npy"), *METHODS[case.task](case, folder), *choice, *rest]
        return [self.program, "fit", *map(str, words), *shlex.split(self.options)]

    def measure(self, case, folder, threads):
        out = Path(folder, self.name)
        done = run(self.command(case, folder, threads, out), threads)
        summary = json.loads((out / "summary.json").read_text())
        per_iteration, iterations = between_iterations(summary["trace"], case.first, case.last)
        seconds = summary["seconds"]
        if case.task == "linkage":
            per_iteration, iterations = seconds["prepare"] + seconds["fit"], None
        found = dict(per_iteration=per_iteration, iterations=iterations, wall=seconds["prepare"] + seconds["fit"],
                     cpu=done.cpu, process_wall=done.wall, prepare=seconds["prepare"], others=done.others,
                     peak=summary["peak_memory_bytes"], reported=summary["objective"]["value"],
                     assign=summary["assign"]["used"])
        if case.task == "linkage":
            return found | dict(reported=sum_of_heights(out / "linkage.npy"))
        if case.task == "gmm":
            return found | dict(reported=found["reported"] / case.rows)
        return found | dict(centres=extract_centres(out / "model.coppice", Path(folder, f"centres-{self.name}.npy")))


@dataclasses.dataclass(frozen=True)
class Theirs:
    """A peer of the registry."""

    peer: object
    floor: float
    ours = False

    @property
    def name(self):
        return self.peer.name

    def obstacle(self, case, memory):
        return self.peer.obstacle(case, memory)

    def measure(self, case, folder, threads):
        return step("fit", threads, peer=self.name, case=dataclasses.asdict(case), folder=str(folder), threads=threads,
                    floor=self.floor)
