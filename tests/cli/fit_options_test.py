# SPDX-License-Identifier: BSD-3-Clause
"""Every option of `coppice fit` has its effect."""

import json

import numpy as np
import pytest

from program import OK, USAGE, csv_columns, fit, labels_of, mixture, run, score, succeed


@pytest.fixture(name="table")
def fixture_table(tmp_path):
    mixture(tmp_path)
    return tmp_path


def data_of(table):
    return np.loadtxt(table / "x.csv", delimiter=",", skiprows=1)


@pytest.mark.parametrize("k", [1, 2, 4, 7])
def test_k_is_exact(table, k):
    assert fit(table, "x.csv", "--k", k)["k"] == k
    assert set(labels_of(table / "out/labels.csv")) == set(range(k))


@pytest.mark.parametrize("more", [[], ["--partition", "dp"], ["--search", "paper"], ["--restarts", 3]])
@pytest.mark.parametrize("limit", [1, 3])
def test_max_k_is_never_exceeded(table, limit, more):
    result = fit(table, "x.csv", "--max-k", limit, *more)
    assert result["k"] <= limit
    assert max(step["k"] for step in result["trace"]) <= limit
    assert max(entry["k"] for entry in result["k_evidence"]) <= limit


def test_max_k_holds_for_a_start_with_more(table):
    done = run(table, "fit", "x.csv", "--init", "truth.csv", "--max-k", 3, "--out", "out", "--json")
    assert done.returncode in (OK, USAGE), done.stderr
    if done.returncode == OK:
        assert json.loads(done.stdout)["k"] <= 3
    else:
        assert "--max-k" in done.stderr


def test_min_size_leaves_no_smaller_cluster(table):
    text = (table / "x.csv").read_text() + "".join(f"{500 + i / 7},{500 - i / 5},{500 + i * i / 9}\n" for i in range(12))
    (table / "x.csv").write_text(text)
    assert min(cluster["size"] for cluster in fit(table, "x.csv")["clusters"]) == 12
    assert min(cluster["size"] for cluster in fit(table, "x.csv", "--min-size", 20)["clusters"]) >= 20


def test_init_with_labels(table):
    result = fit(table, "x.csv", "--init", "truth.csv", "--max-iterations", 1)
    assert score(table, "truth.csv")["ari"] == 1.0
    assert result["trace"][0]["k"] == 4
    assert result["options"]["init"] == "600 x 1"


def test_init_with_centres(table):
    truth = labels_of(table / "truth.csv")
    centres = np.array([data_of(table)[truth == group].mean(axis=0) for group in range(4)])
    np.savetxt(table / "centres.csv", centres, delimiter=",")
    result = fit(table, "x.csv", "--init", "centres.csv", "--k", 4)
    assert result["options"]["init"] == "4 x 3" and result["trace"][0]["k"] == 4
    assert score(table, "truth.csv")["ari"] == 1.0


def test_restarts_never_end_worse(table):
    once = fit(table, "x.csv", "--search", "paper", "--seed", 3)
    often = fit(table, "x.csv", "--search", "paper", "--seed", 3, "--restarts", 4)
    assert often["objective"]["value"] <= once["objective"]["value"]
    assert often["counters"]["distances"] > once["counters"]["distances"]


def test_partition_and_search(table):
    default = fit(table, "x.csv")
    process = fit(table, "x.csv", "--partition", "dp", "--alpha", 2.5)
    assert process["prior"]["partition"] == "dp" and process["prior"]["alpha"] == 2.5
    assert process["objective"]["value"] != default["objective"]["value"]
    assert default["prior"]["partition"] == "dirichlet" and default["prior"]["phi0"] == 2.0
    paper = fit(table, "x.csv", "--search", "paper")
    assert paper["options"]["search"] == "paper" and paper["k"] == 4


def test_columns_by_name_and_number(table):
    by_name = fit(table, "x.csv", "--columns", "x3,x1")
    assert by_name["input"]["columns"] == 2
    by_number = fit(table, "x.csv", "--columns", "3,1")
    assert by_number["objective"] == by_name["objective"]
    np.testing.assert_allclose(np.average([c["mean"] for c in by_name["clusters"]], axis=0,
                                          weights=[c["size"] for c in by_name["clusters"]]),
                               data_of(table)[:, [2, 0]].mean(axis=0), rtol=1e-9, atol=1e-11)


def with_extra_columns(table, names, columns):
    lines = (table / "x.csv").read_text().splitlines()
    text = ",".join(names) + "," + lines[0] + "\n"
    for row, line in enumerate(lines[1:]):
        text += ",".join(str(column[row]) for column in columns) + "," + line + "\n"
    (table / "more.csv").write_text(text)


def test_id_names_the_rows(table):
    plain = fit(table, "x.csv")
    with_extra_columns(table, ["name"], [[f"n{row}" for row in range(600)]])
    named = fit(table, "more.csv", "--id", "name")
    assert named["objective"] == plain["objective"] and named["input"]["columns"] == 3
    _, rows = csv_columns((table / "out/labels.csv").read_text())
    assert [row[0] for row in rows] == [f"n{row}" for row in range(600)]


def test_weights_stand_for_repeated_rows(table):
    weights = np.arange(600) % 3 + 1
    with_extra_columns(table, ["w"], [weights])
    np.save(table / "w.npy", weights.astype(float))
    fixed = ["--m0", "m0.csv", "--b0", "b0.csv", "--k", 4]
    np.savetxt(table / "m0.csv", np.zeros((1, 3)), delimiter=",")
    np.savetxt(table / "b0.csv", np.eye(3), delimiter=",")
    by_column = fit(table, "more.csv", "--weights", "w", *fixed)
    by_file = fit(table, "x.csv", "--weights", "w.npy", *fixed)
    assert by_column["objective"] == by_file["objective"]
    lines = (table / "x.csv").read_text().splitlines()
    repeated = [line for line, weight in zip(lines[1:], weights) for _ in range(weight)]
    (table / "repeated.csv").write_text("\n".join([lines[0], *repeated]) + "\n")
    # The same sums in another order: 1200 terms, each rounded by 2^-53, with room for what cancels.
    assert fit(table, "repeated.csv", *fixed)["objective"]["value"] == pytest.approx(by_file["objective"]["value"], rel=1e-9)
    assert sum(cluster["weight"] for cluster in by_file["clusters"]) == weights.sum()
    assert by_file["objective"] != fit(table, "x.csv", *fixed)["objective"]


def test_hyper_parameters_by_hand(table):
    m0 = np.array([[1.0, -2.0, 0.25]])
    b0 = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, 0.25], [0.0, 0.25, 3.0]])
    np.savetxt(table / "m0.csv", m0, delimiter=",")
    np.save(table / "b0.npy", b0)
    prior = fit(table, "x.csv", "--xi0", 0.5, "--eta0", 7, "--phi0", 3, "--m0", "m0.csv", "--b0", "b0.npy")["prior"]
    assert (prior["xi0"], prior["eta0"], prior["phi0"]) == (0.5, 7, 3)
    # One subtraction and one addition of an origin of size 10 or less: 2 * 10 * 2^-53.
    np.testing.assert_allclose(prior["m0"], m0[0], rtol=0, atol=1e-14)
    np.testing.assert_array_equal(prior["b0"], b0)


def test_every_seed_is_kept_and_repeats(table):
    first = fit(table, "x.csv", "--seed", 18446744073709551615)
    assert first["seed"] == 18446744073709551615
    labels = (table / "out/labels.csv").read_bytes()
    fit(table, "x.csv", "--seed", 18446744073709551615)
    assert (table / "out/labels.csv").read_bytes() == labels


def test_help_names_every_option_of_the_summary(table):
    options = fit(table, "x.csv")["options"]
    text = succeed(table, "fit", "--help").stdout
    for name in options:
        assert f"--{name.replace('_', '-')} " in text, name
