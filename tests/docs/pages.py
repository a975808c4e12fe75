# SPDX-License-Identifier: BSD-3-Clause
"""Takes blocks, commands and named commands from the pages of the documentation."""

import dataclasses
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FENCE = re.compile(r"^\s*```(.*)$")


@dataclasses.dataclass
class Block:
    page: str
    line: int  # of the fence, from 1
    language: str
    text: str

    def __str__(self):
        return f"{self.page}:{self.line}"


def all_pages():
    """Whatever is in docs, now and later."""
    return ["README.md", "CONTRIBUTING.md", *sorted(str(p.relative_to(ROOT)) for p in (ROOT / "docs").rglob("*.md"))]


def blocks_of(page):
    blocks, inside = [], None
    for number, line in enumerate((ROOT / page).read_text(encoding="utf-8").splitlines(), start=1):
        fence = FENCE.match(line)
        if fence and inside is None:
            inside = Block(page, number, fence.group(1).strip(), "")
        elif fence:
            blocks.append(inside)
            inside = None
        elif inside is not None:
            inside.text += line + "\n"
    assert inside is None, f"{inside}: the block does not end"
    return blocks


def named_commands(page):
    """Commands in running text: `coppice methods kmeans`."""
    prose = re.sub(r"(?ms)^\s*```.*?^\s*```", "", (ROOT / page).read_text(encoding="utf-8"))
    return re.findall(r"`(coppice [^`\n]+)`", prose)


def commands_of(block):
    """(command, output or None) of a shell block. With prompts ($), what stands below a command is its output."""
    lines = block.text.splitlines()
    if not any(line.startswith("$ ") for line in lines):
        return [(line, None) for line in lines if line.strip() and not line.startswith("#")]
    commands = []
    for line in lines:
        if line.startswith("$ "):
            commands.append([line[2:], ""])
        else:
            assert commands, f"{block}: output before the first command"
            commands[-1][1] += line + "\n"
    return [tuple(command) for command in commands]
