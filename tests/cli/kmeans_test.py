# SPDX-License-Identifier: BSD-3-Clause
"""`--method kmeans` from outside: what it writes, what it refuses, and that no acceleration changes a label."""

import json

import numpy as np
import pytest

from at_length import cases, combinations
from program import DATA, USAGE, csv_columns, fit, labels_of, left_behind, mixture, run, score, succeed

MODEL = "out/model.coppice"
ASSIGNMENTS = ("naive", "kdtree", "bounds", "auto")
KMEANS = ("--method", "kmeans")


def overlapping(folder, rows=5000, dimensions=2, k=8, name="x.npy"):
    """Clusters with many rows between them: a wrong label would show, and seeds matter."""
    size = ("--rows", rows, "--dimensions", dimensions, "--k", k)
    succeed(folder, "generate", "mixture", *size, "--tau", 1.5, "--seed", 4, "--out", name, "--labels", "truth.csv")


def data_of(folder, name="x.csv"):
    path = folder / name
    return np.load(path) if name.endswith(".npy") else np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)


def sum_of_squares(data, labels, weights=None):
    weights = np.ones(len(data)) if weights is None else weights
    total = 0.0
    for label in np.unique(labels):
        rows, w = data[labels == label], weights[labels == label]
        total += (w[:, None] * (rows - np.average(rows, axis=0, weights=w)) ** 2).sum()
    return total


def lloyd(data, centres):
    """Plain iterations to the end: labels and centres."""
    while True:
        labels = ((data[:, None, :] - centres[None]) ** 2).sum(axis=2).argmin(axis=1)
        means = np.array([data[labels == c].mean(axis=0) for c in range(len(centres))])
        if np.array_equal(means, centres):
            return labels
        centres = means


def same_groups(a, b):
    return len(set(zip(a, b))) == len(set(a)) == len(set(b))


@pytest.fixture(name="table")
def fixture_table(tmp_path):
    mixture(tmp_path)
    return tmp_path


@pytest.fixture(name="fitted")
def fixture_fitted(table):
    return table, fit(table, "x.csv", *KMEANS, "--k", 4, "--restarts", 5)


def test_the_summary_is_that_of_the_labels(fitted):
    folder, result = fitted
    data, labels = data_of(folder), labels_of(folder / "out/labels.csv")
    assert (result["method"], result["family"], result["k"]) == ("kmeans", "centroid", 4)
    objective = result["objective"]
    assert objective["name"] == "sum of squared distances" and objective["bits_per_row"] is None
    # 1800 terms, each rounded by 2^-53, with room for the means.
    assert objective["value"] == pytest.approx(sum_of_squares(data, labels), rel=1e-11)
    assert score(folder, "truth.csv")["ari"] == 1.0
    sizes = [cluster["size"] for cluster in result["clusters"]]
    assert sizes == sorted(sizes, reverse=True) == list(np.bincount(labels))
    for cluster in result["clusters"]:
        np.testing.assert_allclose(cluster["mean"], data[labels == cluster["label"]].mean(axis=0), rtol=1e-9, atol=1e-11)
    assert result["prior"] == {} and result["converged"] and result["stop_reason"] == "converged"


def test_labels_come_without_probabilities(fitted):
    folder, _ = fitted
    assert csv_columns((folder / "out/labels.csv").read_text())[0] == ["row", "label"]
    labels = labels_of(folder / "out/labels.csv")
    options = (*KMEANS, "--k", 4, "--restarts", 5)
    fit(folder, "x.csv", *options, "--labels-format", "table")
    assert csv_columns((folder / "out/labels.csv").read_text())[0] == ["x1", "x2", "x3", "label"]
    np.testing.assert_array_equal(labels_of(folder / "out/labels.csv"), labels)
    fit(folder, "x.csv", *options, "--labels-format", "npy")
    np.testing.assert_array_equal(np.load(folder / "out/labels.npy"), labels)


def test_what_is_printed(table):
    done = succeed(table, "fit", "x.csv", *KMEANS, "--k", 4, "--restarts", 5, "--out", "out", "--truth", "truth.csv")
    lines = done.stdout.splitlines()
    assert done.stderr == ""
    assert lines[0].startswith("4 clusters in 600 rows x 3 columns (kmeans, centroid, ")
    assert lines[2].split()[:6] == ["cluster", "rows", "share", "x1", "x2", "x3"]
    value = next(line for line in lines if line.startswith("Sum of squared distances "))
    assert float(value.split()[4].rstrip(";")) == pytest.approx(sum_of_squares(data_of(table), labels_of(table / "truth.csv")))
    assert value.endswith("; converged")
    for word in ("sure", "nats", "bits", "Evidence", "Objective"):
        assert word not in done.stdout, word
    assert "Against the truth: ARI 1.000" in done.stdout


def test_predict_gives_the_labels_of_the_fit(tmp_path):
    overlapping(tmp_path, name="x.csv")
    fit(tmp_path, "x.csv", *KMEANS)
    assert succeed(tmp_path, "predict", MODEL, "x.csv").stdout == (tmp_path / "out/labels.csv").read_text()
    centres = np.array([cluster["mean"] for cluster in json.loads((tmp_path / "out/summary.json").read_text())["clusters"]])
    np.savetxt(tmp_path / "centres.csv", centres, delimiter=",", header="x1,x2", comments="", fmt="%.17g")
    succeed(tmp_path, "predict", MODEL, "centres.csv", "--out", "new.csv")
    np.testing.assert_array_equal(labels_of(tmp_path / "new.csv"), np.arange(8))


def test_what_needs_a_density_is_refused(fitted):
    folder, _ = fitted
    before = left_behind(folder)
    for command, named in ((("predict", MODEL, "x.csv", "--probabilities"), "--probabilities"),
                           (("predict", MODEL, "missing.csv", "--probabilities", "--out", "new.csv"), "--probabilities"),
                           (("density", MODEL, "x.csv"), "densities"),
                           (("density", MODEL, "missing.csv", "--out", "new.csv"), "densities")):
        done = run(folder, *command)
        assert done.returncode == USAGE and done.stdout == "", command
        assert MODEL in done.stderr and "kmeans" in done.stderr and named in done.stderr
        assert len(done.stderr.splitlines()) == 1
    assert left_behind(folder) == before


def test_score_is_the_objective_of_the_fit(fitted):
    folder, result = fitted
    value = result["objective"]["value"]
    for more in (["--model", MODEL], KMEANS):
        command = ("score", "x.csv", "--labels", "out/labels.csv", *more)
        assert json.loads(succeed(folder, *command, "--json").stdout) == {"objective": value, "bits_per_row": None}
        text = succeed(folder, *command).stdout
        assert text.startswith("sum of squared distances ") and text.count("\n") == 1
        assert float(text.split()[-1]) == pytest.approx(value, rel=1e-9)  # ten digits
    spoilt = labels_of(folder / "out/labels.csv")
    spoilt[:7] = (spoilt[:7] + 1) % 4
    (folder / "spoilt.csv").write_text("label\n" + "".join(f"{label}\n" for label in spoilt))
    for more in (["--model", MODEL], KMEANS):
        worse = json.loads(succeed(folder, "score", "x.csv", "--labels", "spoilt.csv", "--json", *more).stdout)["objective"]
        assert worse == pytest.approx(sum_of_squares(data_of(folder), spoilt), rel=1e-11)


def test_score_does_not_ask_for_as_many_rows_as_the_default_k(tmp_path):
    (tmp_path / "x.csv").write_text("a\n1\n3\n")
    (tmp_path / "l.csv").write_text("0\n0\n")
    assert succeed(tmp_path, "score", "x.csv", "--labels", "l.csv", *KMEANS).stdout == "sum of squared distances 2\n"


def test_info_names_the_objective(fitted):
    folder, result = fitted
    text = succeed(folder, "info", MODEL).stdout
    assert "a model of 4 clusters (kmeans, centroid), fitted to 600 rows x 3 columns" in text
    assert f"sum of squared distances {result['objective']['value']:.10g}\n" in text
    assert "nats" not in text and "prior" not in text


def test_init_with_centres_goes_where_plain_iterations_go(tmp_path):
    overlapping(tmp_path)
    data = data_of(tmp_path, "x.npy")
    for first in (0, 100, 4000):
        np.savetxt(tmp_path / "centres.csv", data[first : first + 6], delimiter=",", fmt="%.17g")
        result = fit(tmp_path, "x.npy", *KMEANS, "--k", 6, "--init", "centres.csv")
        assert result["options"]["init"] == "6 x 2" and result["k"] == 6
        assert same_groups(labels_of(tmp_path / "out/labels.csv"), lloyd(data, data[first : first + 6]))


def test_init_with_labels(fitted):
    folder, result = fitted
    again = fit(folder, "x.csv", *KMEANS, "--k", 4, "--init", "truth.csv")
    assert again["options"]["init"] == "600 x 1"
    assert again["objective"]["value"] == pytest.approx(result["objective"]["value"], rel=1e-12)
    assert score(folder, "truth.csv")["ari"] == 1.0


@pytest.mark.parametrize("criterion", ["bic", "silhouette"])
def test_a_range_of_k(tmp_path, criterion):
    """Four round clusters of one width, ten widths apart: what both criteria are made for."""
    random = np.random.default_rng(1)
    np.save(tmp_path / "x.npy", np.repeat([[0, 0], [10, 0], [0, 10], [10, 10]], 100, axis=0) + random.normal(size=(400, 2)))
    options = ("x.npy", *KMEANS, "--k", "2..6", "--criterion", criterion, "--restarts", 3)
    result = fit(tmp_path, *options)
    assert result["k"] == 4 and result["options"]["k"] == "2..6"
    assert [cluster["size"] for cluster in result["clusters"]] == [100] * 4
    assert [entry["k"] for entry in result["k_evidence"]] == [2, 3, 4, 5, 6]
    values = [entry["objective"] for entry in result["k_evidence"]]
    assert values == sorted(values, reverse=True)
    assert values[2] == pytest.approx(result["objective"]["value"], rel=1e-12)
    text = succeed(tmp_path, "fit", *options, "--out", "b").stdout
    line = next(line for line in text.splitlines() if line.startswith("By number of clusters: "))
    assert [entry.split(":")[0] for entry in line.removeprefix("By number of clusters: ").split(", ")] == list("23456")
    assert line.count("(chosen)") == 1 and line.split(", ")[2].endswith(" (chosen)")


@pytest.mark.parametrize("dimensions, options", combinations(
    [1, 2, 5], [[], ["--k", 3], ["--k", "2..6"], ["--seeding", "farthest", "--restarts", 2]]))
def test_every_assignment_gives_the_same_bytes(tmp_path, dimensions, options):
    overlapping(tmp_path, dimensions=dimensions)
    results = []
    for assign in ASSIGNMENTS:
        result = fit(tmp_path, "x.npy", *KMEANS, "--assign", assign, "--seed", 2, *options)
        assert result["options"]["assign"] == assign
        results.append((result["objective"], (tmp_path / "out/labels.csv").read_bytes(), (tmp_path / MODEL).read_bytes()))
    for assign, result in zip(ASSIGNMENTS[1:], results[1:]):
        assert result == results[0], assign


@pytest.mark.parametrize("assign", ["naive", "kdtree", "bounds"])
def test_the_summary_says_how_rows_found_their_centre(tmp_path, assign):
    overlapping(tmp_path)
    found = fit(tmp_path, "x.npy", *KMEANS, "--assign", assign)["assign"]
    assert found["used"] == assign and "asked for" in found["why"]


def test_shortcuts_take_fewer_distances(tmp_path):
    mixture(tmp_path, rows=20_000, dimensions=2, k=20, name="x.npy")
    distances = {assign: fit(tmp_path, "x.npy", *KMEANS, "--k", 20, "--assign", assign)["counters"]["distances"]
                 for assign in ASSIGNMENTS}
    assert distances["naive"] >= 20 * 20_000
    assert distances["kdtree"] < distances["naive"] / 5
    assert distances["bounds"] < distances["naive"] / 2


def bytes_of_fit(folder, *options):
    result = fit(folder, "x.npy", *KMEANS, "--labels-format", "npy", *options)
    return result, (result["objective"], result["k_evidence"], result["counters"],
                    (folder / "out/labels.npy").read_bytes(), (folder / MODEL).read_bytes())


@pytest.fixture(name="many", scope="module")
def fixture_many(tmp_path_factory):
    folder = tmp_path_factory.mktemp("many")
    overlapping(folder, rows=50_000, dimensions=3)
    return folder


@pytest.mark.parametrize("assign", ASSIGNMENTS)
def test_threads_do_not_change_a_byte(many, assign):
    results = []
    for threads in cases([1, 2], [1, 2, 5]):
        result, found = bytes_of_fit(many, "--assign", assign, "--seed", 3, "--threads", threads)
        assert result["threads"] == threads and result["k"] == 8
        results.append(found)
    assert len(results) > 1 and all(found == results[0] for found in results)


@pytest.mark.parametrize("seeding", ["kmeans++", "afk-mc2", "uniform", "farthest"])
def test_threads_do_not_change_the_seeds(many, seeding):
    found = [bytes_of_fit(many, "--seeding", seeding, "--max-iterations", 2, "--threads", threads)[1] for threads in cases([1, 2], [1, 2, 5])]
    assert len(found) > 1 and all(one == found[0] for one in found)


@pytest.mark.parametrize("seeding", ["kmeans++", "afk-mc2", "uniform"])
def test_the_seed_decides(many, seeding):
    paths = {}
    for seed in (1, 2, 1):
        result, found = bytes_of_fit(many, "--seeding", seeding, "--seed", seed, "--max-iterations", 2)
        assert result["seed"] == seed
        assert paths.setdefault(seed, found) == found
    assert paths[1] != paths[2]


def test_restarts_never_end_worse(tmp_path):
    overlapping(tmp_path)
    values = [fit(tmp_path, "x.npy", *KMEANS, "--seeding", "uniform", "--restarts", n)["objective"]["value"] for n in (1, 3, 9)]
    assert values[0] >= values[1] >= values[2] and values[0] > values[2]


def test_the_objective_never_rises(tmp_path):
    overlapping(tmp_path)
    steps = [step["objective"] for step in fit(tmp_path, "x.npy", *KMEANS)["trace"]]
    # Each sum of 10,000 terms is rounded on its own.
    assert len(steps) > 3 and all(later <= sooner * (1 + 1e-12) for sooner, later in zip(steps, steps[1:]))


def test_max_iterations_is_a_limit_and_said(tmp_path):
    overlapping(tmp_path)
    done = succeed(tmp_path, "fit", "x.npy", *KMEANS, "--max-iterations", 2, "--out", "out")
    result = json.loads((tmp_path / "out/summary.json").read_text())
    assert result["stop_reason"] == "iteration_limit" and not result["converged"]
    assert "stopped early (iteration_limit)" in done.stdout
    assert "--max-iterations" in done.stderr and done.stderr.startswith("coppice: note: ")


def test_weights_stand_for_repeated_rows(table):
    weights = np.arange(600) % 3 + 1
    np.save(table / "w.npy", weights.astype(float))
    data = data_of(table)
    np.save(table / "repeated.npy", np.repeat(data, weights, axis=0))
    np.savetxt(table / "centres.csv", data[:4], delimiter=",", fmt="%.17g")
    start = (*KMEANS, "--init", "centres.csv", "--k", 4)
    repeated = fit(table, "repeated.npy", *start)["objective"]["value"]
    weighted = fit(table, "x.csv", "--weights", "w.npy", *start)
    labels = labels_of(table / "out/labels.csv")
    assert weighted["objective"]["value"] == pytest.approx(repeated, rel=1e-9)
    assert weighted["objective"]["value"] == pytest.approx(sum_of_squares(data, labels, weights), rel=1e-11)


def refused(folder, code, *arguments):
    before = left_behind(folder)
    done = run(folder, "fit", *arguments, *KMEANS)
    assert done.returncode == code and done.stdout == "", (done.returncode, done.stderr)
    assert len(done.stderr.splitlines()) == 1 and done.stderr.startswith("coppice: ")
    assert left_behind(folder) == before
    return done.stderr


def test_tables_and_numbers_that_do_not_fit(tmp_path):
    for name, text in {"empty": "", "header": "a,b\n", "one": "a,b\n1,2\n", "two": "a,b\n1,2\n3,4\n"}.items():
        (tmp_path / f"{name}.csv").write_text(text)
    assert "empty.csv" in refused(tmp_path, DATA, "empty.csv")
    assert "header.csv" in refused(tmp_path, DATA, "header.csv")
    assert "--k is 8, but the data has 1 row" in refused(tmp_path, USAGE, "one.csv")
    assert "--k is 3, but the data has 2 rows; choose 1 to 2" in refused(tmp_path, USAGE, "two.csv", "--k", 3)
    assert "the data has 2 rows" in refused(tmp_path, USAGE, "two.csv", "--k", "1..3")
    assert "--init" in refused(tmp_path, USAGE, "two.csv", "--k", "1..2", "--init", "one.csv")
    (tmp_path / "wide.csv").write_text("1,2,3\n4,5,6\n7,8,9\n")
    assert "--init" in refused(tmp_path, USAGE, "two.csv", "--k", 2, "--init", "wide.csv")
    assert "start --k at 2" in refused(tmp_path, USAGE, "two.csv", "--k", "1..2", "--criterion", "silhouette")


def test_one_row_is_one_cluster(tmp_path):
    (tmp_path / "x.csv").write_text("a,b\n1,2\n")
    for assign in ASSIGNMENTS:
        result = fit(tmp_path, "x.csv", *KMEANS, "--k", 1, "--assign", assign)
        assert result["k"] == 1 and result["objective"]["value"] == 0.0
        assert result["clusters"][0]["mean"] == [1.0, 2.0]


def test_as_many_clusters_as_rows(tmp_path):
    (tmp_path / "x.csv").write_text("a\n" + "".join(f"{value}\n" for value in (1, 2, 4, 8, 16)))
    for assign in ASSIGNMENTS:
        result = fit(tmp_path, "x.csv", *KMEANS, "--k", 5, "--assign", assign)
        assert result["k"] == 5 and result["objective"]["value"] == 0.0
        assert [cluster["mean"] for cluster in result["clusters"]] == [[1.0], [2.0], [4.0], [8.0], [16.0]]


def test_a_constant_column_is_noted_and_changes_nothing(table):
    plain = fit(table, "x.csv", *KMEANS, "--k", 4, "--init", "truth.csv")
    lines = (table / "x.csv").read_text().splitlines()
    (table / "more.csv").write_text("\n".join([lines[0] + ",c", *(line + ",3" for line in lines[1:])]) + "\n")
    more = fit(table, "more.csv", *KMEANS, "--k", 4, "--init", "truth.csv")
    assert [note for note in more["warnings"] if "'c' is constant" in note] and plain["warnings"] == []
    assert more["objective"]["value"] == pytest.approx(plain["objective"]["value"], rel=1e-12)


def test_fewer_different_rows_than_clusters(tmp_path):
    (tmp_path / "x.csv").write_text("a,b\n" + "5,7\n" * 30 + "6,7\n" * 20)
    for assign in ASSIGNMENTS:
        result = fit(tmp_path, "x.csv", *KMEANS, "--k", 3, "--assign", assign)
        assert result["k"] == 2 and result["objective"]["value"] == 0.0
        assert [cluster["size"] for cluster in result["clusters"]] == [30, 20]
        assert any("found 2 clusters, not 3" in note for note in result["warnings"])


def test_runs_that_there_is_no_time_for_are_left_out(tmp_path):
    overlapping(tmp_path)
    result = fit(tmp_path, "x.npy", *KMEANS, "--restarts", 1000000, "--time-limit", 1.5)
    assert result["stop_reason"] == "time_limit" and not result["converged"]
    assert sum(cluster["size"] for cluster in result["clusters"]) == 5000
