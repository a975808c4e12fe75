# SPDX-License-Identifier: BSD-3-Clause
"""A part of the cases leaves no value out, and all of them are run where they are asked for."""

import pytest

from at_length import cases, combinations

LISTS = ["a", "b", "c"], [1, 2], [True]


@pytest.fixture(autouse=True, name="slow")
def fixture_slow(monkeypatch):
    monkeypatch.delenv("COPPICE_SLOW", raising=False)
    return lambda: monkeypatch.setenv("COPPICE_SLOW", "1")


def test_a_part_has_every_value():
    found = combinations(*LISTS)
    assert len(found) == 3
    assert [set(values) for values in zip(*found)] == [set(values) for values in LISTS]


def test_at_length_there_are_all_combinations(slow):
    slow()
    found = combinations(*LISTS)
    assert len(found) == len(set(found)) == 6


def test_cases(slow):
    assert cases([1], [1, 2]) == [1]
    slow()
    assert cases([1], [1, 2]) == [1, 2]
