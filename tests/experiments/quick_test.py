# SPDX-License-Identifier: BSD-3-Clause
"""Every experiment's --quick run ends well and prints a figure for everybody."""

import subprocess

import pytest
from scripts import BINARY, succeed, table_rows


def no_gap(rows, first):
    """A figure in every column from `first` on."""
    return rows and all(cell not in ("", "-") for row in rows for cell in row[first:])


def test_finding_k():
    said = succeed("finding_k.py", "--quick", "--spreads", "spread", "--contenders", "auto", "gmm-bic")
    header, *rows = table_rows(said.stdout)
    assert header == ["tau", "N", "D", "published BKM", "auto", "gmm-bic"]
    assert [row[:4] for row in rows[:3]] == [["2", "100", "2", "8.3 ± 1.9"], ["2", "100", "32", "10.7 ± 5.2"],
                                             ["2", "1000", "2", "9.6 ± 1.3"]]
    assert [row[3] for row in rows[3:]] == ["3.34", "2.39", ""]  # mean |K - 10| of the published column
    assert rows[-1][4:] == ["3, 3", "3, 3"]
    assert no_gap(rows, 4)


def test_held_out():
    said = succeed("held_out.py", "--quick", "--contenders", "auto", "vbmg", "mog-bic", "gmm-bic")
    header, *rows = table_rows(said.stdout)
    assert header == ["tau", "N", "D", "auto", "vbmg", "mog-bic", "gmm-bic"]
    assert [row[0] for row in rows] == ["2", "mean"]
    assert no_gap(rows, 3)


def test_digits():
    said = succeed("digits.py", "--quick", "--contenders", "auto", "bgm")
    header, *rows = table_rows(said.stdout)
    assert header == ["set", "rows", "subsets", "auto", "bgm"]
    assert [row[1:3] for row in rows] == [["300", "1"]]
    assert no_gap(rows, 3)


def test_hard_cases():
    said = succeed("hard_cases.py", "--quick", "--contenders", "auto", "paper")
    header, *rows = table_rows(said.stdout)
    assert header == ["group", "case", "true K", "auto", "paper"]
    assert [row[:3] for row in rows[:3]] == [["whole numbers", "sd 1", "5"], ["ragged", "moons", "2"],
                                             ["columns", "constant", "5"]]
    assert rows[-1][:2] == ["mean, all", "3 data sets"]
    assert no_gap(rows, 3)


def test_search_gap():
    header, *rows = table_rows(succeed("search_gap.py", "--quick").stdout)
    assert header[:3] == ["case", "tables", "within 1 nat"]
    assert [row[0] for row in rows] == ["mixture spread/2/100/2", "mixture tight/2/100/2", "hard constant", "all"]
    assert rows[-1][1] == "3"
    assert no_gap(rows, 1)


def test_null_controls():
    header, *rows = table_rows(succeed("null_controls.py", "--quick").stdout)
    assert header == ["body", "columns", "auto"]
    assert [row[:2] for row in rows] == [["gaussian", "2"], ["student", "2"], ["box", "2"]]
    assert rows[0][2].startswith("1 of 1")


def test_wide_tables():
    header, *rows = table_rows(succeed("wide_tables.py", "--quick").stdout)
    assert header == ["kind", "rows/columns/distance/K", "auto"]
    assert [row[:2] for row in rows] == [["all columns", "10/50/35/2"], ["round", "12/40"]]
    assert all(row[2] == f"{k}.0 / 1.00; 1 of 1" for row, k in zip(rows, (2, 1)))


def test_variational_dp():
    header, *rows = table_rows(succeed("variational_dp.py", "--quick").stdout)
    assert header[:5] == ["N", "D", "c", "who", "processor seconds"]
    assert [row[3] for row in rows] == ["vdp", "fast", "vdp", "fast", "bj"]
    assert no_gap(rows, 4)


def test_variational_iteration():
    header, *rows = table_rows(succeed("variational_iteration.py", "--quick").stdout)
    assert header[-1] == "ratio" and [row[:3] for row in rows] == [["2000", "16", "3"]]
    assert no_gap(rows, 3)


def test_variational_digits():
    header, *rows = table_rows(succeed("variational_digits.py", "--quick").stdout)
    assert [row[:3] for row in rows] == [[scale, prior, who] for scale in ("0..255", "0..1") for prior in ("paper", "fitted")
                                         for who in ("vdp", "fast")]
    f = [float(row[header.index("F")]) for row in rows]
    assert f[4] == pytest.approx(f[0], rel=1e-4)  # the same clusters in other units
    assert [row[5] for row in rows[:2]] == ["3", "3"]


def test_variational_topics():
    said = succeed("variational_topics.py", "--quick").stdout
    header, *rows = table_rows(said)
    assert [row[:2] for row in rows[:4]] == [["paper", "fast"], ["paper", "vdp"], ["fitted", "fast"], ["fitted", "vdp"]]
    assert no_gap(rows[:4], 2)
    assert rows[4] == ["fit", "cluster", "rows", "classes", "words of its three topics"]
    assert all("word" in row[4] for row in rows[5:])


def test_outliers():
    header, *rows = table_rows(succeed("outliers.py", "--quick").stdout)
    assert header[:4] == ["D", "uniform", "fit", "K"]
    assert [row[1:3] for row in rows] == [[share, way] for share in ("0%", "5%", "10%") for way in ("without", "--outliers")]
    assert [row[3] for row in rows[1::2]] == ["5.0"] * 3  # K beside a background
    assert no_gap(rows, 3)


def test_many_clusters():
    header, *rows = table_rows(succeed("many_clusters.py", "--quick").stdout)
    assert header == ["table", "program", "K", "ARI", "objective", "seconds"]
    assert [row[2] for row in rows[:2]] == ["36", "144"]
    assert no_gap(rows, 2)


def test_dendrogram_purity():
    said = succeed("dendrogram_purity.py", "--quick", "--contenders", "abc", "average")
    header, *rows = table_rows(said.stdout)
    assert header == ["set", "rows", "subsets", "abc, published", "abc", "average, published", "average"]
    assert rows[0][:3] == ["digits of scikit-learn", "100", "2"]
    assert all(float(rows[0][i].split()[0]) > 0.4 for i in (4, 6))  # a tree made by chance has 0.2
    assert rows[-1][:3] == rows[0][:3] and rows[-1][3] != "-"


def lines_of_figures(said):
    return [line for line in said.stdout.splitlines()[1:] if line.count("x |") == 2 and line.endswith("ms")]


def test_kdtree_speed():
    assert len(lines_of_figures(succeed("kdtree_speed.py", "--quick"))) == 2


def test_agglomeration_speed():
    header, *rows = table_rows(succeed("agglomeration_speed.py", "--quick").stdout)
    assert header[2].startswith("fastpair") and rows[0][:2] == ["300", "2"] and no_gap(rows, 2)
    header, *rows = table_rows(succeed("agglomeration_speed.py", "--quick", "--peers").stdout)
    assert rows[0][:2] == ["500", "2"] and no_gap(rows, 2)


def test_discrete_speed():
    known = subprocess.run([BINARY, "generate", "--help"], capture_output=True, text=True, check=True).stdout
    if "counts" not in known.split():
        pytest.skip("this program generates no counts")
    assert len(lines_of_figures(succeed("discrete_speed.py", "--quick"))) == 1
