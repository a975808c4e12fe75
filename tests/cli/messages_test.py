# SPDX-License-Identifier: BSD-3-Clause
"""What messages say is true: rows counted from 1, evidence that compares like with like, reasons that are the reasons."""

import json

import numpy as np
import pytest

from program import DATA, USAGE, fit, labels_of, run, succeed


def refusal(folder, code, *arguments):
    done = run(folder, *arguments)
    assert done.returncode == code and done.stdout == "", (done.returncode, done.stderr)
    return done.stderr


def test_rows_and_columns_are_counted_from_1(tmp_path):
    values = np.arange(12.0).reshape(4, 3)
    values[2, 1] = np.nan
    np.save(tmp_path / "nan.npy", values)
    assert "row 3, column 2 (counted from 1)" in refusal(tmp_path, DATA, "info", "nan.npy")
    np.savetxt(tmp_path / "x.csv", np.arange(8.0).reshape(4, 2), delimiter=",", header="a,b", comments="")
    (tmp_path / "w.csv").write_text("1\n1\n-2\n1\n")
    assert "row 3 (counted from 1)" in refusal(tmp_path, DATA, "info", "x.csv", "--weights", "w.csv")
    (tmp_path / "init.csv").write_text("0\n1\n1\n0.5\n")
    message = refusal(tmp_path, USAGE, "fit", "x.csv", "--init", "init.csv")
    assert "row 4 (counted from 1)" in message
    np.savetxt(tmp_path / "low.csv", [[0, 1], [-1, 2], [3, 4]], delimiter=",", header="a,b", comments="")
    message = refusal(tmp_path, DATA, "fit", "low.csv", "--transform", "log1p")
    assert "row 2 (counted from 1), column 'a'" in message
    np.save(tmp_path / "half.npy", np.array([[1.0], [2.0], [0.5]]))
    message = refusal(tmp_path, DATA, "info", "half.npy", "--types", "x1=count")
    assert "row 3 (counted from 1)" in message and "'x1'" in message


@pytest.mark.parametrize("table, counted", [("a,b,c\n1,2,9\n3,1,4\n5,5,7\n", "3 columns and 3 rows"),
                                            ("a,b\n1,2\n", "'a' is constant"),
                                            ("a,b\n1,2\n2,5\n", "2 columns and 2 rows"),
                                            ("a,b\n1,2\n2,4\n3,6\n5,10\n7,14\n", "2 columns and 5 rows")],
                         ids=["as many as columns", "one", "fewer", "on a line"])
def test_rows_too_few_for_a_family_without_prior_are_counted(tmp_path, table, counted):
    (tmp_path / "x.csv").write_text(table)
    message = refusal(tmp_path, DATA, "fit", "x.csv", "--family", "uninformative")
    assert counted in message and "choose another --family" in message and "nan" not in message, message
    assert not (tmp_path / "x.coppice").exists()


@pytest.mark.parametrize("seed", ["18446744073709551616", "99999999999999999999999", "-1", "1.5", "1e3", "", "0x10", "7a"])
def test_seeds_that_do_not_fit_are_refused(tmp_path, seed):
    (tmp_path / "x.csv").write_text("a,b\n1,2\n3,4\n5,7\n")
    assert "seed" in refusal(tmp_path, USAGE, "fit", "x.csv", f"--seed={seed}")
    assert "seed" in refusal(tmp_path, USAGE, "generate", "birch", f"--seed={seed}", "--out", "g.csv")
    assert not (tmp_path / "g.csv").exists() and not (tmp_path / "x.coppice").exists()


def test_the_largest_seed_is_taken_as_it_is(tmp_path):
    largest = 2**64 - 1
    (tmp_path / "x.csv").write_text("a,b\n1,2\n3,4\n5,7\n")
    assert fit(tmp_path, "x.csv", "--seed", largest)["seed"] == largest
    for seed in (largest, largest - 1):
        succeed(tmp_path, "generate", "birch", "--side", 2, "--rows-per-cluster", 3, "--seed", seed, "--out", f"{seed}.csv")
    assert (tmp_path / f"{largest}.csv").read_text() != (tmp_path / f"{largest - 1}.csv").read_text()


@pytest.mark.parametrize("option", ["--restarts", "--max-iterations", "--threads", "--max-rows", "--stability"])
def test_other_whole_numbers_are_not_clamped_either(tmp_path, option):
    (tmp_path / "x.csv").write_text("a,b\n1,2\n3,4\n5,7\n")
    for value in ("18446744073709551617", "-1", "2.5"):
        assert value in refusal(tmp_path, USAGE, "fit", "x.csv", f"{option}={value}")
    assert "rows" in refusal(tmp_path, USAGE, "generate", "mixture", "--rows=18446744073709551617", "--out", "g.csv")


def evidence(result):
    return {entry["k"]: entry["objective"] for entry in result["k_evidence"]}


def copies(folder):
    """Few different measured rows, each many times: bkm searches the different ones only."""
    rng = np.random.default_rng(5)
    centres = np.repeat([[0, 0], [9, 0], [0, 9]], 20, axis=0)
    rows = np.repeat(centres + rng.normal(size=(60, 2)), 20, axis=0)
    np.save(folder / "x.npy", rows)


def overlapping(folder):
    """Three clusters in a row, so near that their number is chosen with soft labels."""
    rng = np.random.default_rng(24)
    np.save(folder / "x.npy", rng.normal(size=(990, 1)) + np.repeat([[0], [2.81], [-2.81]], 330, axis=0))


@pytest.mark.parametrize("make, arguments", [
    (copies, []), (copies, ["--outliers"]), (overlapping, []), (overlapping, ["--k", 3]),
    (overlapping, ["--method", "gmm", "--k", "1..4"]), (overlapping, ["--method", "gmm", "--k", "1..4", "--hard"]),
    (overlapping, ["--method", "kmeans", "--k", "2..5", "--criterion", "bic", "--restarts", 2]),
    (overlapping, ["--method", "abc"])])
def test_evidence_is_of_the_rows_of_the_table(tmp_path, make, arguments):
    make(tmp_path)
    result = fit(tmp_path, "x.npy", *arguments)
    found = evidence(result)
    assert found[result["k"]] == result["objective"]["value"], "what is returned is what is listed"
    n_rows = result["input"]["rows"]
    if 1 in found and result["method"] in ("bkm", "abc"):
        (tmp_path / "one.csv").write_text("0\n" * n_rows)
        outliers = [word for word in arguments if word == "--outliers"]
        method = ["--method", result["method"]] + outliers
        least = json.loads(succeed(tmp_path, "score", "x.npy", "--labels", "one.csv", *method, "--json").stdout)
        # One cluster has one labelling: nothing can be better than its objective under the best prior.
        assert found[1] > least["objective"] - 0.1 - 1e-3 * abs(least["objective"])


def test_a_lead_is_not_told_where_there_is_nothing_to_compare(tmp_path):
    copies(tmp_path)
    done = succeed(tmp_path, "fit", "x.npy", "--out", "out")
    assert "behind" not in done.stdout, done.stdout


def test_a_number_chosen_with_soft_labels_is_called_so(tmp_path):
    overlapping(tmp_path)
    done = succeed(tmp_path, "fit", "x.npy", "--out", "out")
    line = next(line for line in done.stdout.splitlines() if line.startswith("K = "))
    assert "was chosen with soft labels; with hard ones it is behind" in line


def test_fewer_different_rows_than_clusters_are_counted(tmp_path):
    (tmp_path / "x.csv").write_text("a,b\n" + "1,2\n3,4\n5,9\n" * 4)
    for method in ("kmeans", "gmm", "bkm"):
        result = fit(tmp_path, "x.csv", "--method", method, "--k", 5)
        said = [note for note in result["warnings"] if "not 5" in note]
        assert len(said) == 1, (method, result["warnings"])
        if result["k"] == 3:
            assert "3 different rows" in said[0], (method, said)


@pytest.fixture(scope="module")
def unlike(tmp_path_factory):
    """A large cluster and a small one: far away, the small one's density falls more slowly."""
    folder = tmp_path_factory.mktemp("unlike")
    rng = np.random.default_rng(1)
    rows = np.concatenate([rng.normal(size=(300, 2)), rng.normal(size=(8, 2)) * 0.3 + [6, 0]])
    np.savetxt(folder / "x.csv", rows, delimiter=",", header="a,b", comments="")
    fit(folder, "x.csv", "--k", 2)
    return folder


def test_labels_less_probable_than_another_cluster_are_counted(unlike):
    far = [[0.0, 1000.0], [-50.0, 800.0], [3.0, -2000.0], [0.0, 0.0]]
    np.savetxt(unlike / "far.csv", far, delimiter=",", header="a,b", comments="")
    done = succeed(unlike, "predict", "out/model.coppice", "far.csv", "--probabilities")
    shares = [float(line.split(",")[2]) for line in done.stdout.splitlines()[1:]]
    n_unlikely = sum(share < 1 / 3 for share in shares)
    assert n_unlikely == 3 and shares[3] > 0.9
    assert f"{n_unlikely} rows have a label" in done.stderr and "how-sure" in done.stderr
    near = succeed(unlike, "predict", "out/model.coppice", "x.csv", "--probabilities")
    assert near.stderr == ""
    assert succeed(unlike, "predict", "out/model.coppice", "far.csv").stderr == "", "without probabilities no word of them"


def test_labels_are_those_of_the_fit(unlike):
    done = succeed(unlike, "predict", "out/model.coppice", "x.csv", "--out", "again.csv", "--force")
    assert done.returncode == 0
    assert (labels_of(unlike / "again.csv") == labels_of(unlike / "out/labels.csv")).all()


def test_options_are_written_as_they_are_typed(tmp_path):
    """The library knows keys alone: the program writes --max-iterations on the screen and in the summary."""
    rows = np.random.default_rng(3).normal(size=(200, 2))  # no clusters: one iteration does not settle them
    np.savetxt(tmp_path / "x.csv", rows, delimiter=",", header="a,b", comments="")
    done = succeed(tmp_path, "fit", "x.csv", "--method", "gmm", "--k", 3, "--max-iterations", 1, "--out", "out")
    warning = "stopped after 1 iteration; more with --max-iterations"
    assert f"coppice: note: {warning}\n" in done.stderr
    found = json.loads((tmp_path / "out/summary.json").read_text())
    assert found["warnings"] == [warning]
    assert found["assign"]["why"] == "every cluster has a share in every row; --assign kdtree would approximate that"
    refused = refusal(tmp_path, USAGE, "fit", "x.csv", "--method", "gmm", "--hard", "--shared-variance")
    assert refused == ("coppice: --hard fits every cluster by its own rows, which --shared-variance does not allow; leave out one "
                       "of them (for spherical clusters, --method kmeans is the hard variant of a shared variance)\n")


def test_names_in_messages_are_names_whatever_they_hold(tmp_path):
    (tmp_path / "x.csv").write_text('"{k}","a b","c,d",{max_k=3}\nred,1,2,5\nblue,3,4,6\nred,5,7,7\n')
    message = refusal(tmp_path, USAGE, "fit", "x.csv")
    assert message == ("coppice: column '{k}' holds words, and bkm clusters numbers only; choose the numeric ones with "
                       "--columns 'a b,\"c,d\",{max_k=3}'\n")
