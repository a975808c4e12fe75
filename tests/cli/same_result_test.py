# SPDX-License-Identifier: BSD-3-Clause
"""The same seed gives the same bytes whatever the number of threads, on rows enough for many blocks."""

import pytest

from at_length import cases
from program import fit, mixture


@pytest.fixture(name="table", scope="module")
def fixture_table(tmp_path_factory):
    folder = tmp_path_factory.mktemp("same")
    mixture(folder, rows=50_000, dimensions=3, k=6, name="x.npy")
    return folder


OPTIONS = {"default": [], "dp": ["--partition", "dp"], "paper": ["--search", "paper"]}


@pytest.mark.parametrize("name", cases(["default", "paper"], list(OPTIONS)))
def test_threads_do_not_change_a_byte(table, name):
    results = []
    for threads in cases([1, 2], [1, 2, 5]):
        result = fit(table, "x.npy", "--labels-format", "npy", "--seed", 3, "--threads", threads, *OPTIONS[name])
        assert result["threads"] == threads  # else the comparison says nothing
        assert result["k"] > 1
        labels = (table / "out/labels.npy").read_bytes()
        model = (table / "out/model.coppice").read_bytes()
        results.append((result["objective"], result["k_evidence"], result["counters"], labels, model))
    assert len(results) > 1 and all(result == results[0] for result in results)


def test_another_seed_takes_another_path(table):
    """What makes the comparison above able to fail: the search does depend on random numbers."""
    paths = [[step["objective"] for step in fit(table, "x.npy", "--seed", seed)["trace"]] for seed in (1, 2)]
    assert paths[0] != paths[1]
