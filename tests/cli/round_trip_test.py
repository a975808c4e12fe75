# SPDX-License-Identifier: BSD-3-Clause
"""A model written by `fit` and used by the other commands."""

import json
import math
import re

import numpy as np
import pytest

from program import csv_columns, fit, labels_of, mixture, succeed

MODEL = "out/model.coppice"


@pytest.fixture(name="fitted", params=[[], ["--partition", "dp"], ["--k", "6"]], ids=["default", "dp", "k6"])
def fixture_fitted(tmp_path, request):
    mixture(tmp_path)
    return tmp_path, fit(tmp_path, "x.csv", *request.param), request.param


def columns_of(text):
    header, rows = csv_columns(text)
    return {name: [row[at] for row in rows] for at, name in enumerate(header)}


def test_predict_gives_the_labels_of_the_fit(fitted):
    folder, _, _ = fitted
    succeed(folder, "predict", MODEL, "x.csv", "--out", "new.csv")
    np.testing.assert_array_equal(labels_of(folder / "new.csv"), labels_of(folder / "out/labels.csv"))
    assert succeed(folder, "predict", MODEL, "x.csv").stdout == (folder / "new.csv").read_text()
    succeed(folder, "predict", MODEL, "x.csv", "--out", "new.npy")
    array = np.load(folder / "new.npy")
    assert array.dtype == np.int32
    np.testing.assert_array_equal(array, labels_of(folder / "out/labels.csv"))


def test_predict_finds_columns_by_name(fitted):
    folder, _, _ = fitted
    _, rows = csv_columns((folder / "x.csv").read_text())
    lines = ["x3,other,x1,x2"] + [f"{row[2]},7,{row[0]},{row[1]}" for row in rows]
    (folder / "moved.csv").write_text("\n".join(lines) + "\n")
    assert succeed(folder, "predict", MODEL, "moved.csv").stdout == succeed(folder, "predict", MODEL, "x.csv").stdout


def test_probabilities_are_those_of_the_fit(fitted):
    folder, _, _ = fitted
    new = columns_of(succeed(folder, "predict", MODEL, "x.csv", "--probabilities").stdout)
    old = columns_of((folder / "out/labels.csv").read_text())
    assert new["label"] == old["label"]
    # exp of a difference of logs of size 100 or less, each rounded: 100 * 2^-52 and a factor for the sums.
    np.testing.assert_allclose(np.array(new["probability"], float), np.array(old["probability"], float), rtol=1e-11)
    assert "probability" not in columns_of(succeed(folder, "predict", MODEL, "x.csv").stdout)


def test_score_is_the_objective_of_the_fit(fitted):
    folder, result, options = fitted
    priors = [option for option in options if option in ("--partition", "dp")]
    objective = result["objective"]["value"]
    # Without the model the prior is fitted anew to the labels: up to what a fit of it must gain to be kept.
    for more, tolerance in ((["--model", MODEL], 1e-9 * abs(objective)), (priors, 0.5 + 1e-5 * abs(objective))):
        found = json.loads(succeed(folder, "score", "x.csv", "--labels", "out/labels.csv", "--json", *more).stdout)
        assert found["objective"] == pytest.approx(objective, rel=0, abs=tolerance), more
        bits = found["objective"] / (math.log(2) * result["input"]["rows"])
        assert found["bits_per_row"] == pytest.approx(bits, rel=1e-9), more
    spoilt = labels_of(folder / "out/labels.csv")
    spoilt[0] = (spoilt[0] + 1) % result["k"]
    (folder / "spoilt.csv").write_text("label\n" + "".join(f"{label}\n" for label in spoilt))
    worse = json.loads(succeed(folder, "score", "x.csv", "--labels", "spoilt.csv", "--json", "--model", MODEL).stdout)
    assert worse["objective"] > result["objective"]["value"]


def test_density_prints_the_mean_of_what_it_writes(fitted):
    folder, _, _ = fitted
    done = succeed(folder, "density", MODEL, "x.csv", "--out", "density.csv")
    written = np.array(columns_of((folder / "density.csv").read_text())["log_density"], float)
    assert len(written) == 600 and np.isfinite(written).all()
    found = re.fullmatch(r"600 rows, mean log density (\S+) nats\n", done.stdout)
    assert found and float(found[1]) == pytest.approx(written.mean(), abs=0.6e-6)  # printed with six decimals
    succeed(folder, "density", MODEL, "x.csv", "--out", "density.npy")
    np.testing.assert_allclose(np.load(folder / "density.npy"), written, rtol=1e-12)
    (folder / "far.csv").write_text("x1,x2,x3\n1000,1000,1000\n")
    far = columns_of(succeed(folder, "density", MODEL, "far.csv").stdout)["log_density"]
    assert float(far[0]) < written.min()


def test_info_describes_tables_and_models(fitted):
    folder, result, _ = fitted
    table = succeed(folder, "info", "x.csv").stdout
    assert "600 rows x 3 columns" in table
    lines = [line.split() for line in table.splitlines()]
    data = np.loadtxt(folder / "x.csv", delimiter=",", skiprows=1)
    for column in range(3):
        line = next(line for line in lines if line[:1] == [f"x{column + 1}"])
        # Shown with four significant digits, or six decimals.
        assert float(line[-1]) == pytest.approx(data[:, column].max(), rel=6e-4, abs=6e-7)
    model = succeed(folder, "info", MODEL).stdout
    assert f"a model of {result['k']} clusters (bkm, gaussian), fitted to 600" in model
    assert f"{result['objective']['value']:.6f}" in model


def test_methods_lists_every_option_of_fit(tmp_path):
    assert re.search(r"^bkm\s+\S", succeed(tmp_path, "methods").stdout, re.MULTILINE)
    listed = set(re.findall(r"^\s*(--[a-z0-9-]+)\s", succeed(tmp_path, "methods", "bkm").stdout, re.MULTILINE))
    text = succeed(tmp_path, "fit", "--help").stdout
    section = text[text.index("Method bkm:"):]
    shown = set(re.findall(r"^\s+(--[a-z0-9-]+)[\s,]", section, re.MULTILINE))
    assert {"--k", "--max-k", "--seed"} <= shown
    assert listed == shown


def test_held_out_densities_of_rounded_values_compare(tmp_path):
    """Whole numbers about two centres: the density is that of a Gaussian wherever it is fitted, and adds up to one."""
    rng = np.random.default_rng(4)
    values = np.round(rng.normal(0, 2, 3000) + 40 * rng.integers(2, size=3000)).astype(int)
    (tmp_path / "x.csv").write_text("x\n" + "".join(f"{value}\n" for value in values))
    grid = np.arange(-30, 70, 0.05)
    (tmp_path / "grid.csv").write_text("x\n" + "".join(f"{value}\n" for value in grid))
    means = {}
    for method in (["--family", "gaussian", "--k", "2"], ["--method", "gmm", "--k", "2"]):
        found = fit(tmp_path, "x.csv", *method)
        density = {}
        for table in ("x.csv", "grid.csv"):
            lines = csv_columns(succeed(tmp_path, "density", "out", table).stdout)[1]
            density[table] = np.array([float(line[1]) for line in lines])
        assert np.exp(density["grid.csv"]).sum() * 0.05 == pytest.approx(1, abs=1e-3)
        means[found["method"]] = density["x.csv"].mean()
    assert means["bkm"] == pytest.approx(means["gmm"], abs=0.01)
