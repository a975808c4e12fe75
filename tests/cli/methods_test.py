# SPDX-License-Identifier: BSD-3-Clause
"""Several methods behind one command: each takes its own options alone, and the help says where the others are."""

import json
import pathlib
import re

import pytest

from program import USAGE, fit, left_behind, mixture, run, succeed

LINKAGES = ("single", "complete", "average", "ward")
METHODS = ("bkm", "abc", "vbmg", "vdp", "bj", "kmeans", "gmm", "mog-bic", *LINKAGES)
NAMES = ", ".join(METHODS)
# Options that one method (or all linkages) has and the others have not.
OWN = {"bkm": ("--outliers", "true"), "abc": ("--pairs", "conga"), "vbmg": ("--tolerance", "1e-3"), "vdp": ("--epsilon", "1"),
       "bj": ("--truncation", "5"), "kmeans": ("--criterion", "bic"), "gmm": ("--shared-variance", ""), "mog-bic": ("--floor", "1"),
       **{name: ("--height", "1") for name in LINKAGES}}


@pytest.fixture(name="folder", scope="module")
def fixture_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("methods")
    mixture(folder, rows=60, dimensions=2, k=3)
    return folder


def refusal(folder, *arguments):
    """The one line that says what is wrong."""
    before = left_behind(folder)
    done = run(folder, *arguments)
    assert done.returncode == USAGE and done.stdout == "", (done.returncode, done.stdout, done.stderr)
    assert left_behind(folder) == before
    lines = done.stderr.splitlines()
    assert lines[0].startswith("coppice: ")
    assert len(lines) == 1 or (len(lines) == 2 and lines[1].startswith("Try 'coppice "))
    return lines[0].removeprefix("coppice: ")


def options_listed(folder, method):
    return set(re.findall(r"^  (--[a-z0-9-]+)\s", succeed(folder, "methods", method).stdout, re.MULTILINE))


def options_in_help(text, method):
    section = text[re.search(rf"^Method {method}.*:$", text, re.MULTILINE).end():]
    return set(re.findall(r"^  (--[a-z0-9-]+)\s", section, re.MULTILINE))


def test_methods_lists_every_one(folder):
    text = succeed(folder, "methods").stdout
    assert [line.split()[0] for line in text.splitlines()[: len(METHODS)]] == list(METHODS)
    assert "coppice methods NAME" in text


def test_a_method_shows_its_options_with_default_and_choices(folder):
    lines = succeed(folder, "methods", "kmeans").stdout.splitlines()
    k = next(line for line in lines if line.startswith("  --k "))
    assert k.split()[1] == "8" and "A..B" in k
    assign = next(line for line in lines if line.startswith("  --assign "))
    assert assign.split()[1:6] == ["auto", "auto,", "naive,", "kdtree,", "bounds"]


def test_other_languages_find_what_they_know():
    """Names, kinds, defaults and ranges are a promise; `coppice methods --json > tests/cli/methods.json` makes a new one."""
    known = json.loads(pathlib.Path(__file__).with_name("methods.json").read_text())
    found = json.loads(succeed(".", "methods", "--json").stdout)
    assert [method["name"] for method in found["methods"]] == list(METHODS)
    for theirs, ours in zip(known["methods"], found["methods"]):
        assert ours == theirs, ours["name"]
    assert found == known


def flag(match):
    key, _, value = match.group(1).partition("=")
    return f"--{key.replace('_', '-')}" + (f" {value}" if value else "")


def test_json_help_names_options_in_braces(folder):
    """A program that replaces them by its own names gets what the command line shows."""
    n_named = 0
    for method in json.loads(succeed(folder, "methods", "--json").stdout)["methods"]:
        text = " ".join(succeed(folder, "methods", method["name"]).stdout.split())
        for option in method["options"]:
            shown, n_replaced = re.subn(r"\{([a-z0-9_]+(?:=[^}]*)?)\}", flag, option["help"])
            n_named += n_replaced
            assert shown in text and "--" not in option["help"]
    assert n_named > 10


def test_json_says_what_the_other_commands_say(folder):
    for method in json.loads(succeed(folder, "methods", "--json").stdout)["methods"]:
        flags = {"--" + option["key"].replace("_", "-") for option in method["options"]}
        assert flags == options_listed(folder, method["name"])
    assert "leave out the name" in refusal(folder, "methods", "kmeans", "--json")


@pytest.mark.parametrize("command", ["fit", "score"])
@pytest.mark.parametrize("method", METHODS)
def test_help_has_the_options_of_the_named_method_alone(folder, command, method):
    other = next(name for name in METHODS if name != method)
    for arguments in (("--method", method, "--help"), ("--help", "--method", method), (f"--method={method}", "-h")):
        text = succeed(folder, command, *arguments).stdout
        assert options_in_help(text, method) - {"--method"} == options_listed(folder, method), arguments
        assert OWN[method][0] + " " in text and OWN[other][0] + " " not in text
        assert f"Method {other}" not in text


@pytest.mark.parametrize("command", ["fit", "score"])
def test_help_shows_the_default_method_and_where_the_others_are(folder, command):
    text = succeed(folder, command, "--help").stdout
    assert text == succeed(folder, command, "--method", "bkm", "--help").stdout
    hint = next(part for part in text.split("\n\n") if f"coppice {command} --method NAME --help" in " ".join(part.split()))
    assert all(method in hint for method in METHODS)


@pytest.mark.parametrize("command", [("fit", "x.csv"), ("score", "x.csv", "--labels", "truth.csv")], ids=["fit", "score"])
@pytest.mark.parametrize(("method", "other"), [("kmeans", "bkm"), ("bkm", "kmeans"), ("kmeans", "abc")])
def test_an_option_of_another_method_is_refused_with_its_owner(folder, command, method, other):
    flag, value = OWN[other]
    expected = f"method {method} has no option {flag}; it belongs to {other}"
    for option in ((flag, value), (f"{flag}={value}",)):
        assert refusal(folder, *command, "--method", method, *option) == expected
        assert refusal(folder, *command, *option, f"--method={method}") == expected
    if method == "bkm":  # the default
        assert refusal(folder, *command, flag, value) == expected


def test_the_value_of_a_foreign_option_is_not_taken_for_the_input(folder):
    assert "--phi0" in refusal(folder, "fit", "--method", "kmeans", "--phi0", "2", "x.csv")


@pytest.mark.parametrize("command", [("fit", "x.csv", "--method"), ("score", "x.csv", "--labels", "truth.csv", "--method"),
                                     ("methods",)], ids=lambda command: command[0])
def test_an_unknown_method_is_refused_with_the_names(folder, command):
    assert refusal(folder, *command, "nosuch") == f"there is no method 'nosuch'; the methods are: {NAMES}"
    for close in ("kmean", "k-means", "Kmeans"):
        expected = f"there is no method '{close}'; did you mean kmeans? The methods are: {NAMES}"
        assert refusal(folder, *command, close) == expected


def test_an_unknown_method_is_told_before_its_options(folder):
    assert "'kmean'" in refusal(folder, "fit", "x.csv", "--method", "kmean", "--seeding", "uniform")


def test_a_method_without_a_name_or_twice(folder):
    assert "--method" in refusal(folder, "fit", "x.csv", "--method")
    assert "''" in refusal(folder, "fit", "x.csv", "--method", "")
    assert "--method" in refusal(folder, "fit", "x.csv", "--method", "bkm", "--method", "kmeans")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("fit", "x.csv", "--max_k", 3), "'fit' has no option --max_k; did you mean --max-k?"),
        (("fit", "x.csv", "-k", 3), "'fit' has no option -k; did you mean --k?"),
        (("fit", "x.csv", "--sead=3"), "'fit' has no option --sead; did you mean --seed?"),
        (("fit", "x.csv", "--frobnicate", 3), "'fit' has no option --frobnicate"),
        (("fit", "x.csv", "truth.csv"), "'truth.csv' is one argument too many"),
        (("predict", "m", "x.csv", "--phi0", 3), "'predict' has no option --phi0"),
        (("predict", "m", "x.csv", "--method", "nosuch"), "'predict' has no option --method"),
        (("predict", "m", "x.csv", "--probability"), "'predict' has no option --probability; did you mean --probabilities?"),
        (("generate", "mixture", "--out", "y.csv", "--row", 5), "'mixture' has no option --row; did you mean --rows?"),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, tuple) else None,
)
def test_unknown_arguments_are_named_with_what_could_be_meant(folder, arguments, message):
    assert refusal(folder, *arguments) == message


@pytest.mark.parametrize(
    ("k", "message"),
    [
        ("5..2", "5..2 runs backwards"),
        ("a..b", "'a..b' is not a number of clusters; write 5, or 2..10 for a range"),
        ("2..", "'2..' is not a number of clusters"),
        ("..3", "'..3' is not a number of clusters"),
        ("2...4", "'2...4' is not a number of clusters"),
        ("2.5", "'2.5' is not a number of clusters"),
        ("-3", "'-3' is not a number of clusters"),
        ("", "'' is not a number of clusters"),
        ("0", "0 must be at least 1"),
        ("0..3", "0 must be at least 1"),
        ("99999999999999999999", "'99999999999999999999' is not a number of clusters"),
    ],
)
def test_bad_numbers_of_clusters(folder, k, message):
    found = refusal(folder, "fit", "x.csv", "--method", "kmeans", "--k", k)
    assert found.startswith("--k: ") and message in found


@pytest.mark.parametrize(("k", "kept"), [("3", 3), ("3..3", 3), ("2..4", "2..4")])
def test_the_summary_keeps_a_number_or_a_range(folder, k, kept):
    assert fit(folder, "x.csv", "--method", "kmeans", "--k", k)["options"]["k"] == kept


def test_whole_numbers_are_asked_for(folder):
    assert refusal(folder, "fit", "x.csv", "--k", "2.5") == "--k: '2.5' is not a whole number"
    assert refusal(folder, "fit", "x.csv", "--k", "2..5") == "--k: '2..5' is not a number"


def test_wrong_words_are_refused_before_the_table_is_read(folder):
    found = refusal(folder, "fit", "missing.csv", "--method", "kmeans", "--seeding", "nonsense")
    assert found == "--seeding is 'nonsense'; choose one of: kmeans++, afk-mc2, uniform, farthest"


def test_a_model_brings_its_own_options(folder):
    fit(folder, "x.csv")
    beside = ("score", "x.csv", "--labels", "truth.csv", "--model", "out/model.coppice")
    for option in (("--phi0", 3), ("--method", "bkm"), ("--method", "kmeans")):
        assert refusal(folder, *beside, *option) == f"{option[0]} does not go with --model, which brings its own options"


@pytest.mark.parametrize("method", METHODS)
def test_every_option_is_in_the_summary(folder, method):
    options = fit(folder, "x.csv", "--method", method)["options"]
    assert {f"--{name.replace('_', '-')}" for name in options} == options_listed(folder, method) | {"--transform"}


def test_objectives_have_their_names(folder):
    bkm = fit(folder, "x.csv")
    assert bkm["objective"]["name"] == "-log p(data, labels)" and bkm["objective"]["bits_per_row"] is not None
    kmeans = fit(folder, "x.csv", "--method", "kmeans")
    assert kmeans["objective"]["name"] == "sum of squared distances" and kmeans["objective"]["bits_per_row"] is None
    assert bkm["prior"] and kmeans["prior"] == {}
