# SPDX-License-Identifier: BSD-3-Clause
"""What people see fits where they look: help and tables at any width, a progress line whose clock moves."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
import unicodedata

import numpy as np
import pytest

from at_length import cases
from program import BINARY, OK, mixture, succeed

WIDTHS = (50, 80, 160)
COMMANDS = ["fit", "predict", "score", "density", "sample", "evaluate", "generate", "convert", "info", "methods"]
METHODS = cases(["bkm", "gmm", "ward"], ["bkm", "abc", "vbmg", "vdp", "bj", "kmeans", "gmm", "mog-bic", "single", "complete", "average", "ward"])


def at_width(width, folder, *arguments):
    return succeed(folder, *arguments, env={**os.environ, "COLUMNS": str(width)}).stdout


def cells(line):
    """Independent of the program's own table: Unicode's."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def widest(text):
    return max(text.splitlines(), key=cells)


@pytest.fixture(name="folder", scope="module")
def fixture_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("terminal")
    mixture(folder, rows=300, dimensions=12, k=4)
    lines = (folder / "x.csv").read_text().splitlines()
    names = ",".join(f"a_rather_long_name_of_column_{c}" for c in range(12))
    (folder / "long.csv").write_text("\n".join([names, *lines[1:]]) + "\n")
    succeed(folder, "fit", "x.csv", "--out", "out", "--quiet")
    return folder


@pytest.mark.parametrize("arguments", [["--help"], *[[c, "--help"] for c in COMMANDS], ["generate", "mixture", "--help"],
                                       *[["fit", "--method", m, "--help"] for m in METHODS], ["methods"]], ids=" ".join)
def test_help_keeps_to_the_width_and_says_the_same_at_any(tmp_path, arguments):
    texts = [at_width(width, tmp_path, *arguments) for width in WIDTHS]
    for width, text in zip(WIDTHS, texts):
        assert cells(widest(text)) <= width, widest(text)
    assert len({re.sub(r"\s", "", text) for text in texts}) == 1  # nothing is lost where there is less room
    assert len(texts[0].splitlines()) > len(texts[2].splitlines())


@pytest.mark.parametrize("method", METHODS)
def test_options_of_a_method_keep_to_the_width(tmp_path, method):
    texts = [at_width(width, tmp_path, "methods", method) for width in WIDTHS]
    for width, text in zip(WIDTHS, texts):
        assert cells(widest(text)) <= width, widest(text)
    assert len({tuple(re.findall(r"(?m)^  (--[a-z0-9-]+)", text)) for text in texts}) == 1
    for width, text in zip(WIDTHS, texts):
        before = re.search(r"(?m)^  option +default +accepts +(?=meaning)", text)
        assert before is None or width - len(before.group()) >= 60  # else each option has lines of its own


@pytest.mark.parametrize("width", cases(WIDTHS[:1], WIDTHS))
def test_tables_keep_to_the_width(folder, width):
    fits = [at_width(width, folder, "fit", name, "--out", "wide", "--force", "--stability", "2") for name in ("x.csv", "long.csv")]
    tables = [*fits, at_width(width, folder, "info", "x.csv"), at_width(width, folder, "info", "out/model.coppice"),
              at_width(width, folder, "evaluate", "out/labels.csv", "truth.csv")]
    for text in tables:
        rows = [line for line in text.splitlines() if line.startswith("  ")]
        assert len(rows) >= 5  # the heading and a line per cluster or column
        assert cells(widest("\n".join(rows))) <= width, text
    for text in fits:
        heading = re.search(r"(?m)^  cluster +rows +share +sure +stable +(.*)$", text)
        names = heading.group(1).removesuffix("set apart by").split()
        assert names and len(set(names)) == len(names), heading  # a mean at least, and no two that look alike


def test_more_room_shows_more_columns(folder):
    headings = [at_width(width, folder, "fit", "x.csv", "--out", "wide", "--force").splitlines()[2].split() for width in WIDTHS]
    assert len(headings[0]) < len(headings[1]) <= len(headings[2])


def test_a_wide_contingency_table_is_folded_and_keeps_its_counts(tmp_path):
    labels = np.repeat(np.arange(12), 12345)
    for name in ("labels.npy", "truth.npy"):
        np.save(tmp_path / name, labels.astype(np.int32))
    wide = at_width(400, tmp_path, "evaluate", "labels.npy", "truth.npy")
    narrow = at_width(50, tmp_path, "evaluate", "labels.npy", "truth.npy")
    assert cells(widest(narrow)) <= 50 < cells(widest(wide))
    assert narrow.count("12,345") == wide.count("12,345") == 12


def test_wide_and_combining_characters_count_as_they_are_shown(tmp_path):
    names = ["e\u0301te\u0301", "重量重量", "plain", "ｗｉｄｅ"]  # accents of their own, Chinese, full width
    rows = np.random.default_rng(1).normal(size=(60, 4)) + 9 * (np.arange(60) % 3)[:, None]
    text = ",".join(names) + "\n" + "\n".join(",".join(f"{v:.4f}" for v in row) for row in rows)
    (tmp_path / "x.csv").write_text(text + "\n", encoding="utf-8")
    out = succeed(tmp_path, "fit", "x.csv", "--out", "out", "--method", "kmeans", "--k", "3").stdout.splitlines()
    heading, *lines = [line for line in out if line.startswith("  ")][:4]
    for name in names:
        end = cells(heading[: heading.index(name) + len(name)])
        assert all(line[end - 1].isdigit() and (len(line) == end or line[end] == " ") for line in lines), out


@pytest.mark.parametrize("value", cases(["", "-3", "99999999999999999999999"], ["", "0", "-3", "many", "1", "99999999999999999999999"]))
def test_strange_widths_are_no_error(tmp_path, value):
    done = succeed(tmp_path, "fit", "--help", env={**os.environ, "COLUMNS": value})
    assert "--method" in done.stdout


class Terminal:
    """A terminal of so many columns that a program writes its errors to, and sees as one."""

    def __init__(self, columns):
        self.main, self.other = pty.openpty()
        fcntl.ioctl(self.other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.text = ""

    def start(self, folder, *arguments):
        environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"}
        process = subprocess.Popen([BINARY, *map(str, arguments)], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=self.other, env=environment)
        os.close(self.other)
        return process

    def read_until(self, claim, seconds=20.0):
        end = time.monotonic() + seconds
        while not claim(self.text) and time.monotonic() < end:
            if not select.select([self.main], [], [], 0.05)[0]:
                continue
            try:
                self.text += os.read(self.main, 4096).decode()
            except OSError:  # nobody writes any more
                break
        return claim(self.text)


def drawn(text):
    """What was shown, line by line."""
    return [line for line in re.split(r"\r\033\[K", text) if line]


@pytest.mark.parametrize("columns", cases([30], [30, 50, 160]))
def test_the_clock_moves_while_a_table_is_read(tmp_path, columns):
    terminal = Terminal(columns)
    process = terminal.start(tmp_path, "fit", "-", "--out", "out", "--time-limit", "60")
    process.stdin.write(b"a,b\n1,2\n")
    process.stdin.flush()
    clocks = lambda text: set(re.findall(r"([\d.]+) of 60 s", text))  # noqa: E731
    assert terminal.read_until(lambda text: len(clocks(text)) >= 3), terminal.text
    process.stdin.write("".join(f"{i % 3 * 9 + i / 99},{i % 3}\n" for i in range(90)).encode())
    process.stdin.close()
    assert process.wait(timeout=30) == OK
    terminal.read_until(lambda text: text.endswith("\r\033[K"), 1.0)
    lines = drawn(terminal.text)
    assert any("reading" in line for line in lines)
    assert all(cells(line) < columns for line in lines)
    assert terminal.text.endswith("\r\033[K")  # and it is gone in the end


def test_a_log_gets_a_line_a_second(tmp_path):
    process = subprocess.Popen([BINARY, "fit", "-", "--out", "out", "--progress", "always"], cwd=tmp_path, stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(2.3)
    _, errors = process.communicate("a,b\n" + "".join(f"{i % 3 * 9 + i / 99},{i % 3}\n" for i in range(90)), timeout=30)
    assert process.returncode == OK
    reading = [line for line in errors.splitlines() if "reading -" in line]
    assert 2 <= len(reading) <= 4, errors  # at once, and then about once a second
    assert "\r" not in errors and "\033" not in errors
    for words in ("preparing 90 x 2", ", sweep", "writing out"):
        assert words in errors


def test_progress_says_what_is_left(folder):
    limited = succeed(folder, "fit", "x.csv", "--out", "p", "--force", "--progress", "always", "--time-limit", "77").stderr
    assert " of 77 s" in limited
    lloyd = succeed(folder, "fit", "x.csv", "--out", "p", "--force", "--progress", "always", "--method", "kmeans", "--k", "4").stderr
    assert re.search(r"sweep \d+ of at most 300", lloyd)
    tree = succeed(folder, "fit", "x.csv", "--out", "p", "--force", "--progress", "always", "--method", "ward").stderr
    assert re.search(r"\d merges left", tree)
    steps = succeed(folder, "fit", "x.csv", "--out", "p", "--force", "--progress", "always", "--transform", "pca:2").stderr
    assert "transforming 300 x 12 (pca:2)" in steps
    again = succeed(folder, "fit", "x.csv", "--out", "p", "--force", "--progress", "always", "--stability", "3").stderr
    assert "resample 1 of 3: " in again
