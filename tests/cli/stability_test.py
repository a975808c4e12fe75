# SPDX-License-Identifier: BSD-3-Clause
"""How sure: --stability, the lead of the number found, and the columns that set clusters apart."""

import re
import signal
import subprocess
import time

import numpy as np
import pytest

from program import BINARY, INTERRUPTED, OK, USAGE, fit, labels_of, left_behind, mixture, run, succeed, summary


@pytest.fixture(name="folder", scope="module")
def fixture_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stability")
    mixture(folder)
    return folder


def printed(folder, *arguments):
    return succeed(folder, "fit", *arguments, "--out", "out", "--force").stdout


def heading(text):
    return next(line for line in text.splitlines() if line.strip().startswith("cluster"))


@pytest.mark.parametrize("method", [("bkm",), ("kmeans", "--k", 4, "--restarts", 5), ("gmm", "--k", 4, "--restarts", 5)])
def test_separated_clusters_come_back(folder, method):
    result = fit(folder, "x.csv", "--method", *method, "--stability", 5)["stability"]
    assert list(result) == ["resamples", "k", "ari", "clusters", "together"]
    assert result["resamples"] == 5 and result["k"] == [{"k": 4, "count": 5}]
    assert result["ari"] > 0.98
    assert [cluster["label"] for cluster in result["clusters"]] == [0, 1, 2, 3]
    assert all(cluster["recurrence"] > 0.98 and cluster["found"] == 1 for cluster in result["clusters"])
    np.testing.assert_allclose(result["together"], np.eye(4), atol=0.02)


def test_arbitrary_clusters_do_not(tmp_path):
    np.save(tmp_path / "square.npy", np.random.default_rng(1).uniform(size=(500, 2)))
    result = fit(tmp_path, "square.npy", "--method", "kmeans", "--k", 5, "--stability", 20)["stability"]
    assert result["k"] == [{"k": 5, "count": 20}]
    assert result["ari"] < 0.8
    assert np.mean([cluster["recurrence"] for cluster in result["clusters"]]) < 0.8
    together = np.array(result["together"])
    np.testing.assert_allclose(together, together.T, atol=1e-12)
    assert np.all(np.diag(together) > 0.3) and np.max(together - np.diag(np.diag(together))) > 0.05


def test_the_fit_is_the_same_with_and_without(folder):
    plain = fit(folder, "x.csv")
    labels = labels_of(folder / "out/labels.csv")
    assert "stability" not in plain
    measured = fit(folder, "x.csv", "--stability", 3)
    np.testing.assert_array_equal(labels_of(folder / "out/labels.csv"), labels)
    assert measured["objective"] == plain["objective"] and measured["options"] == plain["options"]


def test_threads_and_row_order_do_not_matter(tmp_path):
    rows = np.random.default_rng(2).normal(size=(9000, 2))
    np.save(tmp_path / "x.npy", rows)
    np.save(tmp_path / "shuffled.npy", rows[np.random.default_rng(3).permutation(len(rows))])
    options = ("--method", "kmeans", "--k", 6, "--stability", 3)
    one = fit(tmp_path, "x.npy", *options, "--threads", 1)["stability"]
    assert fit(tmp_path, "x.npy", *options, "--threads", 4)["stability"] == one
    shuffled = fit(tmp_path, "shuffled.npy", *options)["stability"]
    assert shuffled["ari"] == pytest.approx(one["ari"], abs=1e-3)
    np.testing.assert_allclose(shuffled["together"], one["together"], atol=2e-3)


def test_transforms_are_fitted_again(folder):
    result = fit(folder, "x.csv", "--transform", "standardize,pca:2", "--stability", 3)
    assert result["stability"]["resamples"] == 3 and result["warnings"] == []


def test_what_is_printed(folder):
    text = printed(folder, "x.csv", "--stability", 4)
    assert "stable" in heading(text).split()
    assert text.count(" 100% ") == 4
    assert re.search(r"^K = 4 in 4 of 4 resamples, mean ARI 1\.000$|^K = 4 in 4 of 4 resamples, mean ARI 0\.99\d$", text, re.M)
    assert "Often in one cluster" not in text
    assert "stable" not in printed(folder, "x.csv")


def test_one_resample_is_singular(folder):
    assert "in 1 of 1 resample, mean" in printed(folder, "x.csv", "--stability", 1)


def test_clusters_that_become_one_are_named(tmp_path):
    np.save(tmp_path / "square.npy", np.random.default_rng(1).uniform(size=(300, 2)))
    text = printed(tmp_path, "square.npy", "--method", "kmeans", "--k", "2..9", "--stability", 10)
    chosen = text.split()[0]
    line = next(line for line in text.splitlines() if line.startswith("K = "))
    assert re.match(rf"K = {chosen} in \d+ of 10 resamples(?: \(\d+ in \d+(?:, \d+ in \d+)*(?:, others in \d+)?\))?, mean ARI 0\.\d+$", line)


def test_resamples_show_as_progress(folder):
    done = succeed(folder, "fit", "x.csv", "--out", "out", "--force", "--stability", 2, "--progress", "always")
    assert ", sweep" in done.stderr and "resample 1 of 2: " in done.stderr
    quiet = succeed(folder, "fit", "x.csv", "--out", "out", "--force", "--stability", 2, "--progress", "always", "--quiet")
    assert (quiet.stdout, quiet.stderr) == ("", "")


@pytest.mark.parametrize("value", ["0", "-1", "2.5", "many"])
def test_the_number_of_resamples_is_at_least_one(folder, value):
    before = left_behind(folder)
    done = run(folder, "fit", "x.csv", "--out", "none", f"--stability={value}")
    assert done.returncode == USAGE and "--stability" in done.stderr
    assert left_behind(folder) == before


def test_a_time_limit_keeps_the_fit(folder):
    since = time.monotonic()
    done = succeed(folder, "fit", "x.csv", "--out", "out", "--force", "--stability", 1000000, "--time-limit", 4)
    assert time.monotonic() - since < 30
    result = summary(folder / "out")
    assert result["converged"] and result["k"] == 4
    assert 0 < result["stability"]["resamples"] < 1000000
    assert any("stopped early (time_limit)" in warning for warning in result["warnings"])
    assert "of 1000000 resamples" in done.stderr


def test_an_interrupt_keeps_the_fit(folder):
    command = [BINARY, "fit", "x.csv", "--out", "cut", "--labels-format", "npy", "--stability", "1000000", "--progress", "always"]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while "resample" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == INTERRUPTED
    result = summary(folder / "cut")
    assert result["converged"] and result["stop_reason"] == "converged"
    assert len(np.load(folder / "cut/labels.npy")) == 600
    assert any("stopped early (cancelled)" in warning for warning in result["warnings"])


def test_without_a_resample_nothing_is_claimed(tmp_path):
    """The fit itself takes all the time there is."""
    mixture(tmp_path, name="x.npy")
    for_ever = ("--method", "kmeans", "--restarts", 1000000)
    done = run(tmp_path, "fit", "x.npy", *for_ever, "--out", "out", "--stability", 3, "--time-limit", 1.5)
    assert done.returncode == OK
    result = summary(tmp_path / "out")["stability"]
    assert result == {"resamples": 0, "k": [], "ari": None, "clusters": [], "together": None}
    assert "No resample was fitted" in done.stdout and "stable" not in heading(done.stdout).split()


def test_the_lead_of_the_number_found(folder):
    lines = [line for line in printed(folder, "x.csv").splitlines() if line.startswith("K = 4 is ahead of 3 by ")]
    assert len(lines) == 1
    result = summary(folder / "out")
    behind = {entry["k"]: entry["objective"] - result["objective"]["value"] for entry in result["k_evidence"]}
    said = re.match(r"K = 4 is ahead of 3 by ([\d.]+) nats(?: and of 5 by ([\d.]+))?$", lines[0])
    assert float(said[1]) == pytest.approx(behind[3], abs=0.5)
    assert (said[2] is not None) == (5 in behind)


def test_a_given_number_may_be_behind(folder):
    text = printed(folder, "x.csv", "--k", 2)
    assert re.search(r"^K = 2 is .*\d nats", text, re.M)


def test_columns_that_set_clusters_apart(tmp_path):
    """Two columns differ between the groups, six are noise."""
    random = np.random.default_rng(5)
    table = random.normal(size=(400, 8))
    table[:200, 2] += 12
    table[:200, 5] += 9
    np.savetxt(tmp_path / "x.csv", table, delimiter=",", header=",".join(f"c{i}" for i in range(8)), comments="")
    text = printed(tmp_path, "x.csv", "--method", "kmeans", "--k", 2)
    lines = text.splitlines()[2:5]
    assert lines[0].endswith("set apart by")
    for line in lines[1:]:
        assert sorted(line.split("  ")[-1].strip().split(", ")) == ["c2", "c5"]


def test_the_table_is_no_wider_than_about_a_hundred_characters(tmp_path):
    random = np.random.default_rng(6)
    table = random.normal(size=(300, 7)) + np.repeat([0, 9, 18], 100)[:, None]
    for length in (3, 12, 20, 40):
        names = ",".join(f"column_{i}_".ljust(length, "x") for i in range(7))
        np.savetxt(tmp_path / "x.csv", table, delimiter=",", header=names, comments="")
        text = printed(tmp_path, "x.csv", "--method", "kmeans", "--k", 3)
        assert max(map(len, text.splitlines()[2:6])) <= 104, text
        assert "column_" in heading(text)


def test_names_in_other_alphabets_are_aligned(tmp_path):
    table = np.repeat([[0.0, 0.0], [9.0, 9.0]], 50, axis=0) + np.random.default_rng(7).normal(size=(100, 2))
    np.savetxt(tmp_path / "x.csv", table, delimiter=",", header="größe,länge", comments="", encoding="utf-8")
    lines = printed(tmp_path, "x.csv", "--method", "kmeans", "--k", 2).splitlines()
    ends = {re.search("länge", lines[2]).end(), re.match(r"\s+\d\s+\d+\s+\S+\s+\S+\s+\S+", lines[3]).end()}
    assert len(ends) == 1, lines
