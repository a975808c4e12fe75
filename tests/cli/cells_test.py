# SPDX-License-Identifier: BSD-3-Clause
"""Cells that people write and that are not plain numbers: what is said about each, and which are taken."""

import json

import pytest

from program import DATA, OK, USAGE, fit, run, succeed


def refusal(folder, text, *arguments, code=DATA, name="x.csv"):
    (folder / name).write_text(text)
    done = run(folder, "fit", name, "--out", "out", *arguments)
    assert done.returncode == code and done.stdout == "", (done.returncode, done.stderr)
    assert not (folder / "out").exists()
    return done.stderr


DISGUISES = {"$5": "money", "€1.50": "money", "-£3": "money", "5 USD": "money", "1 234,50 €": "money",
             "12%": "percentage", "0.5 %": "percentage", "2024-01-31": "date", "31.12.2024": "date",
             "1/31/2024": "date", "2024-01-31 10:15:00": "date", "2024-01-31T10:15:00Z": "date", "10:30": "time",
             "10:30:15": "time", "1 000": "thousands", "1'000": "thousands", "1.000.000": "thousands",
             "5 kg": "unit", "12px": "unit"}


@pytest.mark.parametrize("cell, word", DISGUISES.items(), ids=DISGUISES.keys())
def test_numbers_in_disguise_are_named_wherever_they_stand(tmp_path, cell, word):
    whole = refusal(tmp_path, f'a,b\n1,"{cell}"\n2,"{cell}"\n3,"{cell}"\n')
    first = refusal(tmp_path, f'a,b\n1,"{cell}"\n2,7\n3,8\n')
    later = refusal(tmp_path, f'a,b\n1,6\n2,"{cell}"\n3,8\n')
    for message, line in ((whole, 2), (first, 2), (later, 3)):
        assert f"x.csv:{line}:2" in message and f"'{cell}'" in message and "'b'" in message and word in message, message
    assert "--columns a" in whole


@pytest.mark.parametrize("cell, word", [('"1,000"', "thousands"), ('"-12,345,678.9"', "thousands"),
                                        ('"1,5"', "decimal comma"), ("#DIV/0!", "spreadsheet"), ("#REF!", "spreadsheet"),
                                        ("-", "missing"), ("None", "missing"), ("unknown", "missing"),
                                        ("#N/A", "missing"), ("true", "1 for yes"), ('{"a": 1}', "JSON")])
def test_words_among_numbers_say_what_to_do(tmp_path, cell, word):
    cell = '"{""a"": 1}"' if cell.startswith("{") else cell
    message = refusal(tmp_path, f"a,b\n1,6\n2,{cell}\n3,8\n")
    assert "x.csv:3:2" in message and "'b'" in message and word in message, message


def test_rows_that_begin_with_an_error_of_a_spreadsheet_are_no_comments(tmp_path):
    for cell in ("#N/A", "#DIV/0!", "#VALUE!", "#NUM!"):
        message = refusal(tmp_path, f"a,b\n1,6\n{cell},7\n3,8\n")
        assert "x.csv:3:1" in message and cell in message
    (tmp_path / "x.csv").write_text("# a comment\na,b\n1,6\n#N/A here is a comment\n3,8\n")
    assert json.loads(succeed(tmp_path, "info", "x.csv", "--json").stdout)["rows"] == 2
    (tmp_path / "x.csv").write_text("a,b\n1,6\n#N/A,7\n3,8\n")
    found = json.loads(succeed(tmp_path, "info", "x.csv", "--json").stdout)
    assert found["rows"] == 3 and found["columns"][0]["missing"] == 1


@pytest.mark.parametrize("text", ['[{"a": 1}, {"a": 2}]', '{"a": [1, 2]}\n', '{"a": 1}\n{"a": 2}\n', "[[1, 2], [3, 4]]\n",
                                  "\n  [1, 2, 3]"])
def test_json_is_named(tmp_path, text):
    message = refusal(tmp_path, text, name="x.json")
    assert "x.json" in message and "JSON" in message and "CSV" in message


def test_web_pages_are_named(tmp_path):
    assert "HTML" in refusal(tmp_path, "<!DOCTYPE html>\n<html><body>Not found</body></html>\n")
    assert "XML" in refusal(tmp_path, "<?xml version='1.0'?>\n<a/>\n")


def test_columns_in_brackets_are_no_json(tmp_path):
    (tmp_path / "x.csv").write_text("[size],{width}\n1,2\n3,4\n")
    found = json.loads(succeed(tmp_path, "info", "x.csv", "--json").stdout)
    assert [column["name"] for column in found["columns"]] == ["[size]", "{width}"]


def kinds(folder, text, *arguments):
    (folder / "x.csv").write_text(text)
    found = json.loads(succeed(folder, "info", "x.csv", "--json", *arguments).stdout)
    return {column["name"]: column["kind"] for column in found["columns"]}


@pytest.mark.parametrize("yes, no", [("yes", "no"), ("Yes", "No"), ("TRUE", "FALSE"), ("true", "false"), ("T", "F"),
                                     ("y", "n"), ('"true"', '"false"')])
def test_yes_and_no_are_binary_where_they_stand(tmp_path, yes, no):
    text = f"a,b,c\n1,{yes},0.5\n2,{no},1.5\n3,{yes},2.5\n"
    assert list(kinds(tmp_path, text).items()) == [("a", "count"), ("b", "binary"), ("c", "real")]
    succeed(tmp_path, "convert", "x.csv", "y.csv")
    assert (tmp_path / "y.csv").read_text() == "a,b,c\n1,1,0.5\n2,0,1.5\n3,1,2.5\n"
    assert kinds(tmp_path, text, "--types", "b=category") == {"a": "count", "c": "real", "b": "category"}
    assert kinds(tmp_path, text, "--types", "b=binary")["b"] == "binary"
    assert list(kinds(tmp_path, text, "--columns", "c,b")) == ["c", "b"]


@pytest.mark.parametrize("cells, kind", [(("yes", "", "no"), "binary"), (("red", "NA", "blue"), "category"),
                                         (("", "red", "blue"), "category"), (("t", "f", "n/a"), "binary")])
def test_a_gap_among_words_is_told_by_info_and_kept_by_convert(tmp_path, cells, kind):
    (tmp_path / "x.csv").write_text("a,b\n" + "".join(f"{row},{cell}\n" for row, cell in enumerate(cells)))
    columns = json.loads(succeed(tmp_path, "info", "x.csv", "--json").stdout)["columns"]
    assert [(column["name"], column["kind"], column["missing"]) for column in columns] == [("a", "count", 0), ("b", kind, 1)]
    table = succeed(tmp_path, "info", "x.csv").stdout.splitlines()
    assert table[3].split()[-1] == "missing" and table[5].split()[-1] == "1", table
    succeed(tmp_path, "convert", "x.csv", "y.csv")
    gap = next(row for row, cell in enumerate(cells) if cell in ("", "NA", "n/a"))
    assert (tmp_path / "y.csv").read_text().splitlines()[1 + gap] == f"{gap},"
    assert f"x.csv:{gap + 2}:2" in refusal(tmp_path, (tmp_path / "x.csv").read_text())


def test_other_words_are_no_answers(tmp_path):
    assert kinds(tmp_path, "a,b\n1,yes\n2,true\n3,no\n")["b"] == "category"
    assert kinds(tmp_path, "a,b\n1,yes\n2,maybe\n3,no\n")["b"] == "category"
    assert kinds(tmp_path, "a,b\n1,m\n2,f\n3,m\n")["b"] == "category"
    message = refusal(tmp_path, "a,b\n1,yes\n2,maybe\n3,no\n", "--types", "b=binary")
    assert "x.csv:3:2" in message and "'maybe'" in message


def test_answers_are_clustered_and_predicted_as_numbers(tmp_path):
    rows = ["yes,no,yes", "yes,no,no", "no,yes,no", "no,yes,yes"] * 10
    (tmp_path / "x.csv").write_text("a,b,c\n" + "\n".join(rows) + "\n")
    words = fit(tmp_path, "x.csv")
    assert words["input"]["columns"] == 3 and words["family"] == "bernoulli"
    (tmp_path / "y.csv").write_text("a,b,c\n" + "\n".join(rows).replace("yes", "1").replace("no", "0") + "\n")
    labels = succeed(tmp_path, "predict", "out/model.coppice", "x.csv").stdout
    assert labels == succeed(tmp_path, "predict", "out/model.coppice", "y.csv").stdout
    (tmp_path / "one.csv").write_text("c,a,b\nyes,yes,no\n")  # a column may have one of the words alone
    assert run(tmp_path, "predict", "out/model.coppice", "one.csv").returncode == OK


def test_labels_stay_words(tmp_path):
    (tmp_path / "a.csv").write_text("label\nyes\nno\nyes\n")
    (tmp_path / "b.csv").write_text("label\n7\n3\n7\n")
    assert json.loads(succeed(tmp_path, "evaluate", "a.csv", "b.csv", "--json").stdout)["ari"] == 1.0


@pytest.mark.parametrize("chosen, names", [('"a,b",c', ["a,b", "c"]), ('c,"a,b"', ["c", "a,b"]), ("a,b", ["a,b"]),
                                           ('"say ""hi""",c', ['say "hi"', "c"]), ("1,3", ["a,b", 'say "hi"']),
                                           ('5" pipe', ['5" pipe'])])
def test_names_with_commas_and_quotes_can_be_chosen(tmp_path, chosen, names):
    text = '"a,b",c,"say ""hi""","5"" pipe"\n1,2.5,3,4\n2,3.5,9,4\n'
    assert list(kinds(tmp_path, text, "--columns", chosen)) == names


def test_names_with_commas_have_kinds(tmp_path):
    text = '"a,b",c\n1,2\n2,3\n'
    assert kinds(tmp_path, text, "--types", '"a,b"=real,c=category') == {"a,b": "real", "c": "category"}
    assert kinds(tmp_path, "a,b\n1,2\n2,3\n", "--columns", "a,b") == {"a": "count", "b": "count"}
    assert "'z'" in refusal(tmp_path, text, "--columns", '"a,b",z', code=USAGE)
    words = refusal(tmp_path, '"a,b",c\n1,red\n2,blue\n', code=USAGE)
    assert "--columns '\"a,b\"'" in words


def test_words_that_name_the_rows_point_to_id(tmp_path):
    message = refusal(tmp_path, "full name,x\nAnn,1\nBob,2\nCy,3\n", code=USAGE)
    assert "'full name' holds words" in message and "--columns x" in message and "--id 'full name'" in message
    message = refusal(tmp_path, "colour,x\nred,1\nred,2\nblue,3\n", code=USAGE)
    assert "'colour' holds words" in message and "--id" not in message


def test_names_of_files_do_not_decide(tmp_path):
    (tmp_path / "x.csv").write_text("a,b\n1,2\n3,4\n")
    succeed(tmp_path, "convert", "x.csv", "x.npy")
    for name in ("X.NPY", "X.CSV", "x.unknown", "x.npz"):
        (tmp_path / name).write_bytes((tmp_path / "x.npy").read_bytes())
        assert json.loads(succeed(tmp_path, "info", name, "--json").stdout)["columns"][0]["name"] == "x1"
    (tmp_path / "y.NPY").write_text("a,b\n1,2\n3,4\n")
    assert json.loads(succeed(tmp_path, "info", "y.NPY", "--json").stdout)["columns"][0]["name"] == "a"
