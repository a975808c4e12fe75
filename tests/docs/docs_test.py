# SPDX-License-Identifier: BSD-3-Clause
"""Every command and every code block of README.md, CONTRIBUTING.md and docs, taken from the page and run.

A block belongs to its language: none for commands, cpp, python, cmake, json, or text for what is neither command nor
code. A command that cannot be run here, or a language that is not known, has to be named below, with the reason.
"""

import ast
import functools
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess

import pytest

from pages import ROOT, all_pages, blocks_of, commands_of, named_commands
from tables import make_files_for

BINARY = os.environ["COPPICE_BINARY"]
LANGUAGES = {"", "cpp", "python", "cmake", "json", "text"}
NOT_RUN = {
    "./scripts/": "builds the project; this test is a part of that",
    "cmake --preset": "builds the project; this test is a part of that",
    "ctest ": "runs the tests, and this one with them",
}
BLOCKS = [block for page in all_pages() for block in blocks_of(page)]


def in_language(language):
    return [block for block in BLOCKS if block.language == language]


@pytest.fixture(autouse=True, name="program", scope="session")
def fixture_program(tmp_path_factory):
    """`coppice` by its name, on no terminal."""
    folder = tmp_path_factory.mktemp("bin")
    (folder / "coppice").symlink_to(BINARY)
    before = dict(os.environ)
    os.environ["PATH"] = f"{folder}:{os.environ['PATH']}"
    os.environ.pop("COLUMNS", None)
    yield
    os.environ.clear()
    os.environ.update(before)


@functools.cache
def said_by(*arguments):
    return subprocess.run(["coppice", *arguments], capture_output=True, text=True, check=True).stdout


def help_of(command):
    return said_by(*command, "--help")


def without_seconds(text):
    """Times differ from run to run; nothing else may."""
    return re.sub(r"\d+(\.\d+)? s\b", "SECONDS", text).rstrip()


def remove_earlier_result(command, folder):
    """Commands of a list are alternatives: what the one before wrote into the same place is no hindrance."""
    for name in re.findall(r"\bfit (\S+)", command):
        shutil.rmtree(folder / (pathlib.Path(name).stem + ".coppice"), ignore_errors=True)


def run(command, expected, folder):
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    if expected is not None:
        assert without_seconds(done.stdout) == without_seconds(expected), command


def test_every_block_has_a_language_that_is_known():
    assert [f"{block}: {block.language}" for block in BLOCKS if block.language not in LANGUAGES] == []
    assert len(in_language("cpp")) >= 5 and len(in_language("")) >= 5  # the pages were found


@pytest.mark.parametrize("page", [page for page in all_pages() if any(not block.language for block in blocks_of(page))])
def test_commands_run_and_print_what_the_page_shows(page, tmp_path):
    for block in blocks_of(page):
        if block.language:
            continue
        for command, output in commands_of(block):
            if any(command.startswith(prefix) for prefix in NOT_RUN):
                continue
            if output is None:
                make_files_for(command, tmp_path)
                remove_earlier_result(command, tmp_path)
            run(command, output, tmp_path)


def test_text_blocks_are_no_code():
    """Lines of a synopsis are checked; other lines that could be run do not belong there."""
    for block in in_language("text"):
        for line in block.text.splitlines():
            assert not line.startswith(("$", "./", "#include")), block
            if line.startswith("coppice "):
                check_named(re.split(r"  +", line)[0], block)


def test_indented_blocks_are_formulas():
    """They have no language; what can be run belongs between fences."""
    for page in all_pages():
        for line in re.sub(r"(?ms)^\s*```.*?^\s*```", "", (ROOT / page).read_text(encoding="utf-8")).splitlines():
            assert not re.match(r"    (\$ |coppice |#include|\./)", line), f"{page}: {line}"


def test_commands_in_running_text_exist():
    found = [(command, page) for page in all_pages() for command in named_commands(page)]
    assert found
    for command, page in found:
        check_named(command, page)


def check_named(command, where):
    """The command is there, and so are its options, of whatever method."""
    words = shlex.split(command.replace("[", "").replace("]", ""))[1:]
    helps = help_of(words[:1])
    if words[0] == "generate":
        helps += help_of(["generate", "mixture"])
    if words[0] in ("fit", "score"):
        listed = said_by("methods")
        methods = [line.split()[0] for line in listed.split("\n\n")[0].splitlines() if not line.startswith(" ")]
        assert "bkm" in methods
        helps += "".join(help_of([words[0], "--method", name]) for name in methods)
    for word in words:
        assert not word.startswith("--") or re.search(re.escape(word) + r"\b", helps), f"{where}: {command}: {word}"


def test_the_readme_lists_every_command():
    commands = re.findall(r"(?m)^  ([a-z]+) ", help_of([]).split("Commands:")[1].split("Examples")[0])
    assert len(commands) >= 9
    listed = [line.split()[1] for block in in_language("text") if block.page == "README.md"
              for line in block.text.splitlines() if line.startswith("coppice ")]
    assert sorted(listed) == sorted(commands)


def as_function(number, block):
    """A fragment with what it speaks of; its own braces, so that it may name such things itself."""
    code = "\n".join(line for line in block.text.splitlines() if not line.startswith("#include"))
    return (f'#line {block.line + 1} "{block.page}"\n'
            f"void block{number}([[maybe_unused]] const coppice::Dataset& points, [[maybe_unused]] const coppice::Dataset& new_points) {{ {{\n"
            f"{code}\n}} }}\n")


def test_cpp_blocks_compile(tmp_path):
    """With the headers that the block names, or the one for everything; those with the same headers together."""
    programs = {}
    for number, block in enumerate(in_language("cpp")):
        includes = [line for line in block.text.splitlines() if line.startswith("#include")]
        key = "\n".join(includes or ["#include <coppice/coppice.hpp>"])
        programs[key] = programs.get(key, "") + as_function(number, block)
    running = []
    for number, (includes, functions) in enumerate(programs.items()):
        source = tmp_path / f"blocks{number}.cpp"
        source.write_text(f"{includes}\n{functions}", encoding="utf-8")
        command = [*shlex.split(os.environ["CXX_COMMAND"]), "-std=c++20", "-fsyntax-only", f"-I{ROOT / 'include'}", str(source)]
        running.append(subprocess.Popen(command, stderr=subprocess.PIPE, text=True))
    for compiler in running:
        _, errors = compiler.communicate()
        assert compiler.returncode == 0, errors


@pytest.mark.parametrize("block", in_language("python"), ids=str)
def test_python_blocks_are_python(block):
    """They are parsed, and what they call is there; drawing takes a library that tests do without."""
    tree = ast.parse(block.text)
    names = {}
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            exec(compile(ast.Module([node], []), str(block), "exec"), names)  # noqa: S102
    for call in [node for node in ast.walk(tree) if isinstance(node, ast.Call)]:
        assert callable(eval(ast.unparse(call.func), names)), ast.unparse(call)  # noqa: S307


@pytest.mark.parametrize("block", in_language("cmake"), ids=str)
def test_cmake_blocks_are_what_the_installed_package_is_tested_with(block):
    def calls(text, program):
        text = re.sub(rf"\b{program}\b", "PROGRAM", re.sub(r"coppice \d+(\.\d+)*", "coppice", text))
        return [re.sub(r"\s+", " ", call) for call in re.findall(r"(?m)^\w+\([^)]*\)", text)]

    tested = calls((ROOT / "tests/install/consumer/CMakeLists.txt").read_text(encoding="utf-8"), "consumer")
    shown = calls(block.text, "program")
    assert shown and set(shown) <= set(tested)


def test_json_blocks_are_json():
    for block in in_language("json"):
        json.loads(block.text)
