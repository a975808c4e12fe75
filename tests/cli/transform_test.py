# SPDX-License-Identifier: BSD-3-Clause
"""`--transform`: learnt by `fit`, kept in the model, applied again by the other commands."""

import json
import re
import zipfile

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from at_length import combinations
from program import DATA, OK, USAGE, csv_columns, fit, labels_of, left_behind, mixture, run, score, succeed

MODEL = "out/model.coppice"
CHAINS = ["standardize", "normalize", "log1p", "binarize:2", "pca:2", "project:2", "standardize,pca:2",
          "log1p,normalize,project:3", "standardize,pca:3,normalize"]
METHODS = [("bkm",), ("kmeans", "--k", "3"), ("gmm", "--k", "3")]


def write_csv(path, values, names):
    lines = [",".join(names)] + [",".join(repr(float(value)) for value in row) for row in values]
    path.write_text("\n".join(lines) + "\n")


@pytest.fixture(name="folder")
def fixture_folder(tmp_path):
    """Four positive columns of very different scales; three groups."""
    random = np.random.default_rng(1)
    groups = random.integers(0, 3, 300)
    centres = np.array([[10, 100, 1, 5], [20, 100, 3, 5], [10, 400, 3, 5]])
    values = centres[groups] * np.exp(0.05 * random.normal(size=(300, 4)))
    write_csv(tmp_path / "x.csv", values, ["a", "b", "c", "d"])
    (tmp_path / "truth.csv").write_text("label\n" + "".join(f"{group}\n" for group in groups))
    return tmp_path


def data_of(folder):
    return np.loadtxt(folder / "x.csv", delimiter=",", skiprows=1)


def array_in_model(folder, name):
    with zipfile.ZipFile(folder / MODEL) as archive, archive.open(name) as file:
        return np.load(file)


@pytest.mark.parametrize("chain, method", combinations(CHAINS, METHODS))
def test_predict_repeats_the_transforms(folder, chain, method):
    result = fit(folder, "x.csv", "--method", *method, "--transform", chain)
    assert result["options"]["transform"] == chain
    assert result["input"]["columns"] == 4 and result["input"]["rows"] == 300
    found = labels_of(folder / "out/labels.csv")
    succeed(folder, "predict", MODEL, "x.csv", "--out", "new.csv")
    np.testing.assert_array_equal(labels_of(folder / "new.csv"), found)
    # Columns are found by name, in the input's names.
    _, rows = csv_columns((folder / "x.csv").read_text())
    moved = ["d,other,b,a,c"] + [f"{row[3]},7,{row[1]},{row[0]},{row[2]}" for row in rows]
    (folder / "moved.csv").write_text("\n".join(moved) + "\n")
    succeed(folder, "predict", MODEL, "moved.csv", "--out", "moved_labels.csv")
    np.testing.assert_array_equal(labels_of(folder / "moved_labels.csv"), found)


@pytest.mark.parametrize("chain", ["standardize", "pca:2", "project:2"])
def test_score_and_density_see_the_transformed_rows(folder, chain):
    result = fit(folder, "x.csv", "--transform", chain, "--seed", 3)
    asked = ["score", "x.csv", "--labels", "out/labels.csv", "--json"]
    objective = result["objective"]["value"]
    # Without the model the prior is fitted anew to the labels: up to what a fit of it must gain to be kept.
    for more, tolerance in ((["--model", MODEL], 1e-9 * abs(objective)),
                            (["--transform", chain, "--seed", 3], 0.5 + 1e-5 * abs(objective))):
        found = json.loads(succeed(folder, *asked, *more).stdout)
        assert found["objective"] == pytest.approx(objective, rel=0, abs=tolerance), more
    plain = json.loads(succeed(folder, *asked).stdout)
    assert plain["objective"] != pytest.approx(result["objective"]["value"], rel=1e-3)
    text = succeed(folder, "density", MODEL, "x.csv").stdout
    assert np.isfinite([float(row[1]) for row in csv_columns(text)[1]]).all()
    done = run(folder, *asked, "--model", MODEL, "--transform", chain)
    assert done.returncode == USAGE and "--transform does not go with --model" in done.stderr


def test_standardize_is_that_of_scikit_learn(folder):
    result = fit(folder, "x.csv", "--transform", "standardize")
    scaler = StandardScaler().fit(data_of(folder))
    np.testing.assert_allclose(array_in_model(folder, "transform/0/mean.npy"), scaler.mean_, rtol=1e-12)
    np.testing.assert_allclose(array_in_model(folder, "transform/0/deviation.npy"), scaler.scale_, rtol=1e-12)
    labels = labels_of(folder / "out/labels.csv")
    for cluster in result["clusters"]:  # in the input's units again
        np.testing.assert_allclose(cluster["mean"], data_of(folder)[labels == cluster["label"]].mean(axis=0), rtol=1e-9)
    assert result["transform"]["means"] == "exact"
    assert score(folder, "truth.csv")["ari"] == 1.0


def test_pca_is_that_of_scikit_learn(folder):
    result = fit(folder, "x.csv", "--transform", "pca:2")
    peer = PCA(2, svd_solver="full").fit(data_of(folder))
    components = array_in_model(folder, "transform/0/components.npy")
    np.testing.assert_allclose(np.abs(np.sum(components * peer.components_, axis=1)), 1.0, rtol=1e-9)
    assert all(row[np.abs(row).argmax()] > 0 for row in components)
    ratio = result["transform"]["steps"][0]["explained_variance_ratio"]
    np.testing.assert_allclose(ratio, peer.explained_variance_ratio_, rtol=1e-9)
    # Means of clusters: projected, averaged, taken back.
    labels = labels_of(folder / "out/labels.csv")
    projected = peer.inverse_transform(peer.transform(data_of(folder)))
    for cluster in result["clusters"]:
        np.testing.assert_allclose(cluster["mean"], projected[labels == cluster["label"]].mean(axis=0), rtol=1e-6)
    assert result["transform"]["means"] == "approximate"
    np.testing.assert_allclose(array_in_model(folder, "means.npy"), [c["mean"] for c in result["clusters"]])


def test_many_columns_agree_with_scikit_learn(tmp_path):
    """Beyond 1024 columns the directions come from random samples of the space."""
    random = np.random.default_rng(2)
    values = random.normal(size=(200, 1500)) * 0.9 ** np.arange(1500) + 3.0
    np.save(tmp_path / "wide.npy", values)
    fit(tmp_path, "wide.npy", "--method", "kmeans", "--k", "2", "--transform", "pca:5")
    peer = PCA(5, svd_solver="full").fit(values)
    components = array_in_model(tmp_path, "transform/0/components.npy")
    np.testing.assert_allclose(np.abs(np.sum(components * peer.components_, axis=1)), 1.0, atol=1e-6)


def test_float32_stays_float32_and_threads_do_not_matter(tmp_path):
    random = np.random.default_rng(3)
    np.save(tmp_path / "x.npy", random.normal(size=(9000, 6)).astype(np.float32) + 10)
    models = []
    for threads in (1, 3):
        result = fit(tmp_path, "x.npy", "--method", "kmeans", "--k", "4", "--transform", "standardize,pca:3",
                     "--threads", threads)
        assert result["input"]["storage"] == "float32"
        models.append((tmp_path / MODEL).read_bytes())
    assert models[0] == models[1]


@pytest.mark.parametrize("chain, says", [
    ("standardize", "the means are taken back to the input's columns\n"),
    ("pca:2", "the means are taken back to the input's columns, approximately\n"),
    ("project:2", "the means are in those columns, since there is no way back\n")])
def test_the_table_says_which_columns_the_means_are_of(folder, chain, says):
    text = succeed(folder, "fit", "x.csv", "--transform", chain, "--out", "out").stdout
    assert f"Clustered after {chain}" in text and says in text
    heading = next(line for line in text.splitlines() if "cluster" in line and "share" in line)
    names = ["p1", "p2"] if chain == "project:2" else ["a", "b", "c", "d"]
    assert re.search(r"\s+".join(names), heading)
    info = succeed(folder, "info", MODEL).stdout
    assert f"Clustered after {chain}" in info and says in info
    assert "fitted to 300 rows x 4 columns" in info
    assert f"{names[0]}=" in info


def test_warnings_are_told_and_written(folder):
    values = data_of(folder)
    values[:, 3] = 5.0
    write_csv(folder / "x.csv", values, ["a", "b", "c", "d"])
    done = succeed(folder, "fit", "x.csv", "--transform", "standardize", "--out", "out")
    sentence = "standardize: 'd' is constant and became 0"
    assert sentence in done.stderr
    assert sentence in json.loads((folder / "out/summary.json").read_text())["warnings"]


@pytest.mark.parametrize("chain", ["", "standardize", "drop-constant", "standardize,drop-constant"])
def test_constant_columns_are_left_out_and_come_back(folder, chain):
    values = data_of(folder)
    values[:, 1] = 42.0
    write_csv(folder / "x.csv", values, ["a", "b", "c", "d"])
    fit(folder, "x.csv", *(["--transform", chain] if chain else []))
    found = labels_of(folder / "out/labels.csv")
    succeed(folder, "predict", MODEL, "x.csv", "--out", "new.csv")
    np.testing.assert_array_equal(labels_of(folder / "new.csv"), found)
    succeed(folder, "density", MODEL, "x.csv", "--out", "density.csv")
    succeed(folder, "score", "x.csv", "--labels", "out/labels.csv", "--model", MODEL)
    with zipfile.ZipFile(folder / MODEL) as archive:
        steps = [step["spec"] for step in json.loads(archive.read("model.json"))["transforms"]["steps"]]
    assert steps[-1] == "drop-constant"
    np.testing.assert_allclose(array_in_model(folder, "means.npy")[:, 1], 42.0, rtol=1e-12)


@pytest.mark.parametrize("chain, code, says", [
    ("standardise", USAGE, "did you mean standardize?"),
    ("whiten", USAGE, "the transforms are: standardize, normalize, pca, project, log1p, binarize, drop-constant"),
    ("pca", USAGE, "pca needs a number of dimensions, as in pca:50"),
    ("pca:0", USAGE, "expected a number of dimensions from 1"),
    ("pca:9", USAGE, "300 rows of 4 columns hold at most 4 directions"),
    ("binarize:x", USAGE, "expected a number as threshold"),
    ("", USAGE, "a transform is missing"),
    ("standardize,log1p", DATA, "log1p needs values above -1")])
def test_errors_leave_nothing_behind(folder, chain, code, says):
    before = left_behind(folder)
    done = run(folder, "fit", "x.csv", "--transform", chain, "--out", "out")
    assert done.returncode == code, done.stderr
    assert says in done.stderr and done.stdout == ""
    assert left_behind(folder) == before


def test_words_are_refused_with_the_numeric_columns(folder):
    lines = (folder / "x.csv").read_text().splitlines()
    (folder / "x.csv").write_text("\n".join([lines[0] + ",kind"] + [line + ",red" for line in lines[1:]]) + "\n")
    done = run(folder, "fit", "x.csv", "--transform", "pca:2", "--out", "out")
    assert done.returncode == USAGE and "--columns a,b,c,d" in done.stderr
    succeed(folder, "fit", "x.csv", "--transform", "pca:2", "--out", "out", "--columns", "a,b,c,d", "--quiet")
    assert run(folder, "predict", MODEL, "x.csv").returncode == OK


def test_models_with_damaged_transforms_are_refused(folder):
    fit(folder, "x.csv", "--transform", "standardize,pca:2")
    with zipfile.ZipFile(folder / MODEL) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    parts = [name for name in contents if name.startswith("transform/")]
    assert len(parts) == 5
    text = contents["model.json"].decode()
    changes = [{name: None} for name in parts]
    changes += [{"model.json": text.replace('"standardize"', '"whiten"').encode()},
                {"model.json": text.replace("pca:2", "pca:1").encode()},
                {"model.json": text.replace('"seed": 0', '"seed": -1').encode()},
                {parts[0]: contents[parts[0]][:-8]}]
    for change in changes:
        with zipfile.ZipFile(folder / "bad.coppice", "w") as archive:
            for name, content in {**contents, **change}.items():
                if content is not None:
                    archive.writestr(name, content)
        done = run(folder, "predict", "bad.coppice", "x.csv")
        assert done.returncode == DATA and "bad.coppice" in done.stderr, (list(change), done.stderr)


def test_models_without_transforms_are_as_before(tmp_path):
    mixture(tmp_path)
    result = fit(tmp_path, "x.csv")
    assert result["options"]["transform"] is None and "transform" not in result
    with zipfile.ZipFile(tmp_path / MODEL) as archive:
        description = json.loads(archive.read("model.json"))
        contents = {name: archive.read(name) for name in archive.namelist()}
    assert description["version"] == 3 and description["needs"] == []
    del description["kind"], description["needs"]
    description["version"] = 1
    with zipfile.ZipFile(tmp_path / "old.coppice", "w") as archive:
        for name, content in {**contents, "model.json": json.dumps(description)}.items():
            archive.writestr(name, content)
    assert (succeed(tmp_path, "predict", "old.coppice", "x.csv").stdout ==
            succeed(tmp_path, "predict", MODEL, "x.csv").stdout)
