# SPDX-License-Identifier: BSD-3-Clause
"""The comparison of sweeps reads traces rightly, and refuses labels that differ."""

import json
import sys

import pytest
from scripts import BINARY

import sweeps

# Writes what a fit would; the labels are the way of assigning itself if DIFFERENT.
FAKE = """#!{python}
import json, sys
from pathlib import Path
words = sys.argv[1:]
if words[0] == "fit":
    way = words[words.index("--assign") + 1]
    out = Path(words[words.index("--out") + 1])
    out.mkdir()
    (out / "labels.npy").write_text(way if {different} else "same")
    (out / "summary.json").write_text({summary!r})
"""
TRACE = [dict(phase="start", k=1, seconds=0.0, distances=0), dict(phase="sweep", k=1, seconds=1.0, distances=100),
         dict(phase="split", k=2, seconds=2.0, distances=150), dict(phase="sweep", k=2, seconds=2.5, distances=350),
         dict(phase="sweep", k=2, seconds=3.5, distances=450)]
SUMMARY = dict(k=2, trace=TRACE, seconds=dict(prepare=0.25), counters=dict(distances=450))


def fake(folder, different):
    program = folder / "program"
    program.write_text(FAKE.format(python=sys.executable, different=different, summary=json.dumps(SUMMARY)))
    program.chmod(0o755)
    return str(program)


def test_only_sweeps_at_the_final_k_count():
    assert sweeps.at_final_k(SUMMARY) == [(0.5, 200), (1.0, 100)]


def test_medians_are_of_sweeps(tmp_path):
    figures = sweeps.compare(fake(tmp_path, different=False), ["mixture"])
    assert figures["kdtree"] == dict(k=2, seconds=0.75, distances=150, prepare=0.25, sweeps=2, all_distances=450)


def test_labels_that_differ_are_refused(tmp_path):
    with pytest.raises(SystemExit, match="labels differ"):
        sweeps.compare(fake(tmp_path, different=True), ["mixture"])


def test_the_tree_compares_less():
    figures = sweeps.compare(BINARY, ["mixture", "--rows", 5000, "--dimensions", 2, "--k", 5, "--tau", 3, "--seed", 0])
    assert figures["kdtree"]["distances"] * 2 < figures["naive"]["distances"]


def test_what_the_program_refuses_is_passed_on():
    with pytest.raises(SystemExit, match="choose one of"):
        sweeps.compare(BINARY, ["nonsense"])
