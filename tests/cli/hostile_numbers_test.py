# SPDX-License-Identifier: BSD-3-Clause
"""Numbers where arithmetic ends: a right answer, or exit 3 with row and column; never a crash, never a nan."""

import zipfile

import numpy as np
import pytest

from at_length import cases, combinations
from program import DATA, OK, fit, labels_of, mixture, run, score, succeed

METHODS = [("bkm",), ("bkm", "--outliers"), ("bkm", "--prior", "paper"), ("abc",), ("kmeans", "--k", "2"),
           ("kmeans", "--k", "1..3"), ("gmm", "--k", "2"), ("gmm", "--k", "2", "--hard"), ("vdp",), ("single",), ("complete",),
           ("average",), ("ward",)]
TOO_LARGE = {
    "few": "x\n1e308\n1e308\n1e308\n-1e308\n",
    "seven": "x\n" + "1.7e308\n-1.7e308\n" * 3 + "1.7e308\n",
    "squares": "x\n1e200\n-1e200\n3\n4\n",
    "one cell": "x,y\n1,2\n3,4\n5,1e160\n7,8\n",
}


def check_refusal(done, *named):
    assert done.returncode == DATA, (done.returncode, done.stdout, done.stderr)
    assert len(done.stderr.splitlines()) == 1 and "nan" not in done.stdout, done.stderr
    for name in named:
        assert name in done.stderr, done.stderr


@pytest.mark.parametrize("name", TOO_LARGE)
def test_values_whose_squares_overflow_are_refused_by_every_method(tmp_path, name):
    methods = [method for method, table in combinations(METHODS, list(TOO_LARGE)) if table == name]
    assert methods
    (tmp_path / "x.csv").write_text(TOO_LARGE[name])
    where = "row 3, column 'y': 1e+160" if name == "one cell" else "row 1, column 'x'"
    for method in methods:
        done = run(tmp_path, "fit", "x.csv", "--method", *method, "--out", "out", "--quiet")
        check_refusal(done, where, "overflow")
    assert not (tmp_path / "out").exists()
    n_rows = len(TOO_LARGE[name].splitlines()) - 1
    (tmp_path / "labels.csv").write_text("label\n" + "".join(f"{row % 2}\n" for row in range(n_rows)))
    for method in ("bkm", "kmeans", "gmm", "ward"):
        check_refusal(run(tmp_path, "score", "x.csv", "--labels", "labels.csv", "--method", method), where)
    check_refusal(run(tmp_path, "evaluate", "labels.csv", "labels.csv", "--data", "x.csv"), where)


def test_values_whose_squares_vanish_are_refused(tmp_path):
    for scale, method in combinations(["e-200", "e-308", "e-320"], METHODS):
        (tmp_path / "x.csv").write_text("x,y\n" + "".join(f"{row}{scale},{row}\n" for row in (1, 2, 3, 8, 9, 9)))
        done = run(tmp_path, "fit", "x.csv", "--method", *method, "--out", "out", "--quiet")
        check_refusal(done, "row 2, column 'x'", "--transform standardize")
    succeed(tmp_path, "fit", "x.csv", "--transform", "standardize", "--out", "out", "--quiet")


@pytest.mark.parametrize("value", cases(["-1.7e308", "3e120"], ["1e200", "-1.7e308", "1e150", "3e120"]))
def test_new_rows_far_away_are_refused(tmp_path, value):
    mixture(tmp_path, rows=60, dimensions=2, k=2)
    (tmp_path / "new.csv").write_text(f"x1,x2\n0,0\n1,{value}\n")
    for method in (("bkm",), ("bkm", "--family", "student"), ("bkm", "--outliers"), ("gmm", "--k", "2")):
        fit(tmp_path, "x.csv", "--method", *method)
        for command in (("predict",), ("predict", "--probabilities"), ("density",)):
            check_refusal(run(tmp_path, command[0], "out/model.coppice", "new.csv", *command[1:]), "row 2, column 'x2'")
    fit(tmp_path, "x.csv", "--method", "kmeans", "--k", "2")
    check_refusal(run(tmp_path, "predict", "out/model.coppice", "new.csv"), "row 2, column 'x2'")


def test_far_rows_that_can_be_squared_have_a_density(tmp_path):
    mixture(tmp_path, rows=60, dimensions=2, k=2)
    (tmp_path / "new.csv").write_text("x1,x2\n0,0\n1e60,-1e60\n")
    for method in (("bkm",), ("bkm", "--outliers"), ("gmm", "--k", "2")):
        fit(tmp_path, "x.csv", "--method", *method)
        succeed(tmp_path, "density", "out/model.coppice", "new.csv", "--out", "d.csv", "--force")
        numbers = np.loadtxt(tmp_path / "d.csv", delimiter=",", skiprows=1)
        assert numbers.shape == (2, 2) and np.isfinite(numbers).all(), (method, numbers)


def test_single_precision_near_its_end(tmp_path):
    """Products of such floats overflow; the rows in question are looked at in double precision."""
    random = np.random.default_rng(3)
    truth = np.repeat([0, 1, 2], 40)
    rows = random.normal(size=(120, 20)) + 12.0 * random.normal(size=(3, 20))[truth]
    (tmp_path / "truth.csv").write_text("label\n" + "".join(f"{label}\n" for label in truth))
    methods = [("kmeans", "--k", "3"), ("kmeans", "--k", "3", "--assign", "bounds"), ("gmm", "--k", "3"), ("bkm",), ("ward", "--k", "3")]
    for scale, method in combinations([2.0**120, 2.0**-120, 2.0**60], methods):
        np.save(tmp_path / "x.npy", (rows * scale).astype(np.float32))
        fit(tmp_path, "x.npy", "--method", *method)
        assert score(tmp_path, "truth.csv")["ari"] == 1.0, (method, scale)


def test_transforms_sum_up_what_methods_refuse(tmp_path):
    (tmp_path / "x.csv").write_text("x,y\n" + "".join(f"{x}e308,{x}e307\n" for x in (1.5, 1.4, 1.45, -1.6, -1.5, -1.55)))
    for transform in ("standardize", "normalize"):
        fit(tmp_path, "x.csv", "--method", "kmeans", "--k", "2", "--transform", transform)
        assert len(set(labels_of(tmp_path / "out/labels.csv"))) == 2, transform
    for transform in ("pca:2", "project:2"):
        done = run(tmp_path, "fit", "x.csv", "--method", "kmeans", "--k", "2", "--transform", transform, "--out", "other")
        check_refusal(done, "row ", "column ")


def test_weights(tmp_path):
    mixture(tmp_path, rows=60, dimensions=2, k=2)
    methods = [("bkm",), ("bkm", "--outliers"), ("bkm", "--partition", "dp"), ("abc",)]
    for weight, options in combinations([0.001, 1e-6], methods):
        np.savetxt(tmp_path / "w.csv", np.full(60, weight))
        found = fit(tmp_path, "x.csv", "--method", *options, "--weights", "w.csv")
        assert found["k"] == 1 or "dp" in options, options  # which does not mind clusters of less than a row
        assert found["k"] < 10 and np.isfinite(found["objective"]["value"]), options
        assert any("weights count rows" in warning for warning in found["warnings"]), found["warnings"]
    for weight, method in combinations([1e300, 1e-300], METHODS):
        np.savetxt(tmp_path / "w.csv", np.r_[np.ones(59), weight])
        check_refusal(run(tmp_path, "fit", "x.csv", "--method", *method, "--weights", "w.csv", "--out", "o"), "row 60 weighs")


def test_data_in_other_units_have_the_same_clusters(tmp_path):
    rows = np.loadtxt(mixture(tmp_path, rows=120, dimensions=2, k=3), delimiter=",", skiprows=1)
    methods = [("gmm", "--k", "3", "--restarts", "3"), ("kmeans", "--k", "3"), ("bkm",)]
    for method, factor in combinations(methods, [1e-6, 1.0, 1e6, 1e-4]):
        np.save(tmp_path / "x.npy", rows * factor)
        fit(tmp_path, "x.npy", "--method", *method)
        assert score(tmp_path, "truth.csv")["ari"] > 0.95, (method, factor)


@pytest.mark.parametrize("options", cases([(), ("--prior", "paper")], [(), ("--prior", "paper"), ("--prior", "grid"), ("--partition", "dp")]))
def test_outliers_take_what_bkm_takes(tmp_path, options):
    random = np.random.default_rng(1)
    rows = np.r_[random.normal(size=(30, 2)), random.normal(size=(30, 2)) + 20.0]
    tables = {"constant": np.c_[rows, np.full(60, 7.0)], "all constant": np.full((20, 2), 2.0), "one row": rows[:1],
              "wide": random.normal(size=(6, 20)), "copies": np.repeat(rows[:5], 8, axis=0)}
    for name, table in tables.items():
        np.save(tmp_path / "x.npy", table)
        for outliers in ((), ("--outliers",)):
            found = fit(tmp_path, "x.npy", *options, *outliers)
            assert np.isfinite(found["objective"]["value"]), (name, outliers)
        if name in ("constant", "all constant", "one row"):
            assert (labels_of(tmp_path / "out/labels.csv") >= 0).all(), name
    np.save(tmp_path / "x.npy", np.c_[np.r_[rows, [[300.0, -400.0]]], np.full(61, 7.0)])
    fit(tmp_path, "x.npy", *options, "--outliers")
    assert list(np.flatnonzero(labels_of(tmp_path / "out/labels.csv") == -1)) == [60]


def test_tampered_models(tmp_path):
    """A sample; the unit tests go through every number."""
    mixture(tmp_path, rows=60, dimensions=2, k=2)
    fit(tmp_path, "x.csv", "--family", "gaussian")
    with zipfile.ZipFile(tmp_path / "out/model.coppice") as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    for array, value in combinations(["prior/m0.npy", "stats.npy", "prior/b0.npy", "origin.npy"], [1e300, -1e300]):
        (tmp_path / "part.npy").write_bytes(parts[array])
        numbers = np.load(tmp_path / "part.npy")
        numbers.flat[-1] = value
        np.save(tmp_path / "part.npy", numbers)
        with zipfile.ZipFile(tmp_path / "bad.coppice", "w") as archive:
            for name, data in parts.items():
                archive.writestr(name, (tmp_path / "part.npy").read_bytes() if name == array else data)
        for command in (("predict", "bad.coppice", "x.csv", "--probabilities"), ("density", "bad.coppice", "x.csv"),
                        ("info", "bad.coppice"), ("score", "x.csv", "--labels", "truth.csv", "--model", "bad.coppice"),
                        ("fit", "x.csv", "--method", "abc", "--start-from", "bad.coppice", "--out", "tree", "--force")):
            done = run(tmp_path, *command)
            assert done.returncode in (OK, DATA), (array, value, command, done.returncode, done.stderr)
            assert done.returncode == DATA or "nan" not in done.stdout, (array, value, command)
