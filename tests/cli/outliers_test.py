# SPDX-License-Identifier: BSD-3-Clause
"""--outliers: rows that fit no cluster, from the fit to its files and to new rows."""

import json
import zipfile

import numpy as np
import pytest

from program import DATA, USAGE, fit, labels_of, run, succeed


@pytest.fixture(name="folder", scope="module")
def fixture_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("outliers")
    random = np.random.default_rng(1)
    centres = np.array([[0, 0], [12, 0], [0, 12]])
    near = np.repeat(centres, 100, axis=0) + random.normal(size=(300, 2))
    np.save(folder / "x.npy", np.vstack([near, random.uniform(-60, 70, size=(30, 2))]))
    np.save(folder / "truth.npy", np.repeat([0, 1, 2, -1], [100, 100, 100, 30]))
    return folder


@pytest.fixture(name="fitted", scope="module")
def fixture_fitted(folder):
    succeed(folder, "fit", "x.npy", "--outliers", "--out", "fitted", "--quiet")
    return folder / "fitted"


def test_summary_labels_and_table(folder):
    summary = fit(folder, "x.npy", "--outliers", "--truth", "truth.npy")
    labels = labels_of(folder / "out/labels.csv")
    assert summary["k"] == 3 and summary["options"]["outliers"] is True
    n_outliers = int((labels == -1).sum())
    assert summary["outliers"] == {"rows": n_outliers, "weight": n_outliers, "share": n_outliers / 330}
    assert 25 <= n_outliers <= 33 and labels[300:].max() <= 2
    assert sum(cluster["size"] for cluster in summary["clusters"]) == 330 - n_outliers
    assert summary["scores"]["ari"] > 0.95
    printed = succeed(folder, "fit", "x.npy", "--outliers", "--out", "again").stdout.splitlines()
    table = printed[2:printed.index("", 2)]
    assert table[-1].split()[:2] == ["-1", str(n_outliers)]
    succeed(folder, "fit", "x.npy", "--outliers", "--labels-format", "npy", "--out", "npy", "--quiet")
    np.testing.assert_array_equal(np.load(folder / "npy/labels.npy"), labels)


def test_without_the_option_nothing_is_said_of_outliers(folder):
    summary = fit(folder, "x.npy")
    assert "outliers" not in summary and labels_of(folder / "out/labels.csv").min() == 0
    with zipfile.ZipFile(folder / "out/model.coppice") as archive:
        assert "background" not in json.loads(archive.read("model.json"))


def test_new_rows_and_scores(folder):
    summary = fit(folder, "x.npy", "--outliers")
    labels = labels_of(folder / "out/labels.csv")
    new = succeed(folder, "predict", "out/model.coppice", "x.npy", "--probabilities", "--out", "new.csv", "--force")
    assert new.returncode == 0
    np.testing.assert_array_equal(labels_of(folder / "new.csv"), labels)
    (folder / "far.csv").write_text("x1,x2\n1e7,1e7\n")
    assert succeed(folder, "predict", "out/model.coppice", "far.csv").stdout.split()[-1].split(",")[1] == "-1"
    with_model = succeed(folder, "score", "x.npy", "--labels", "out/labels.csv", "--model", "out/model.coppice", "--json")
    assert json.loads(with_model.stdout)["objective"] == pytest.approx(summary["objective"]["value"], rel=1e-9)
    by_method = json.loads(succeed(folder, "score", "x.npy", "--labels", "out/labels.csv", "--outliers", "--json").stdout)
    as_cluster = json.loads(succeed(folder, "score", "x.npy", "--labels", "out/labels.csv", "--json").stdout)
    assert by_method["objective"] == pytest.approx(summary["objective"]["value"], rel=0.01)
    assert by_method["objective"] < as_cluster["objective"]


def test_stability_beside_outliers(folder):
    stability = fit(folder, "x.npy", "--outliers", "--stability", 3)["stability"]
    assert stability["resamples"] == 3 and len(stability["clusters"]) == 3
    assert all(cluster["recurrence"] > 0.9 for cluster in stability["clusters"])


@pytest.mark.parametrize("family", ["multinomial", "bernoulli", "uninformative"])
def test_other_families_are_refused(folder, family):
    (folder / "bits.csv").write_text("a,b\n0,1\n1,0\n1,1\n")
    done = run(folder, "fit", "bits.csv", "--family", family, "--outliers", "--out", "no")
    assert done.returncode == USAGE and "--outliers" in done.stderr and not (folder / "no").exists()


@pytest.mark.parametrize("background", [{}, [], 3, {"log_volume": "x", "weight": 1}, {"log_volume": 1},
                                        {"log_volume": None, "weight": 1}, {"log_volume": 1, "weight": -1},
                                        {"log_volume": 1, "weight": 1e9}])
def test_nonsense_backgrounds_are_refused(folder, fitted, background):
    with zipfile.ZipFile(fitted / "model.coppice") as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    description = json.loads(contents["model.json"])
    description["background"] = background
    with zipfile.ZipFile(folder / "bad.coppice", "w") as archive:
        for name, content in {**contents, "model.json": json.dumps(description)}.items():
            archive.writestr(name, content)
    done = run(folder, "predict", "bad.coppice", "x.npy")
    assert done.returncode == DATA and "bad.coppice" in done.stderr
