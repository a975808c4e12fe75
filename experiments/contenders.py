# SPDX-License-Identifier: BSD-3-Clause
"""Who takes part in the experiments about finding K: our program with several options, and scikit-learn's methods.

Everybody reads x.npy in a folder, uses one thread and its seed 0, and leaves its labels there as a file. A fit is a
process of its own, so that it can be ended when its time is up. The labels are judged by one function, whoever made them.
Trees are only our program's, which also says how pure they are: that is what it is told the truth (z.npy) for. Where there
are rows that nobody is shown (held_out.npy), everybody says how dense they are, in nats per row.
"""
import dataclasses
import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

OURS = {  # options of 'coppice fit'
    "auto": "",
    "grid": "--prior grid",
    "paper": "--prior paper --family gaussian",
    "vbmg": "--method vbmg",
    "mog-bic": "--method mog-bic",
    "vdp": "--method vdp",
}
HELD_OUT = "held_out.npy"
PEERS = ("gmm-bic", "bgm", "hdbscan")  # the functions of peer.py
ONE_THREAD = {pool: "1" for pool in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS")}


class Failure(Exception):
    """A fit that gave no labels; the experiment records why and goes on."""


def run(command, folder, timeout):
    """What the program says."""
    try:
        done = subprocess.run([str(word) for word in command], cwd=folder, env=os.environ | ONE_THREAD, timeout=timeout,
                              capture_output=True, text=True)
    except subprocess.TimeoutExpired:
        raise Failure(f"no result within {timeout:g} s") from None
    except OSError as error:
        raise Failure(f"{command[0]} cannot be started: {error.strerror}") from error
    if done.returncode != 0:
        raise Failure((done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1])
    return done.stdout


@dataclasses.dataclass(frozen=True)
class Ours:
    name: str
    program: str
    options: str

    def fit(self, folder, timeout):
        with tempfile.TemporaryDirectory(dir=folder) as out:
            said = run([self.program, "fit", "x.npy", *shlex.split(self.options), "--threads", 1, "--json", "--force",
                        "--labels-format", "npy", "--out", out, "--truth", "z.npy"], folder, timeout)
            labels = Path(out, "labels.npy").read_bytes()
            density = self.density(folder, out, timeout)
        summary = json.loads(said)
        figures = dict(k=summary["k"], seconds=summary["seconds"]["prepare"] + summary["seconds"]["fit"],
                       family=summary["family"], objective=summary["objective"]["value"], version=summary["coppice"],
                       soft_bound=summary.get("soft_bound"))
        trees = {name: value for name, value in summary["scores"].items() if name.startswith("dendrogram_purity")}
        return labels, figures | trees | density

    def density(self, folder, model, timeout):
        if not Path(folder, HELD_OUT).exists():
            return {}
        lines = run([self.program, "density", model, HELD_OUT, "--threads", 1], folder, timeout).splitlines()
        values = [float(line.split(",")[-1]) for line in lines[1:]]
        return dict(density=sum(values) / len(values))


@dataclasses.dataclass(frozen=True)
class Theirs:
    name: str
    most: int  # components of a mixture

    def fit(self, folder, timeout):
        with tempfile.TemporaryDirectory(dir=folder) as out:
            labels = Path(out, "labels.npy")
            held_out = [HELD_OUT] if Path(folder, HELD_OUT).exists() else []
            said = run([sys.executable, Path(__file__).with_name("peer.py"), self.name, "x.npy", labels, self.most, *held_out],
                       folder, timeout)
            return labels.read_bytes(), json.loads(said)


def missing(name):
    """Why a contender cannot take part here, or nothing."""
    if name not in PEERS:
        return ""
    try:
        run([sys.executable, Path(__file__).with_name("peer.py"), name], None, 120)
    except Failure as failure:
        return str(failure)
    return ""


def judge(labels, truth):
    """Scores of a labelling; rows of no class (truth -1) are left out."""
    from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

    known = truth >= 0
    labels, truth = labels[known], truth[known]
    return dict(ari=float(adjusted_rand_score(truth, labels)), nmi=float(normalized_mutual_info_score(truth, labels)))
