# SPDX-License-Identifier: BSD-3-Clause
"""New rows of a model."""

import math

import numpy as np
import pytest

from program import IO, USAGE, csv_columns, fit, labels_of, left_behind, mixture, run, score, succeed, summary

MODEL = "out/model.coppice"


def table_of(path):
    header, rows = csv_columns(path.read_text())
    return header, np.array(rows, float)


def share_bound(p, n, log_odds=math.log(2e6)):
    """How far the share of an event of probability p may be from p in n draws, but in one of a million (Bernstein)."""
    return np.sqrt(2 * p * (1 - p) * log_odds / n) + log_odds / (3 * n)


@pytest.mark.parametrize("options", [["--family", "gaussian"], ["--family", "diagonal"], ["--family", "student"],
                                     ["--method", "gmm", "--k", "4"], ["--partition", "dp"]], ids=" ".join)
def test_a_fit_of_a_sample_finds_the_model_again(tmp_path, options):
    rng = np.random.default_rng(5)
    centres, scales = rng.normal(0, 20, (4, 3)), rng.uniform(0.5, 2, (4, 3))
    made_by = rng.choice(4, 4000, p=[0.4, 0.3, 0.2, 0.1])
    rows = centres[made_by] + scales[made_by] * rng.standard_normal((4000, 3))
    np.savetxt(tmp_path / "x.csv", rows, delimiter=",", header="x1,x2,x3", comments="")
    first = fit(tmp_path, "x.csv", *options)
    succeed(tmp_path, "sample", MODEL, "--rows", "4000", "--seed", "1", "--out", "y.csv", "--labels", "y-truth.csv")
    succeed(tmp_path, "fit", "y.csv", *options, "--out", "again", "--quiet")
    again = summary(tmp_path / "again")
    n_new = (labels_of(tmp_path / "y-truth.csv") == 4).sum()  # by a process, some rows are of clusters not seen yet
    assert first["k"] == 4 and again["k"] == 4 + n_new and (n_new == 0 or options == ["--partition", "dp"])
    assert score(tmp_path, "y-truth.csv", "again/labels.csv")["ari"] > 0.99
    labels = labels_of(tmp_path / "out/labels.csv")
    for cluster in first["clusters"]:
        members = rows[labels == cluster["label"]]
        distances = [np.linalg.norm(np.array(cluster["mean"]) - np.array(other["mean"])) for other in again["clusters"]]
        other = again["clusters"][int(np.argmin(distances))]
        # The mean of n rows has the covariance of one over n; six of its deviations (and as many for the parameters not
        # being known) are more than one sample of a million needs.
        assert min(distances) < 12 * math.sqrt(np.cov(members.T).trace() / len(members))
        assert abs(other["size"] - cluster["size"]) / 4000 < 2 * share_bound(cluster["size"] / 4000, 4000)


def test_samples_of_heavy_tails_are_found_again(tmp_path):
    """Where rows are made by Student-t clusters, a fit takes them for such."""
    rng = np.random.default_rng(1)
    centres = np.array([[0, 0], [30, 0]])
    rows = centres[rng.integers(2, size=3000)] + rng.standard_normal((3000, 2)) / np.sqrt(rng.chisquare(3, (3000, 1)) / 3)
    np.savetxt(tmp_path / "t.csv", rows, delimiter=",", header="a,b", comments="")
    first = fit(tmp_path, "t.csv")
    assert first["family"].startswith("student") and first["k"] == 2
    succeed(tmp_path, "sample", "out", "--rows", "3000", "--out", "y.csv")
    succeed(tmp_path, "fit", "y.csv", "--out", "again", "--quiet")
    again = summary(tmp_path / "again")
    assert again["family"].startswith("student") and again["k"] == 2
    assert again["prior"]["freedom"] == pytest.approx(first["prior"]["freedom"], rel=0.5)


def test_counts_and_bits_are_found_again(tmp_path):
    for kind, clear, options in (("counts", 4, ["--family", "multinomial"]), ("binary", 0.4, [])):
        succeed(tmp_path, "generate", kind, "--rows", "900", "--k", "3", "--concentration", clear, "--out", f"{kind}.csv")
        first = fit(tmp_path, f"{kind}.csv", *options)
        succeed(tmp_path, "sample", "out", "--rows", "900", "--out", f"{kind}-new.csv", "--labels", f"{kind}-truth.csv")
        header, rows = table_of(tmp_path / f"{kind}-new.csv")
        assert header == table_of(tmp_path / f"{kind}.csv")[0]
        assert set(np.unique(rows)) <= ({0, 1} if kind == "binary" else set(range(101)))
        if kind == "counts":
            assert (rows.sum(axis=1) == 100).all()  # as many words as every row of the fit
        succeed(tmp_path, "fit", f"{kind}-new.csv", *options, "--out", f"{kind}-again", "--quiet")
        assert summary(tmp_path / f"{kind}-again")["k"] == first["k"] == 3
        assert score(tmp_path, f"{kind}-truth.csv", f"{kind}-again/labels.csv")["ari"] > 0.95


def test_rows_hang_on_the_seed_alone(tmp_path):
    mixture(tmp_path)
    fit(tmp_path, "x.csv")
    one = succeed(tmp_path, "sample", MODEL, "--rows", "9000", "--threads", "1").stdout
    assert succeed(tmp_path, "sample", MODEL, "--rows", "9000", "--threads", "3").stdout == one
    assert one.startswith(succeed(tmp_path, "sample", "out", "--rows", "5000").stdout)
    assert succeed(tmp_path, "sample", MODEL, "--rows", "9000", "--seed", "1").stdout != one
    assert len(succeed(tmp_path, "sample", MODEL).stdout.splitlines()) == 1001
    succeed(tmp_path, "sample", MODEL, "--rows", "50", "--out", "new.npy", "--labels", "new-labels.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "new.npy"), np.loadtxt(one.splitlines()[1:51], delimiter=","))
    assert np.load(tmp_path / "new-labels.npy").shape == (50,)


def test_numbers_look_as_those_of_the_table(tmp_path):
    """Tenths and whole numbers from 0 on, through a transform and back."""
    rng = np.random.default_rng(2)
    lines = ["length,flowers,open"]
    for _ in range(400):
        lines.append(f"{rng.normal(20, 3):.1f},{rng.poisson(2)},{rng.integers(2)}")
    (tmp_path / "x.csv").write_text("\n".join(lines) + "\n")
    fit(tmp_path, "x.csv", "--transform", "standardize", "--family", "gaussian", "--max-k", "2")
    header, rows = csv_columns(succeed(tmp_path, "sample", "out", "--rows", "500").stdout)
    assert header == ["length", "flowers", "open"]
    for length, flowers, is_open in rows:
        assert len(length.partition(".")[2]) <= 1 and flowers.isdigit() and is_open in ("0", "1")
    raw = np.array(csv_columns(succeed(tmp_path, "sample", "out", "--rows", "500", "--unrounded").stdout)[1], float)
    np.testing.assert_array_equal(np.array(rows, float)[:, 0], np.round(raw[:, 0], 1))


def test_transforms_without_a_way_back_are_named(tmp_path):
    mixture(tmp_path, dimensions=4)
    fit(tmp_path, "x.csv", "--transform", "standardize")
    assert succeed(tmp_path, "sample", "out", "--rows", "5").stderr == ""
    fit(tmp_path, "x.csv", "--transform", "project:2")
    done = succeed(tmp_path, "sample", "out", "--rows", "5")
    assert "no way back through project:2" in done.stderr and done.stdout.startswith("p1,p2\n")
    fit(tmp_path, "x.csv", "--transform", "pca:2")
    done = succeed(tmp_path, "sample", "out", "--rows", "5")
    assert "taken back through pca:2" in done.stderr and done.stdout.startswith("x1,x2,x3,x4\n")


def test_outliers_come_back(tmp_path):
    mixture(tmp_path, dimensions=2)
    rng = np.random.default_rng(3)
    with (tmp_path / "x.csv").open("a") as file:
        np.savetxt(file, rng.uniform(-200, 200, (60, 2)), delimiter=",")
    found = fit(tmp_path, "x.csv", "--outliers")
    succeed(tmp_path, "sample", "out", "--rows", "5000", "--out", "y.csv", "--labels", "y-labels.csv")
    labels = labels_of(tmp_path / "y-labels.csv")
    n_outside = (labels_of(tmp_path / "out/labels.csv") == -1).sum()
    share = n_outside / 660
    assert n_outside > 20 and abs((labels == -1).mean() - share) < share_bound(share, 5000) + 2 * found["k"] / 660
    _, old = table_of(tmp_path / "x.csv")
    _, new = table_of(tmp_path / "y.csv")
    outside = new[labels == -1]
    assert (outside >= old.min(axis=0)).all() and (outside <= old.max(axis=0)).all()


def test_what_cannot_make_rows_is_refused(tmp_path):
    mixture(tmp_path)
    for method in ("kmeans", "ward"):
        succeed(tmp_path, "fit", "x.csv", "--method", method, "--k", "4", "--out", method, "--quiet")
        before = left_behind(tmp_path)
        done = run(tmp_path, "sample", method, "--rows", "5", "--out", "new.csv", "--labels", "new-labels.csv")
        assert done.returncode == USAGE and done.stdout == ""
        assert f"{method}: {method} knows distances, not densities" in done.stderr
        assert left_behind(tmp_path) == before
    fit(tmp_path, "x.csv")
    for wrong, code, word in ((["--rows", "0"], USAGE, "--rows is 0"), (["--rows", "-3"], USAGE, "--rows"),
                              (["--rows", "99999999999999"], 5, "--rows"), (["--out", "x.csv"], IO, "x.csv"),
                              (["--out", "y.csv", "--labels", "y.csv"], USAGE, "two files"),
                              (["--out", "y.png"], USAGE, ".csv")):
        done = run(tmp_path, "sample", "out", *wrong)
        assert done.returncode == code and word in done.stderr, (wrong, done.stderr)
    assert run(tmp_path, "sample", "nothing").returncode == IO
