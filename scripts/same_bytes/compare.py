# SPDX-License-Identifier: BSD-3-Clause
"""What two outcomes of a run have in common: everything but times, memory and the name of the folder."""

import io
import json
import math
import re
import zipfile

import numpy as np

NUMBER = r"[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?"
TIMES = (
    (re.compile(r'("seconds": )\{[^{}]*\}'), r"\1{}"),  # of the whole fit
    (re.compile(rf'("(?:seconds|peak_memory_bytes)": ){NUMBER}'), r"\1-"),  # of a trace's entry
    (re.compile(rf"\b{NUMBER} (s|ms)\b"), r"- \1"),  # in text
)
TIED_TOLERANCE = 1e-12


def without_times(content):
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return content
    for pattern, replacement in TIMES:
        text = pattern.sub(replacement, text)
    return text.encode()


def without_format(description):
    """What model.json says of the model, not of its own format."""
    found = json.loads(description)
    for key in ("version", "kind", "needs"):
        found.pop(key, None)
    return json.dumps(found).encode()


def unpacked(path, content):
    """Content by name: an archive's members, or the file itself."""
    if path.endswith(".coppice") and zipfile.is_zipfile(io.BytesIO(content)):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return {f"{path}:{name}": without_format(archive.read(name)) if name == "model.json" else archive.read(name)
                    for name in archive.namelist()}
    return {path: without_times(content) if path.endswith("summary.json") else content}


def pieces(outcome, folder):
    """Everything that has to be the same, by name, in the order in which differences are told."""
    found = {}
    for number, (code, output, errors) in enumerate(outcome.steps, start=1):
        found[f"exit code of command {number}"] = str(code).encode()
        for name, content in (("standard error", errors), ("standard output", output)):
            found[f"{name} of command {number}"] = without_times(content.replace(str(folder).encode(), b"FOLDER"))
    for path, content in outcome.files.items():
        found.update(unpacked(path, content))
    return found


def labels_in(content):
    """The names and labels of a table of labels, without probabilities."""
    return b"\n".join(b",".join(line.split(b",")[:2]) for line in content.splitlines())


def tied_pieces(outcome):
    """Where sums may be taken in another order: exit codes and labels, and the objective apart from them."""
    found = {f"exit code of command {number}": str(code).encode()
             for number, (code, _, _) in enumerate(outcome.steps, start=1)}
    for path, content in outcome.files.items():
        if path.endswith("labels.csv"):
            found[path] = labels_in(content)
    return found


def objective(outcome):
    return json.loads(outcome.files.get("out/summary.json", b'{"objective": {"value": null}}'))["objective"]["value"]


def clip(line, place):
    """The part of a line around a place in it."""
    begin = max(0, place - 50)
    return ("..." if begin else "") + line[begin:begin + 110] + ("..." if len(line) > begin + 110 else "")


def array_difference(old, new):
    """Of two NPY files; None if they are none, or differ in their headers alone."""
    try:
        a, b = (np.load(io.BytesIO(content)) for content in (old, new))
    except (ValueError, OSError, EOFError):
        return None
    if (a.shape, a.dtype) != (b.shape, b.dtype):
        return "shape", f"{a.shape} {a.dtype}", f"{b.shape} {b.dtype}"
    places = np.argwhere([x.tobytes() != y.tobytes() for x, y in zip(a.ravel(), b.ravel())])
    if len(places) == 0:
        return None
    first = int(places[0][0])
    index = ", ".join(map(str, np.unravel_index(first, a.shape)))
    return f"[{index}], first of {len(places)}", repr(a.ravel()[first]), repr(b.ravel()[first])


def line_difference(old, new):
    a, b = (content.decode(errors="backslashreplace").splitlines() for content in (old, new))
    for number, (x, y) in enumerate(zip(a + ["(no line)"], b + ["(no line)"]), start=1):
        if x != y:
            place = next((i for i, (u, v) in enumerate(zip(x, y)) if u != v), min(len(x), len(y)))
            return f"line {number}", clip(x, place), clip(y, place)
    return "the ends of lines", f"{len(old)} bytes", f"{len(new)} bytes"


def first_difference(old, new):
    """(place, old, new) of two contents that are not the same; None for one that is not there."""
    if old is None or new is None:
        return "", *("absent" if content is None else f"{len(content)} bytes" for content in (old, new))
    is_array = old.startswith(b"\x93NUMPY") and new.startswith(b"\x93NUMPY")
    return (is_array and array_difference(old, new)) or line_difference(old, new)


def unlike_its_kind(run, outcome):
    """A run that is refused compares next to nothing, and a refusal that is none something else."""
    codes = [step[0] for step in outcome.steps]
    expected = [code == 0 for code in codes[:-1]] + [(codes[-1] != 0) if run.is_refusal else (codes[-1] == 0)]
    if all(expected):
        return []
    number = expected.index(False)
    said = outcome.steps[number][2].decode(errors="backslashreplace").splitlines()
    return [(f"exit code {codes[number]} of command {number + 1}, in both", "", clip(said[0] if said else "", 0), "")]


def differences(run, old, new):
    """(what, where, old, new) of everything that differs; `old` and `new` are pairs of outcome and folder."""
    a, b = (tied_pieces(outcome) if run.is_tied else pieces(outcome, folder) for outcome, folder in (old, new))
    found = [(name, *first_difference(a.get(name), b.get(name)))
             for name in dict.fromkeys([*a, *b]) if a.get(name) != b.get(name)]
    if run.is_tied and not found:
        x, y = objective(old[0]), objective(new[0])
        if x is None or y is None or not math.isclose(x, y, rel_tol=TIED_TOLERANCE, abs_tol=0.0):
            found.append(("objective", f"beyond {TIED_TOLERANCE} of its size", repr(x), repr(y)))
    return found or unlike_its_kind(run, old[0])
