# SPDX-License-Identifier: BSD-3-Clause
"""What at_length.hpp is for the tests in C++: long tests run over a part of their cases, enough to fail; over all of them only if
COPPICE_SLOW is set, as scripts/test --slow does."""

import itertools
import os


def is_at_length():
    return "COPPICE_SLOW" in os.environ


def cases(some, everything):
    return everything if is_at_length() else some


def combinations(*lists):
    """One value of each list: all combinations, or as few as leave no value out."""
    if is_at_length():
        return list(itertools.product(*lists))
    longest = max(len(values) for values in lists)
    return [tuple(values[i % len(values)] for values in lists) for i in range(longest)]
