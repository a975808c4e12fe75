# SPDX-License-Identifier: BSD-3-Clause
"""Commands that are refused: bad options, values, names, files, and options that do not go together."""

from same_bytes.run import run_of

USAGE = """
frobnicate
generate
generate frobnicate
methods bogus
fit
fit points.csv --bogus
fit points.csv --method bogus
fit points.csv --family bogus
fit points.csv --method kmeans --family gaussian
fit points.csv --method ward --restarts 3
fit points.csv --search bogus
fit points.csv --assign bounds
fit points.csv --family student --assign kdtree
fit points.csv --family student-spherical --assign kdtree
fit points.csv --labels-format bogus
fit points.csv --columns bogus
fit points.csv --id bogus
fit points.csv --weights bogus
fit points.csv --types a=bogus
fit points.csv --transform bogus
fit points.csv --transform pca:9
fit points.csv --transform standardize:3
fit points.csv --k 601
fit points.csv --k 0
fit points.csv --k two
fit points.csv --k 2..4
fit points.csv --k 3 --max-k 2
fit points.csv --k 3 --search paper
fit points.csv --method gmm --k 5..2
fit points.csv --method gmm --hard --shared-variance
fit points.csv --method single --k 3 --height 2
fit points.csv --seed -1
fit points.csv --seed 18446744073709551616
fit points.csv --phi0 nan
fit points.csv --psi0 1
fit points.csv --eta0 1
fit points.csv --outliers --family student
fit points.csv --outliers --family student-diagonal
fit bits.csv --outliers
fit points.csv --threads -1
fit points.csv --time-limit 0
fit points.csv --restarts 2.5
fit points.csv --init short.csv
fit points.csv --m0 centres.csv
fit points.csv --b0 short.csv
fit three.csv --init half.csv
fit points.csv --out no/where
fit points.csv --out points.csv
fit -
generate mixture --rows 0 --out x.csv
generate mixture --rows 5 --k 10 --out x.csv
generate mixture --out x.pdf
generate birch
convert points.csv again.pdf
convert points.csv
predict
score points.csv
evaluate labels.csv
info
"""

DATA = """
fit absent.csv
fit .
fit empty.csv
fit header_only.csv
fit nan.csv
fit missing_cell.csv
fit infinite.csv
fit word.csv
fit ragged.csv
info open_quote.csv
info twice.csv
fit money.csv
fit huge.csv
fit words_only.csv
fit named.csv
fit json.csv
fit nan.npy
info cut.npy
info bad.svm
fit negative.csv --transform log1p
fit reals.svm --transform standardize
fit reals.svm --method kmeans
fit points.csv --method abc --family uninformative
fit points.csv --family bernoulli
fit points.csv --family multinomial
fit three.csv --weights negative_weights.csv
fit three.csv --weights zero_weights.csv
fit points.csv --truth short.csv
fit points.npz
fit points.db --query "SELECT nothing FROM points"
score points.csv --labels short.csv
evaluate labels.csv short.csv
evaluate points.csv labels.csv
convert word.csv again.npy
convert words.svm words.npy
predict absent.coppice points.csv
predict foreign.coppice points.csv
info foreign.coppice
density points.csv points.csv
fit points.csv --method abc --start-from foreign.coppice
"""

FIT = "fit points.csv --method kmeans --k 4 --threads 1 --out out --quiet"
GAUSSIAN = "fit small.csv --k 3 --threads 1 --out out --quiet"
AFTER_A_FIT = (
    (FIT, "fit points.csv --method kmeans --k 4 --threads 1 --out out"),
    (FIT, "predict out new.csv --probabilities"),
    (FIT, "density out new.csv"),
    (FIT, "fit points.csv --method abc --start-from out"),
    (FIT, "predict out two_columns.csv"),
    (FIT, "predict out two_columns.csv --by-position"),
    (FIT, "predict out words_only.csv"),
    (FIT, "predict out new.csv --out predicted.svm"),
    (FIT, "predict out new.csv --out new.csv"),
    (FIT, "score points.csv --labels out --model out --method gmm"),
    (FIT, "evaluate out small_truth.csv"),
    (FIT, "evaluate out --data points.csv --linkage out/labels.csv"),
    (GAUSSIAN, "density out nan.csv"),
    (GAUSSIAN, "fit points.csv --method abc --start-from out"),
    (GAUSSIAN, "fit small.csv --method abc --start-from out --family gaussian"),
    (GAUSSIAN, "score small.csv --labels out --model out --transform standardize"),
    (GAUSSIAN, "predict out small.csv --probabilities --out predicted.npy"),
)


def all_refusals():
    for line in (USAGE + DATA).split("\n"):
        if line:
            yield run_of(line, is_refusal=True)
    for commands in AFTER_A_FIT:
        yield run_of(*commands, is_refusal=True)
