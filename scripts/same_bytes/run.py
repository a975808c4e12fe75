# SPDX-License-Identifier: BSD-3-Clause
"""A run: commands of the program, one after the other, in a folder of their own with copies of the tables they name."""

import dataclasses
import shlex
import shutil
import subprocess

LONGEST = 300  # seconds


@dataclasses.dataclass(frozen=True)
class Run:
    steps: tuple  # the words of each command
    is_refusal: bool = False  # the last command must fail; otherwise all must succeed
    is_tied: bool = False  # soft shares of tied nodes: only labels and objective are compared
    standard_input: str = ""  # name of a table

    @property
    def name(self):
        return "refusal: " * self.is_refusal + "tied: " * self.is_tied + " && ".join(map(shlex.join, self.steps))


@dataclasses.dataclass
class Outcome:
    steps: list  # (exit code, standard output, standard error) of each command
    files: dict  # content by path


def run_of(*commands, **more):
    return Run(tuple(tuple(shlex.split(command)) for command in commands), **more)


def copy_tables(run, tables, folder):
    words = {word.split(":")[0] for step in run.steps for word in step}
    for table in tables.iterdir():
        if table.name in words:
            shutil.copy(table, folder)


def execute(run, program, tables, folder):
    """What the program prints and leaves in `folder`, which is new."""
    folder.mkdir(parents=True)
    copy_tables(run, tables, folder)
    text = (tables / run.standard_input).read_bytes() if run.standard_input else b""
    steps = []
    for words in run.steps:
        try:
            done = subprocess.run([program, *words], cwd=folder, input=text, capture_output=True, timeout=LONGEST,
                                  check=False)
            steps.append((done.returncode, done.stdout, done.stderr))
        except subprocess.TimeoutExpired:
            steps.append((f"none within {LONGEST} s", b"", b""))
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return Outcome(steps, {str(path.relative_to(folder)): path.read_bytes() for path in paths})
