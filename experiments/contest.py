# SPDX-License-Identifier: BSD-3-Clause
"""Every contender on every data set, one JSON line per fit; what the results file holds already is not done again.

A data set is made once, for all contenders that still have to see it. The line keeps a digest of its rows, so that lines
of different runs can be seen to be about the same data. A fit that failed is a line with the reason; --retry tries again,
and of two lines about the same fit the later one counts. A program that has changed wants a new results file.
"""
import concurrent.futures
import dataclasses
import hashlib
import io
import json
import os
import sys
import tempfile
import threading
from pathlib import Path

import numpy as np

import contenders


@dataclasses.dataclass(frozen=True)
class DataSet:
    """`key` are the words and numbers that name it in the results; `make` writes x.npy and z.npy (the truth) to a folder."""

    key: tuple  # of (name, value)
    make: callable
    most: int = 30  # components of the peers that are told a limit
    gmm_most: int = 30  # the same for K tried by gmm-bic

    def named(self, contender):
        return (*self.key, ("contender", contender))


class Results:
    """A file of JSON lines, read once and appended to."""

    def __init__(self, path, names):
        self.names, self.path, self.lock = (*names, "contender"), Path(path), threading.Lock()
        self.records = {self.key(record): record for record in read_lines(self.path)}

    def key(self, record):
        return tuple((name, record[name]) for name in self.names)

    def append(self, record):
        with self.lock:
            self.records[self.key(record)] = record
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with open(self.path, "a+b") as file:
                torn = file.tell() > 0 and not ends_with_newline(file)
                file.write((b"\n" if torn else b"") + json.dumps(record).encode() + b"\n")


def ends_with_newline(file):
    file.seek(-1, os.SEEK_END)
    return file.read(1) == b"\n"


def read_lines(path):
    """Records of a file; a line that an interruption cut short is none."""
    for line in path.read_text().splitlines() if path.exists() else []:
        try:
            yield json.loads(line)
        except json.JSONDecodeError:
            print(f"{path}: skipped a line that was cut short", file=sys.stderr)


def add_options(parser, names, ours=contenders.OURS, peers=contenders.PEERS):
    """The options that all contests have; `names` of `ours` and `peers` take part unless others are asked for."""
    parser.set_defaults(ours=ours, peers=peers)
    parser.add_argument("--program", default="build/release/cli/coppice")
    parser.add_argument("--contenders", nargs="+", default=names, metavar="NAME",
                        help=f"of {', '.join((*ours, *peers))}, and those of --fit; "
                             f"default: {' '.join(names)}")
    parser.add_argument("--fit", action="append", default=[], metavar="NAME=OPTIONS",
                        help="one more contender: our program with these options of 'coppice fit'")
    parser.add_argument("--results", metavar="FILE", help="JSON lines to continue; default: a new file that is not kept")
    parser.add_argument("--table", metavar="FILE", help="only print the tables of such a file")
    parser.add_argument("--seeds", type=seeds, metavar="LIST", help="such as 0..9 or 0,4,7")
    parser.add_argument("--timeout", type=float, default=1800.0, help="seconds of one fit, at most")
    parser.add_argument("--retry", action="store_true", help="try again what failed")
    parser.add_argument("--jobs", type=int, default=1, help="data sets at the same time; seconds are comparable with 1 only")
    parser.add_argument("--quick", action="store_true", help="a few small data sets: does the experiment work?")


def seeds(text):
    """0..9 and 0,4,7 and their mixtures."""
    found = []
    for part in text.split(","):
        first, _, last = part.partition("..")
        found += range(int(first), int(last or first) + 1)
    return found


def taking_part(parser, options):
    """The contenders that were asked for, ours first told where the program is; who cannot is left out with a word."""
    program = str(Path(options.program).resolve())
    ours, peers = options.ours | dict(named(parser, text) for text in options.fit), options.peers
    chosen = list(dict.fromkeys([*options.contenders, *(text.partition("=")[0] for text in options.fit)]))
    if unknown := set(chosen) - set(ours) - set(peers):
        parser.error(f"no contender is called {', '.join(sorted(unknown))}; there are {', '.join((*ours, *peers))}")
    for name in chosen:
        if obstacle := contenders.missing(name):
            print(f"{name} is left out: {obstacle}", file=sys.stderr)
        elif name in ours:
            yield lambda data, name=name: contenders.Ours(name, program, ours[name])
        else:
            yield lambda data, name=name: contenders.Theirs(name, data.gmm_most if name == "gmm-bic" else data.most)


def named(parser, text):
    name, equals, options = text.partition("=")
    if not equals or not name or name in contenders.PEERS:
        parser.error(f"--fit {text}: write NAME=OPTIONS, such as --fit 'crp=--partition dp'")
    return name, options


def load(content):
    return np.load(io.BytesIO(content))


def fit_one(contender, folder, timeout):
    """Figures of one fit, or why there are none."""
    try:
        labels, figures = contender.fit(folder, timeout)
    except contenders.Failure as failure:
        return dict(error=str(failure))
    return figures | contenders.judge(load(labels), load(Path(folder, "z.npy").read_bytes()))


def said(record):
    if "error" in record:
        return record["error"]
    tree = f", dendrogram purity {record['dendrogram_purity']:.3f}" if "dendrogram_purity" in record else ""
    return f"K = {record['k']}, ARI {record['ari']:.3f}{tree}, {record['seconds']:.1f} s"


class Contest:
    def __init__(self, everybody, results, options):
        self.everybody, self.results, self.options = everybody, results, options
        self.done = self.all = 0

    def pending(self, data):
        records = self.results.records
        everybody = [make(data) for make in self.everybody]
        return [contender for contender in everybody
                if data.named(contender.name) not in records
                or (self.options.retry and "error" in records[data.named(contender.name)])]

    def known(self, contender, digest):
        """Figures of the same contender on the same rows, which may be the data set of several cells."""
        for record in list(self.results.records.values()):
            if record["contender"] == contender.name and record.get("data") == digest and "error" not in record:
                return {name: value for name, value in record.items() if name not in (*self.results.names, "data")}
        return None

    def one_data_set(self, data):
        with tempfile.TemporaryDirectory() as folder:
            data.make(folder)
            digest = hashlib.sha256(Path(folder, "x.npy").read_bytes()).hexdigest()[:16]
            for contender in self.pending(data):
                figures = self.known(contender, digest) or fit_one(contender, folder, self.options.timeout)
                self.results.append(dict(data.named(contender.name)) | dict(data=digest) | figures)
                self.done += 1
                words = " ".join(f"{name} {value}" for name, value in data.key)
                print(f"[{self.done}/{self.all}] {words}, {contender.name}: {said(figures)}", file=sys.stderr, flush=True)

    def run(self, data_sets):
        waiting = [data for data in data_sets if self.pending(data)]
        self.all = sum(len(self.pending(data)) for data in waiting)
        pool = concurrent.futures.ThreadPoolExecutor(self.options.jobs)
        try:
            for future in [pool.submit(self.one_data_set, data) for data in waiting]:
                future.result()
        finally:  # an interruption ends with the fits that run, not with those that wait
            pool.shutdown(cancel_futures=True)


def hold(parser, options, data_sets, names):
    """Runs what is missing; all records of the results file, whether they were asked for or not."""
    if options.table:
        if not Path(options.table).exists():
            parser.error(f"--table {options.table}: there is no such file")
        return list(Results(options.table, names).records.values())
    with tempfile.TemporaryDirectory() as folder:
        results = Results(options.results or Path(folder, "results.jsonl"), names)
        Contest(list(taking_part(parser, options)), results, options).run(data_sets)
        return list(results.records.values())
