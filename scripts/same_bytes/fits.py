# SPDX-License-Identifier: BSD-3-Clause
"""The fits that are compared: every method, family, way to assign rows and transform; every option at least once."""

import re

from same_bytes.run import run_of

LINKAGES = ("single", "complete", "average", "ward")

# After a line: nothing, or the table that the model is then used on.
BKM = """
points.csv --family auto > new.csv
points.csv --family gaussian > new.csv
points.csv --family student > new.csv
points.csv --family student-diagonal > new.csv
points.csv --family student-spherical > new.csv
points.csv --family diagonal > new.csv
points.csv --family spherical > new.csv
points.csv --family uninformative > new.csv
tails.npy --family student --k 3
tails.npy > tails.npy
counts.csv --family multinomial > counts.csv
counts.csv
counts.svm > counts.svm
counts.svm --family multinomial --psi0 0.3
words.svm --prior paper
bits.csv > bits.csv
bits.csv --family bernoulli --omega0 0.4
bits.svm --family bernoulli > bits.svm
answers.csv > answers.csv
answers.csv --family diagonal
close.npy > close.npy
copies.npy > copies.npy
whole.csv > whole.csv
wide.npy > wide.npy
units.csv
points.npy
points32.npy > new.npy
points.csv --threads 2
medium.npy --threads 1
medium.npy --threads 2
medium.npy --assign naive --threads 2
medium.npy --assign kdtree --threads 2
medium32.npy --assign kdtree
medium32.npy --family diagonal --assign kdtree
medium.npy --family spherical --assign kdtree
medium.npy --family uninformative --assign kdtree
large.npy --threads 2 > medium.npy
large.npy --family gaussian --outliers --threads 2
large.npy --family diagonal --partition dp --seed 2
large.npy --family spherical --k 9
counts.csv --family multinomial --assign kdtree
bits.csv --assign kdtree
points.csv --k 3
points.csv --k 7 --family diagonal
points.csv --max-k 2
points.csv --min-size 160
points.csv --partition dp
points.csv --partition dp --alpha 2.5 > new.csv
points.csv --partition dirichlet --phi0 0.5
points.csv --prior paper > new.csv
points.csv --prior grid
points.csv --search paper
points.csv --prior paper --search paper --restarts 2 --seed 3
points.csv --restarts 3 --seed 5
points.csv --max-iterations 2
points.csv --seed 18446744073709551615
points.csv --xi0 0.5 --eta0 7 --m0 m0.csv --b0 b0.npy > new.csv
points.csv --init labels.csv
points.csv --init centres.csv --k 4
points.csv --weights weights.npy > new.csv
points.csv --weights weights.csv --family diagonal
named.csv --id name --weights w --columns a,b,c > new.csv
named.csv --id name --columns a,b,c --truth named_truth.csv --labels-format table
named.csv --columns a,b,c,same --types a=real
noisy.csv --outliers > new.csv
noisy.csv --outliers --family diagonal > new.csv
noisy.csv --outliers --family spherical --k 4
noisy.csv --outliers --partition dp
small.csv --stability 4 --truth small_truth.csv
points.csv --labels-format npy
points.csv --labels-format table
points.csv --truth truth.csv --json
points.csv --quiet
points.csv --max-rows 200 --columns 3,1
points.npz:/values
semicolons.csv --header no
"""

TRANSFORMS = """
units.csv --transform standardize > units.csv
units.csv --transform normalize > units.csv
units.csv --transform log1p > units.csv
units.csv --transform binarize:5 > units.csv
units.csv --transform drop-constant > units.csv
units.csv --transform pca:2 > units.csv
units.csv --transform project:3 --seed 4 > units.csv
units.csv --transform drop-constant,log1p,standardize,pca:3 > units.csv
units.csv --transform standardize,normalize --weights km
units.csv --transform log1p,standardize --stability 3
points32.npy --transform standardize,pca:2 > new.npy
points32.npy --transform project:2
wide.npy --transform pca:5 > wide.npy
counts.svm --transform binarize > counts.svm
words.svm --transform log1p,normalize,pca:4 > words.svm
rare.svm --transform pca:3 --method kmeans --k 4 --threads 2
reals.svm --transform project:6
reals.svm --transform drop-constant,pca:3 --method kmeans --k 3
units.csv --transform standardize --method kmeans --k 3
units.npy --transform standardize --method gmm --k 3
units.npy --transform log1p --method abc
units.npy --transform standardize --method ward --k 3
noisy.csv --transform standardize --outliers
"""

ABC = """
small.csv --method abc > small.csv
small.csv --method abc --family gaussian
small.csv --method abc --family diagonal
small.csv --method abc --family spherical > small.csv
points.csv --method abc --threads 2 > new.csv
points32.npy --method abc --family diagonal
bits.csv --method abc > bits.csv
counts.csv --method abc --family multinomial --psi0 0.3
counts.svm --method abc > counts.svm
bits.svm --method abc --family bernoulli --omega0 0.4
wide.npy --method abc
many.npy --method abc --threads 2
many.npy --method abc --family spherical --pairs conga
small.csv --method abc --k 5
small.csv --method abc --stop first-rise
small.csv --method abc --partition dp --alpha 0.5 --truth small_truth.csv
small.csv --method abc --partition dirichlet --phi0 1
small.csv --method abc --prior paper > small.csv
points.csv --method abc --xi0 0.5 --eta0 7 --m0 m0.csv --b0 b0.npy
small.csv --method abc --pairs fastpair
small.csv --method abc --pairs conga
small.csv --method abc --pairs naive
small.csv --method abc --look-ahead 2
points.csv --method abc --weights weights.csv
small.csv --method abc --stability 3 --seed 2
"""

KMEANS = """
points.csv --method kmeans > new.csv
points.csv --method kmeans --k 4 --truth truth.csv
points32.npy --method kmeans --k 5
medium.npy --method kmeans --k 20 --assign naive --threads 2
medium.npy --method kmeans --k 20 --assign kdtree --threads 2
medium.npy --method kmeans --k 20 --assign bounds --threads 2
medium32.npy --method kmeans --k 20 --assign bounds
medium32.npy --method kmeans --k 20
large.npy --method kmeans --k 12 --threads 2 > medium.npy
points.csv --method kmeans --k 2..6
points.csv --method kmeans --k 2..6 --criterion silhouette --restarts 2
points.csv --method kmeans --k 4 --seeding uniform
points.csv --method kmeans --k 4 --seeding farthest
points.csv --method kmeans --k 4 --seeding afk-mc2 --chain-length 20
points.csv --method kmeans --k 4 --seeding-candidates 1 --seed 9
points.csv --method kmeans --init centres.csv --k 4
points.csv --method kmeans --init labels.csv --k 4 --max-iterations 1
points.csv --method kmeans --k 4 --weights weights.npy
copies.npy --method kmeans --k 50
wide.npy --method kmeans --k 3
units.csv --method kmeans --k 3 --header yes
points.idx --method kmeans --k 3
counts.csv --method kmeans --k 4 --stability 3
"""

GMM = """
points.csv --method gmm > new.csv
points.csv --method gmm --k 4 --family diagonal > new.csv
points.csv --method gmm --k 4 --family spherical > new.csv
points.csv --method gmm --k 4 --shared-variance > new.csv
points.csv --method gmm --k 4 --family spherical --shared-variance --equal-shares
points.csv --method gmm --k 4 --hard --truth truth.csv > new.csv
points.csv --method gmm --k 4 --hard --family diagonal
points.csv --method gmm --k 2..6
points.csv --method gmm --k 2..5 --hard --restarts 2
points32.npy --method gmm --k 4 --assign naive
medium.npy --method gmm --k 6 --threads 2
medium.npy --method gmm --k 6 --hard --assign kdtree --threads 2
medium32.npy --method gmm --k 6 --hard --family spherical --assign kdtree
close.npy --method gmm --k 3 --tolerance 1e-8 --floor 0.001 --max-iterations 50
points.csv --method gmm --k 4 --seeding uniform --seed 3
points.csv --method gmm --k 4 --seeding farthest
points.csv --method gmm --k 4 --seeding afk-mc2 --chain-length 20
points.csv --method gmm --k 4 --seeding-candidates 1
points.csv --method gmm --k 4 --init labels.csv --weights weights.csv
points.csv --method gmm --k 4 --init centres.csv
wide.npy --method gmm --k 3 --family diagonal
small.csv --method gmm --k 3 --stability 3
points.csv --method gmm --k 4 --map > new.csv
points.csv --method gmm --k 4 --map --hard --phi0 2 --xi0 0.1 --eta0 6 --m0 m0.csv --b0 b0.npy
points.csv --method vdp > new.csv
points.csv --method vdp --family gaussian --prior paper --search paper --truth truth.csv
points.csv --method vdp --family diagonal --prior grid --alpha2 5 --weights weights.csv
points.csv --method vdp --family spherical --max-k 3 --epsilon 0 --init centres.csv
points.csv --method vdp --family gaussian --alpha1 2 --xi0 0.1 --eta0 6 --m0 m0.csv --b0 b0.npy --restarts 2 --seed 3
points.csv --method vdp --max-iterations 4 --assign naive
counts.csv --method vdp --family multinomial --psi0 0.3
bits.csv --method vdp --family bernoulli --omega0 0.4
medium.npy --method vdp --family gaussian --threads 2 --max-k 4
points.csv --method bj --truncation 6 --restarts 3 > new.csv
points.csv --method bj --truncation 4 --restarts 2 --assign naive
points.csv --method bj --truncation 4 --restarts 2 --assign auto
points.csv --method bj --truncation 2..5 --restarts 2 --family diagonal
points.csv --method bj --family gaussian --prior paper --init centres.csv
points.csv --method bj --family gaussian --alpha1 2 --alpha2 3 --xi0 0.1 --eta0 6 --m0 m0.csv --b0 b0.npy --seed 3
points.csv --method bj --family spherical --tolerance 1e-8 --max-iterations 50 --weights weights.csv
counts.csv --method bj --family multinomial --psi0 0.3 --restarts 2
bits.csv --method bj --family bernoulli --omega0 0.4 --restarts 2
"""

VBMG = """
points.csv --method vbmg > new.csv
points.csv --method vbmg --family gaussian --prior paper --truth truth.csv > new.csv
points.csv --method vbmg --k 3 --family diagonal --prior grid
points.csv --method vbmg --max-k 2 --family spherical --weights weights.csv
points.csv --method vbmg --init labels.csv --min-size 20
counts.svm --method vbmg > counts.svm
points.csv --method vbmg --family gaussian --phi0 2 --xi0 0.1 --eta0 6 --m0 m0.csv --b0 b0.npy --restarts 2 --seed 3
points.csv --method vbmg --tolerance 1e-8 --max-iterations 50 --assign naive
counts.csv --method vbmg --family multinomial --psi0 0.3
bits.csv --method vbmg --family bernoulli --omega0 0.4
medium.npy --method vbmg --threads 2
small.csv --method vbmg --stability 3
points.csv --method mog-bic > new.csv
points.csv --method mog-bic --max-k 2 --family diagonal --weights weights.csv
medium.npy --method mog-bic --threads 2
points.csv --method mog-bic --k 3 --family spherical --floor 0.001 --tolerance 1e-8 --max-iterations 50 --assign naive
points.csv --method mog-bic --init labels.csv --min-size 20 --restarts 2 --seed 3
"""

# docs/methods/gmm.md, "Tied nodes": the rows of a leaf share alike.
TIED = """
medium.npy --method gmm --k 6 --assign kdtree
medium.npy --method vdp --family gaussian --assign kdtree
medium.npy --method bj --family gaussian --truncation 8 --restarts 2 --assign kdtree --threads 2
medium.npy --method vdp --family diagonal --assign kdtree --budget-nats 0.1 --budget-nodes 300
medium.npy --method mog-bic --assign kdtree
medium.npy --method gmm --k 6 --assign kdtree --family diagonal --threads 2
medium32.npy --method gmm --k 6 --assign kdtree --family spherical --shared-variance
points.csv --method gmm --k 2..5 --assign kdtree --weights weights.npy
medium.npy --method vbmg --assign kdtree --threads 2
"""

LINKAGE = """
small.csv > small.csv
small.csv --k 4 --truth small_truth.csv
small.csv --height 3
small.csv --stability 3 --seed 2
points32.npy --k 4 --threads 2
points.csv --weights weights.csv
"""

LARGE_LINKAGE = """
medium.npy --method single --k 6 --threads 2
medium32.npy --method ward --k 6 --threads 2
many.npy --method complete --k 4 --threads 2
many.npy --method average --k 4 --threads 2
"""

ABOVE_A_MODEL = (
    ("fit medium.npy --out fine", "fit medium.npy --method abc --start-from fine/model.coppice"),
    ("fit points.csv --family diagonal --k 9 --out fine", "fit points.csv --method abc --start-from fine --k 3"),
    ("fit points.csv --family uninformative --k 5 --out fine", "fit points.csv --method abc --start-from fine"),
    ("fit small.csv --method abc --k 9 --out fine", "fit small.csv --method abc --start-from fine"),
    ("fit points.csv --method kmeans --k 4 --out first", "fit points.csv --init first/labels.csv"),
)


def with_defaults(options):
    """One thread unless the line says otherwise, since two runs share the machine; one name for all results."""
    return options + ("" if "--threads" in options else " --threads 1") + ("" if "--out " in options else " --out out")


def uses(table, new, options):
    """The commands that use a model on a table of new rows."""
    has_densities = "kmeans" not in options and not any(f"--method {name}" in options for name in LINKAGES)
    yield f"predict out {new} --out predicted.csv --threads 2" + " --probabilities" * has_densities
    if has_densities:
        yield f"density out {new} --out densities.npy"
    reading = " ".join(re.findall(r"--(?:id|weights) \S+", options))
    yield f"score {table} --labels out --model out --json {reading}"
    yield "info out/model.coppice --json"


def fits(lines, method="", **more):
    for line in lines.strip().splitlines():
        options, _, new = line.partition(" > ")
        commands = [with_defaults(f"fit {options}{method}")]
        if new:
            commands += uses(options.split()[0], new, options + method)
        yield run_of(*commands, **more)


def all_fits():
    for lines in (BKM, TRANSFORMS, ABC, VBMG, KMEANS, GMM, LARGE_LINKAGE):
        yield from fits(lines)
    yield from fits(TIED, is_tied=True)
    for name in LINKAGES:
        yield from fits(LINKAGE, f" --method {name}")
    for first, second in ABOVE_A_MODEL:
        yield run_of(with_defaults(first), with_defaults(second))
