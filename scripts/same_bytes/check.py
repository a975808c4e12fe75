# SPDX-License-Identifier: BSD-3-Clause
"""Runs the list with both programs, and tells what differs."""

import concurrent.futures
import re
import shutil

from same_bytes import tables
from same_bytes.commands import all_commands
from same_bytes.compare import differences
from same_bytes.fits import all_fits
from same_bytes.refusals import all_refusals
from same_bytes.run import execute

AT_ONCE = 2


def chosen_runs(pattern=""):
    runs = [*all_fits(), *all_commands(), *all_refusals()]
    return [run for run in runs if re.search(pattern, run.name)]


def compare_run(number, run, both, folder):
    """The differences of a run between both programs; what they wrote stays only if there are any."""
    sides = []
    for side, program in zip(("old", "new"), both):
        place = folder / side / f"{number:03}"
        sides.append((execute(run, program, folder / "tables", place), place))
    found = differences(run, *sides)
    if not found:
        for _, place in sides:
            shutil.rmtree(place)
    return found


def compare_all(runs, both, folder):
    """The differences of every run, in the order of the runs."""
    tables.make(folder / "tables")
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(lambda job: compare_run(*job, both, folder), enumerate(runs)))


def tell(number, run, found):
    what, where, old, new = found[0]
    place = f"{what}, {where}" if where else what
    lines = [f"{number:03}  {run.name}", f"  {place}", f"    old: {old}", f"    new: {new}"]
    others = [name for name, *_ in found[1:]]
    if others:
        lines.append(f"  and in {len(others)} more: {', '.join(others[:4])}{', ...' if len(others) > 4 else ''}")
    return "\n".join(lines) + "\n"


def report(runs, results):
    """What differs and in how many runs, as text; empty if nothing does."""
    told = [tell(number, run, found) for number, (run, found) in enumerate(zip(runs, results)) if found]
    if not told:
        return ""
    counts = []
    for kind in (False, True):
        those = [found for run, found in zip(runs, results) if run.is_refusal == kind]
        counts.append(f"{sum(map(bool, those))} of {len(those)}")
    return "\n".join([*told, f"{counts[0]} runs and {counts[1]} refusals differ"])
