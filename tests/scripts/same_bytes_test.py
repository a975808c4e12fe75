# SPDX-License-Identifier: BSD-3-Clause
"""scripts/same-bytes: a program is the same as itself, and whatever differs is found and named."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

BINARY = os.environ["COPPICE_BINARY"]  # no program, no tests: a run that skipped them would look like a success
SCRIPTS = Path(__file__).parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))

from same_bytes import check, compare, tables  # noqa: E402
from same_bytes.commands import METHODS  # noqa: E402
from same_bytes.fits import all_fits  # noqa: E402
from same_bytes.run import Outcome, run_of  # noqa: E402


def same_bytes(*arguments):
    command = [sys.executable, SCRIPTS / "same-bytes", *arguments]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120, check=False)


def test_the_program_is_the_same_as_itself():
    runs = "^fit small.csv --[kh].* --method ward|^convert|^tied.*--weights|^refusal: fit points.csv --m"
    done = same_bytes("--program", BINARY, BINARY, "--only", runs)
    assert done.returncode == 0, done.stdout + done.stderr
    n_runs, n_refusals = map(int, re.fullmatch(r"(\d+) runs, (\d+) refusals: the same\n", done.stdout).groups())
    assert n_runs >= 10 and n_refusals >= 5


def test_a_part_that_is_empty_is_no_success():
    done = same_bytes("--program", BINARY, BINARY, "--only", "no such run")
    assert done.returncode == 2 and done.stdout == "" and "'no such run'" in done.stderr


@pytest.fixture(name="folder", scope="module")
def fixture_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("same")
    tables.make(folder / "tables")
    return folder


CHANGE_A_MODEL = """/usr/bin/python3 -c "
import zipfile
with zipfile.ZipFile('out/model.coppice') as old:
    members = {name: old.read(name) for name in old.namelist()}
members['means.npy'] = members['means.npy'][:-1] + b'?'
with zipfile.ZipFile('out/model.coppice', 'w') as new:
    for name, content in members.items():
        new.writestr(name, content)
" """
RUN, REFUSAL = "^fit small.csv --k 4 .*ward", "^refusal: fit nan.csv"
BROKEN = {
    "label": (RUN, "sed -i '3s/.$/7/' out/labels.csv", "out/labels.csv, line 3"),
    "model": (RUN, CHANGE_A_MODEL, r"out/model.coppice:means.npy, \[3, 1\], first of 1"),
    "summary": (RUN, """sed -i 's/"seed": 0/"seed": 1/' out/summary.json""", r"out/summary.json, line \d+"),
    "file": (RUN, "touch left_over", "left_over"),
    "output": (RUN, "echo again", r"standard output of command 1, line \d+"),
    "code": (RUN, "code=3", "exit code of command 1, line 1"),
    "refusal's file": (REFUSAL, "touch left_over", "left_over"),
    "refusal's message": (REFUSAL, "echo again >&2", r"standard error of command 1, line \d+"),
    "refusal's code": (REFUSAL, "code=4", "exit code of command 1, line 1"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_difference_is_found_and_named(folder, tmp_path, name):
    only, change, place = BROKEN[name]
    broken = tmp_path / "broken"
    broken.write_text(f'#!/bin/sh\n"{BINARY}" "$@"\ncode=$?\n{change}\nexit $code\n')
    broken.chmod(0o755)
    (run,) = check.chosen_runs(only)
    found = check.compare_run(f"{name} ", run, (BINARY, broken), folder)
    told = check.report([run], [found])
    assert re.search(rf"^  {place}$", told, re.MULTILINE), told
    counts = ("0 of 0", "1 of 1") if run.is_refusal else ("1 of 1", "0 of 0")
    assert told.endswith("{} runs and {} refusals differ".format(*counts))


def outcome(objective, label="1", probability="0.5", seconds="0.1"):
    times = f'"seconds": {{"fit": {seconds}}}, "peak_memory_bytes": 1{seconds}'
    summary = f'{{"objective": {{"value": {objective!r}}}, {times}}}'
    labels = f"row,label,probability\n0,{label},{probability}\n"
    files = {"out/summary.json": summary.encode(), "out/labels.csv": labels.encode()}
    return Outcome([(0, f"2 clusters ({seconds} s)\n".encode(), b"")], files), Path("/nowhere")


def names(run, old, new):
    return [name for name, *_ in compare.differences(run, old, new)]


def test_times_and_memory_do_not_count():
    assert not names(run_of("fit"), outcome(5.0), outcome(5.0, seconds="12.25"))
    assert names(run_of("fit"), outcome(5.0), outcome(5.000000000000001)) == ["out/summary.json"]


def test_tied_nodes_may_round_otherwise():
    tied = run_of("fit", is_tied=True)
    assert not names(tied, outcome(5.0), outcome(5.0 * (1 + 1e-13), probability="0.4"))
    assert names(tied, outcome(5.0), outcome(5.0 * (1 + 1e-11))) == ["objective"]
    assert names(tied, outcome(5.0), outcome(5.0, label="2")) == ["out/labels.csv"]


def test_a_run_that_is_refused_compares_nothing():
    refused = Outcome([(2, b"", b"coppice: no\n")], {}), Path("/nowhere")
    assert names(run_of("fit"), refused, refused) and not names(run_of("fit", is_refusal=True), refused, refused)
    assert names(run_of("fit", is_refusal=True), outcome(1.0), outcome(1.0))


def test_every_run_is_there_once():
    found = [run.name for run in check.chosen_runs()]
    assert len(found) == len(set(found))


@pytest.mark.parametrize("method", METHODS)
def test_every_option_and_choice_of_a_method_is_run(method):
    listed = subprocess.run([BINARY, "methods", method], capture_output=True, text=True, check=True).stdout
    fits = [step for run in all_fits() for step in run.steps if step[0] == "fit"]
    used = [step for step in fits if (step[step.index("--method") + 1] if "--method" in step else "bkm") == method]
    options = re.findall(r"^  (--\S+) +(\S+) +(.+?)  ", listed, re.MULTILINE)
    assert len(options) >= 3
    for option, default, accepts in options:
        values = {step[step.index(option) + 1] for step in used if option in step[:-1]}
        assert values, f"no fit by {method} with {option}"
        if (method, option) == ("abc", "--family"):
            values.add("uninformative")  # only above a model, which brings its family
        if option == "--family" and method in ("vdp", "bj"):  # refused, with the reason
            values |= {"uninformative", "student", "student-diagonal", "student-spherical"}
        if re.fullmatch(r"\S+(, \S+)+", accepts):  # names, not a range
            assert {default, *values} >= set(accepts.split(", ")), f"{option} accepts {accepts}; run are {values}"
