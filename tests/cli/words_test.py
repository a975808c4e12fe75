# SPDX-License-Identifier: BSD-3-Clause
"""Messages and tables: one note for many things, harmless names, one row and two rows, numbers of a few digits."""

import re

import numpy as np
import pytest

from at_length import cases
from program import DATA, OK, USAGE, mixture, run, succeed, summary

METHODS = cases(["bkm", "abc", "kmeans", "single"], ["bkm", "abc", "vbmg", "vdp", "bj", "kmeans", "gmm", "mog-bic", "single", "complete", "average", "ward"])
HARM = ["red\x1b[31m", "two\nlines", "tab\there", "bell\x07", "back\u202eward", "c1\u009b2J", "del\x7f"]


def write_table(path, names, rows):
    quoted = ",".join('"' + name.replace('"', '""') + '"' for name in names)
    path.write_text(quoted + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows), encoding="utf-8")


def some_rows(n=60, columns=2):
    return np.random.default_rng(3).normal(size=(n, columns)).round(4) + 9 * (np.arange(n) % 2)[:, None]


def is_harmless(text):
    return not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)


def options_of(method):
    return ["--method", method, *(["--k", "2"] if method in ("kmeans", "gmm") else [])]


@pytest.mark.parametrize("method", METHODS)
def test_many_constant_columns_are_one_note(tmp_path, method):
    rows = np.hstack([some_rows(), np.full((60, 67), 3.0)])
    write_table(tmp_path / "x.csv", [f"c{i}" for i in range(rows.shape[1])], rows)
    done = succeed(tmp_path, "fit", "x.csv", "--out", "out", *options_of(method))
    notes = [line for line in done.stderr.splitlines() if "constant" in line]
    assert len(notes) == 1 and "67 columns are constant" in notes[0] and "'c2'" in notes[0] and "62 more" in notes[0]
    assert len(notes[0]) < 200
    assert sum("constant" in warning for warning in summary(tmp_path / "out")["warnings"]) == 1


@pytest.mark.parametrize("step", ["standardize", "drop-constant", "normalize"])
def test_transforms_have_one_note_for_many_things(tmp_path, step):
    rows = np.hstack([some_rows(), np.zeros((60, 67))])
    rows[:30, :2] = 0  # and thirty rows of zeros, for normalize
    write_table(tmp_path / "x.csv", [f"c{i}" for i in range(rows.shape[1])], rows)
    done = succeed(tmp_path, "fit", "x.csv", "--out", "out", "--transform", step, "--method", "kmeans", "--k", "2")
    assert 1 <= len(done.stderr.splitlines()) <= 2 and all(len(line) < 200 for line in done.stderr.splitlines())


def test_names_of_columns_are_harmless_wherever_they_are_shown(tmp_path):
    rows = np.hstack([some_rows(columns=len(HARM)), np.full((60, 1), 2.0)])
    write_table(tmp_path / "x.csv", [*HARM, "constant\x1b[2J"], rows)
    done = succeed(tmp_path, "fit", "x.csv", "--out", "out")
    shown = [done.stdout + done.stderr, succeed(tmp_path, "info", "x.csv").stdout, succeed(tmp_path, "info", "out/model.coppice").stdout]
    for text in shown:
        assert is_harmless(text), repr(text)
        assert "\\x1b[" in text
    assert "two\\nlines" in shown[1] and "tab\\there" in shown[1] and "back\\u202eward" in shown[1]
    assert len([line for line in shown[1].splitlines() if line.startswith("  ")]) == 1 + len(HARM) + 1
    assert [column["name"] for column in __import__("json").loads(succeed(tmp_path, "info", "x.csv", "--json").stdout)["columns"]][:7] == HARM


def test_files_keep_the_true_bytes(tmp_path):
    rows = some_rows()
    text = "id,a,b\n" + "".join(f"r{i}\x1b[31m,{a},{b}\n" for i, (a, b) in enumerate(rows))
    (tmp_path / "x.csv").write_text(text)
    done = succeed(tmp_path, "fit", "x.csv", "--id", "id", "--out", "out")
    assert is_harmless(done.stdout + done.stderr)
    assert "r0\x1b[31m," in (tmp_path / "out/labels.csv").read_text()


@pytest.mark.parametrize("name", ["no\x1b[31mfile.csv", "no\nfile.csv", "no\u202efile.csv", b"no\xfffile.csv"], ids=repr)
def test_names_of_files_are_harmless_in_errors_and_results(tmp_path, name):
    missing = run(tmp_path, "fit", name) if isinstance(name, str) else run_bytes(tmp_path, [b"fit", name])
    assert missing.returncode == 4 and is_harmless(missing.stderr) and "\\" in missing.stderr
    if isinstance(name, str):
        write_table(tmp_path / name, ["a", "b"], some_rows())
        for arguments in (["info", name], ["fit", name], ["convert", name, "copy" + name]):
            done = succeed(tmp_path, *arguments)
            assert is_harmless(done.stdout + done.stderr), repr(done.stdout)


def run_bytes(folder, arguments):
    import subprocess  # noqa: PLC0415
    from program import BINARY  # noqa: PLC0415
    return subprocess.run([BINARY.encode(), *arguments], cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("cell", cases(["x\x1b[31m"], ["x\x1b[31m", "x\x07y", "x\u009by"]))
def test_cells_and_arguments_are_harmless_in_errors(tmp_path, cell):
    (tmp_path / "x.csv").write_text(f"a,b\n1,2\n3,{cell}\n", encoding="utf-8")
    bad = run(tmp_path, "fit", "x.csv")
    assert bad.returncode == DATA and is_harmless(bad.stderr) and "\\x" in bad.stderr
    for arguments in (["fit", "x.csv", "--method", cell], [cell], ["fit", "x.csv", "--" + cell], ["methods", cell]):
        done = run(tmp_path, *arguments)
        assert done.returncode == USAGE and is_harmless(done.stderr), repr(done.stderr)


def test_bytes_that_are_no_text_are_shown_as_such(tmp_path):
    (tmp_path / "x.csv").write_bytes(b"caf\xe9,b\n" + b"".join(b"%d,%d\n" % (i % 3, i) for i in range(20)))
    done = run(tmp_path, "info", "x.csv", text=False)
    assert done.returncode in (OK, DATA)
    assert b"\\xe9" in done.stdout + done.stderr and b"\xe9" not in done.stdout + done.stderr


def test_one_is_no_plural(tmp_path):
    (tmp_path / "one.csv").write_text("a\n5\n")
    assert succeed(tmp_path, "info", "one.csv").stdout.startswith("one.csv: 1 row x 1 column,")
    assert succeed(tmp_path, "convert", "one.csv", "one.npy").stdout == "one.npy: 1 row x 1 column\n"
    fitted = succeed(tmp_path, "fit", "one.csv", "--method", "kmeans", "--k", "1").stdout
    assert fitted.startswith("1 cluster in 1 row x 1 column (")
    assert "a model of 1 cluster (kmeans, centroid), fitted to 1 row x 1 column" in succeed(tmp_path, "info", "one.coppice/model.coppice").stdout
    (tmp_path / "two.csv").write_text("a\n5\n6\n")
    refused = run(tmp_path, "score", "one.csv", "--labels", "two.csv", "--method", "kmeans")
    assert refused.returncode == DATA and "2 labels" in refused.stderr and "1 row" in refused.stderr and "1 rows" not in refused.stderr
    many = run(tmp_path, "fit", "one.csv", "--method", "bkm", "--k", "3", "--out", "none")
    assert many.returncode == USAGE and re.search(r"1 row\b", many.stderr)


def test_shares_are_written_as_shares(tmp_path):
    (tmp_path / "full.svm").write_text("".join(f"0 1:{i + 1} 2:3\n" for i in range(9)))
    assert "sparse with 18 entries (100.0%)" in succeed(tmp_path, "info", "full.svm").stdout
    (tmp_path / "one.svm").write_text("0 1:2\n1\n1\n")
    assert "sparse with 1 entry (33.3%)" in succeed(tmp_path, "info", "one.svm").stdout
    (tmp_path / "few.svm").write_text("0 1:2 90000:1\n" + "1\n" * 99)
    few = succeed(tmp_path, "info", "few.svm").stdout
    assert "(2.2e-05%)" in few


def longest_number(text):
    return max(re.findall(r"-?[\d.]+(?:e[+-]?\d+)?", text), key=len)


@pytest.mark.parametrize("size", cases([1e60], [1e30, 1e60, 1e100]))
def test_numbers_for_people_are_short(tmp_path, size):
    rows = some_rows(columns=2)
    rows[30:] += size
    rows[30:] *= 1 + np.arange(30)[:, None] / 1000
    np.save(tmp_path / "x.npy", rows)
    texts = []
    for method in ("kmeans", "bkm", "gmm"):
        done = run(tmp_path, "fit", "x.npy", "--out", "out", "--force", *options_of(method))
        texts.append(done.stdout if done.returncode == OK else "0")
        if done.returncode == OK:
            texts.append(succeed(tmp_path, "info", "out/model.coppice").stdout)
            texts.append(succeed(tmp_path, "evaluate", "out/labels.csv", "out/labels.csv", "--data", "x.npy").stdout)
    assert len(texts) > 3
    for text in texts:
        assert len(longest_number(text)) <= 16, longest_number(text)


def test_the_program_alone_shows_what_it_can_do(tmp_path):
    done = succeed(tmp_path)
    assert done.stderr == "" and "Usage" in done.stdout
    for command in ("fit", "predict", "score", "density", "sample", "evaluate", "generate", "convert", "info", "methods"):
        assert re.search(rf"(?m)^  {command} +\S", done.stdout)
    assert "coppice fit points.csv" in done.stdout and "coppice COMMAND --help" in done.stdout
    assert done.stdout == succeed(tmp_path, "--help").stdout


@pytest.mark.parametrize("arguments, meant", [
    (["--verison"], "--version"), (["--hlep"], "--help"), (["--versoin=1"], "--version"), (["help"], "--help"), (["version"], "--version"),
    (["fti"], "fit"), (["predcit", "x"], "predict"), (["Fit"], "fit"), (["generate", "mixtrue"], "mixture"), (["generate", "--hlep"], "--help"),
    (["fit", "x.csv", "--truht", "y"], "--truth"), (["info", "x.csv", "--jsno"], "--json"), (["fit", "x.csv", "--method", "kmenas"], "kmeans")])
def test_what_was_meant_is_suggested(tmp_path, arguments, meant):
    done = run(tmp_path, *arguments)
    assert done.returncode == USAGE and f"did you mean {meant}?" in done.stderr, done.stderr


def test_what_is_like_nothing_gets_no_suggestion(tmp_path):
    for arguments in (["zzzzzz"], ["--zzzzzz"]):
        done = run(tmp_path, *arguments)
        assert done.returncode == USAGE and "did you mean" not in done.stderr and "fit, predict" in done.stderr
