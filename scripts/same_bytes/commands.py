# SPDX-License-Identifier: BSD-3-Clause
"""Runs of the other commands: what they say of tables and models, and what they write."""

from same_bytes.run import run_of

METHODS = ("bkm", "abc", "vbmg", "vdp", "bj", "kmeans", "gmm", "mog-bic", "single", "complete", "average", "ward")
COMMANDS = ("fit", "predict", "score", "density", "sample", "evaluate", "generate", "convert", "info", "methods")
KINDS = ("birch", "mixture", "separated", "counts", "binary")

LINES = """
--help
--version
methods
info points.csv
info points.csv.gz --json
info points.tsv
info points.db --query "SELECT a, c FROM points WHERE b > 0"
info named.csv --id name --weights w
info named.csv --all --json
info missing_cell.csv
info words.svm
info points.idx --json
info answers.csv --types q1=category
info wide.npy
convert points.csv -
convert points.csv points.svm
convert points32.npy again.csv
convert named.csv again.tsv --id name --columns c,kind,a
convert words.svm words.csv
convert missing_cell.csv - --max-rows 2
evaluate labels.csv truth.csv
evaluate labels.csv truth.csv --json --data points.csv
evaluate labels.csv --data points.npy
evaluate truth.csv labels.csv --weights weights.csv --data points.csv
score points.csv --labels truth.csv
score points.csv --labels truth.csv --family diagonal --partition dp --json
score points.csv --labels labels.csv --method gmm --k 4
score points.csv --labels labels.csv --method kmeans --k 4 --transform standardize
score points.csv --labels labels.csv --method ward
score points.csv --labels labels.csv --weights weights.npy --family spherical
score small.csv --labels small_truth.csv --method abc --prior paper
generate birch --side 3 --rows-per-cluster 20 --spacing 4 --out x.csv --labels z.csv
generate mixture --rows 200 --dimensions 3 --k 4 --tau 1 --spread tight --seed 3 --out x.npy --labels z.npy
generate mixture --rows 100 --k 5 --spread wide --out -
generate separated --rows 200 --dimensions 5 --k 3 --separation 1 --out x.tsv
generate counts --rows 100 --dimensions 8 --k 3 --total 40 --concentration 2 --seed 9 --out x.svm
generate binary --rows 100 --dimensions 8 --k 3 --concentration 0.5 --out x.csv --labels z.csv
"""

FIT = "fit points.csv --method kmeans --k 4 --threads 1 --out out --quiet"
GAUSSIAN = "fit points.csv --k 4 --threads 1 --out out --quiet"
AFTER_A_FIT = (
    (GAUSSIAN, "info out"),
    (GAUSSIAN, "predict out new.csv"),
    (GAUSSIAN, "predict out new.npy --probabilities"),
    (GAUSSIAN, "predict out new.csv --by-position --out labels.npy --force"),
    (GAUSSIAN, "predict out named.csv --id name --probabilities --threads 2"),
    (GAUSSIAN, "predict out new.csv --all-probabilities"),
    (GAUSSIAN, "density out new.csv"),
    (GAUSSIAN, "sample out --rows 40 --seed 3"),
    (GAUSSIAN, "score points.csv --labels labels.csv --model out"),
    (GAUSSIAN, "evaluate out truth.csv"),
    (FIT, "info out"),
    (FIT, "predict out new.csv --out labels.tsv"),
    (FIT, "evaluate out/labels.csv truth.csv --json"),
    (FIT, "fit points.csv --method kmeans --k 3 --out out --force --threads 1"),
    ("fit points.csv --threads 1", "info points.coppice"),
    ("fit small.csv --method average --out out --threads 1",
     "evaluate out small_truth.csv --linkage out/linkage.npy --json"),
    ("fit noisy.csv --outliers --out out --threads 1", "evaluate out --data noisy.csv", "info out"),
    ("fit units.csv --transform standardize,pca:2 --out out --threads 1",
     "info out", "density out units.csv --max-rows 5"),
    ("generate mixture --rows 300 --seed 5 --out x.csv --labels z.csv",
     "fit x.csv --truth z.csv --threads 1", "info x.coppice"),
)


def all_commands():
    for line in LINES.strip().splitlines():
        yield run_of(line)
    for commands in AFTER_A_FIT:
        yield run_of(*commands)
    yield run_of(*(f"methods {name}" for name in METHODS))
    yield run_of(*(f"{name} --help" for name in COMMANDS))
    yield run_of(*(f"fit --method {name} --help" for name in METHODS))
    yield run_of(*(f"score --method {name} --help" for name in METHODS))
    yield run_of(*(f"generate {kind} --help" for kind in KINDS))
    yield run_of("fit - --out out --threads 1", standard_input="points.csv")
    yield run_of("fit - --out out --method ward --labels-format table --threads 1", standard_input="points.npy")
    yield run_of("convert - again.svm", standard_input="points.csv.gz")
