# SPDX-License-Identifier: BSD-3-Clause
"""Sweeps of a fit with the kd-tree and without it: comparisons with a cluster, and seconds, from the traces.

One thread each. The tree's build is part of `prepare` and listed beside them. Medians over sweeps, then over seeds. The
labels of both must be the same, byte for byte.
"""
import json
import statistics
import subprocess
import tempfile
from pathlib import Path

WAYS = ("kdtree", "naive")


def run(program, folder, *arguments):
    done = subprocess.run([program, *map(str, arguments)], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, arguments))}: {done.stderr.strip()}")
    return done.stdout


def at_final_k(summary):
    """Seconds and comparisons of every sweep at the final K; a trace entry follows the one before without a pause."""
    trace = summary["trace"]
    pairs = [(a, b) for a, b in zip(trace, trace[1:]) if b["phase"] == "sweep" and b["k"] == summary["k"]]
    return [(b["seconds"] - a["seconds"], b["distances"] - a["distances"]) for a, b in pairs]


def one_way(program, folder, assign, fit_options):
    # The paper's prior is not fitted, so that all sweeps in the trace are sweeps over all rows.
    run(program, folder, "fit", "x.npy", "--prior", "paper", *fit_options, "--assign", assign, "--threads", 1,
        "--labels-format", "npy", "--quiet", "--out", assign)
    summary = json.loads(Path(folder, assign, "summary.json").read_text())
    if not at_final_k(summary):
        raise SystemExit(f"--assign {assign}: no sweep at the final K = {summary['k']} in the trace")
    seconds, distances = zip(*at_final_k(summary))
    return dict(k=summary["k"], seconds=statistics.median(seconds), distances=statistics.median(distances),
                prepare=summary["seconds"]["prepare"], sweeps=len(seconds), all_distances=summary["counters"]["distances"])


def compare(program, generate, fit_options=()):
    """Figures of both ways on one generated data set; `generate` are the words after 'coppice generate'."""
    with tempfile.TemporaryDirectory() as folder:
        run(program, folder, "generate", *generate, "--out", "x.npy", "--labels", "z.npy")
        figures = {assign: one_way(program, folder, assign, fit_options) for assign in WAYS}
        by_tree, by_rows = (Path(folder, assign, "labels.npy").read_bytes() for assign in WAYS)
        if by_tree != by_rows:
            raise SystemExit(f"labels differ: generate {' '.join(map(str, generate))}")
        return figures


HEADER = "fewer comparisons | sweep by tree   by rows   factor | prepare with tree   without"


def medians(fits):
    """Of the ratios within a fit, and of both sides' figures."""
    def median(of):
        return statistics.median(of(fit) for fit in fits)

    return dict(fewer_comparisons=median(lambda fit: fit["naive"]["distances"] / fit["kdtree"]["distances"]),
                factor=median(lambda fit: fit["naive"]["seconds"] / fit["kdtree"]["seconds"]),
                seconds=[median(lambda fit, way=way: fit[way]["seconds"]) for way in WAYS],
                prepare=[median(lambda fit, way=way: fit[way]["prepare"]) for way in WAYS])


def line(found):
    """As under HEADER."""
    by_tree, by_rows = (seconds * 1e6 for seconds in found["seconds"])
    with_tree, without = (seconds * 1e3 for seconds in found["prepare"])
    return (f"{found['fewer_comparisons']:16.1f}x | {by_tree:10.1f} us {by_rows:8.1f} us {found['factor']:7.2f}x | "
            f"{with_tree:14.1f} ms {without:6.1f} ms")
