#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""How pure are the trees of agglomerative Bayesian clustering beside those of linkages? ([L] Table 2, [S] Table 2)

Random subsets of handwritten digits, of spambase and of newsgroups, the same for everybody: 200 of the published sizes
(100, 200 and 240 rows; the first ten are shown for themselves, because the papers have ten), ten of 1000 rows, three of
5000. `purity_data.py` says how the sets are made; optdigits stands for CEDAR. The tables have the mean ± standard
deviation over subsets of both purities: a row first and then another of its class, as [L] defines it, and all pairs of rows
of one class, as [S] does. Two rows of the papers' linkages are the same in both, so that one of them was probably not
computed as defined; the published figures are beside both.

    experiments/dendrogram_purity.py --data FOLDER --results purity.jsonl   # an hour; continues where it was stopped
    experiments/dendrogram_purity.py --data FOLDER --sets pendigits spambase --rows 0 --seeds 0..9 --jobs 2
    experiments/dendrogram_purity.py --table purity.jsonl
    experiments/dendrogram_purity.py --quick                # two subsets of each set; without --data scikit-learn's digits
"""
import argparse
import math
import statistics
from pathlib import Path

import numpy as np

import contest
import purity_data
import tables

NAMES = ("set", "rows", "seed")
TREES = {  # options of 'coppice fit'
    "abc": "--method abc",
    "abc-paper": "--method abc --prior paper",
    "single": "--method single",
    "complete": "--method complete",
    "average": "--method average",
    "ward": "--method ward",
}
SUBSETS = {0: 200, 1000: 10, 5000: 3}  # of a size; 0 is the published one
DEFINITIONS = {
    "dendrogram_purity": "a row first, then another of its class ([L])",
    "dendrogram_purity_pairs": "all pairs of rows of one class ([S])",
}
LONG = "dendrogram_purity"
PUBLISHED = {  # ABC and linkages: [L] Table 2; [S] Table 2 where it differs or stands alone
    ("pendigits", 100): dict(abc=("0.730 ± 0.059", "0.701 ± 0.085"), single=("0.691 ± 0.055",), complete=("0.653 ± 0.055",),
                             average=("0.707 ± 0.054",)),
    ("optdigits", 100): dict(abc=("0.465 ± 0.077", "0.424 ± 0.069"), single=("0.297 ± 0.051",), complete=("0.402 ± 0.055",),
                             average=("0.403 ± 0.039",)),
    ("mnist", 100): dict(abc=("0.410 ± 0.078", "0.207 ± 0.038"), single=("0.316 ± 0.056", "0.182 ± 0.017"),
                         complete=("0.358 ± 0.040", "0.198 ± 0.025"), average=("0.389 ± 0.048", "0.199 ± 0.026")),
    ("mnist 0/2/4", 100): dict(abc=("-", "0.487 ± 0.031"), single=("-", "0.395 ± 0.021"), complete=("-", "0.411 ± 0.020"),
                               average=("-", "0.407 ± 0.027")),
    ("spambase", 200): dict(abc=("0.742 ± 0.057", "-"), single=("0.632 ± 0.026", "-"), complete=("0.703 ± 0.036", "-"),
                            average=("0.686 ± 0.028", "-")),
    ("spambase 25+25", 50): dict(abc=("0.816", "-")),
    ("newsgroups4", 240): dict(abc=("0.448 ± 0.033", "-"), single=("0.300 ± 0.008", "-"), complete=("0.433 ± 0.035", "-"),
                               average=("0.356 ± 0.011", "-")),
}


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    contest.add_options(parser, list(TREES), ours=TREES, peers=())
    parser.add_argument("--data", metavar="FOLDER", help="where pendigits/, optdigits/, mnist/, spambase/, newsgroups4/ are")
    parser.add_argument("--sets", nargs="+", choices=purity_data.SETS, default=list(purity_data.SETS), metavar="NAME",
                        help=f"of {', '.join(purity_data.SETS)}")
    parser.add_argument("--rows", nargs="+", type=int, metavar="N",
                        help="sizes of the subsets; 0 is the published one; sets with fewer rows are left out; "
                             "default 0 1000 5000")
    options = parser.parse_args()
    options.rows = options.rows or ([0] if options.quick else list(SUBSETS))
    if not (options.data or options.quick or options.table):
        parser.error("--data FOLDER is needed: the folder with pendigits/X.npy, y.npy and the other sets")
    return parser, options


def seeds_of(options, size):
    if options.seeds is not None:
        return options.seeds
    return range(2 if options.quick else SUBSETS.get(size, 10))


def data_set(name, source, size, seed):
    def make(folder):
        points, classes = source.subset(size, seed)
        np.save(Path(folder, "x.npy"), points)
        np.save(Path(folder, "z.npy"), classes)

    return contest.DataSet(tuple(zip(NAMES, (name, size, seed))), make)


def sources(options):
    if options.quick and not options.data:
        return {"digits of scikit-learn": purity_data.installed()}
    return {name: purity_data.read(options.data, name) for name in options.sets}


def all_data_sets(options):
    """Smallest first, and all sets in turn, so that an interrupted run has most of the table."""
    if options.table:
        return []
    chosen = sources(options)
    return [data_set(name, source, size or source.rows, seed) for size in sorted(options.rows)
            for seed in seeds_of(options, size) for name, source in chosen.items() if source.has_subsets_of(size)]


def samples(records):
    """The records of the first ten subsets, and of all if there are more."""
    seeds = sorted({record["seed"] for record in records})
    for kept in [seeds[:10]] + [seeds] * (len(seeds) > 10):
        yield len(kept), [record for record in records if record["seed"] in kept]


def purity(records, definition):
    ended = [record[definition] for record in tables.fitted(records)]
    return tables.spread(ended, 3) if ended else "-"


def published(name, size, tree, definition):
    """The figure of the paper that has the definition; where the short one repeats the long one's, that."""
    figures = PUBLISHED.get((name, size), {}).get(tree, ("-",))
    return figures[0 if definition == LONG else -1]


def columns(names):
    """Who has published figures gets a column for them."""
    for name in names:
        if any(name in figures for figures in PUBLISHED.values()):
            yield f"{name}, published", name, published
        yield name, name, None


def print_definition(records, definition, names):
    print(f"\nDendrogram purity, {DEFINITIONS[definition]}: mean ± standard deviation over subsets.\n")
    rows = []
    for (name, size), found in tables.group(records, "set", "rows").items():
        for count, sample in samples(found):
            by_name = tables.group(sample, "contender")
            rows.append([name, f"{size}", f"{count}",
                         *(look(name, size, tree, definition) if look else purity(by_name.get((tree,), []), definition)
                           for _, tree, look in columns(names))])
    tables.print_table(["set", "rows", "subsets", *(title for title, _, _ in columns(names))], rows)


def lead(ours, theirs):
    """Mean of what our purity has more on the same subsets, its standard error, and the share of subsets where it has."""
    theirs = {record["seed"]: record[LONG] for record in tables.fitted(theirs)}
    leads = [record[LONG] - theirs[record["seed"]] for record in tables.fitted(ours) if record["seed"] in theirs]
    if not leads:
        return "-"
    error = f" ± {statistics.stdev(leads) / math.sqrt(len(leads)):.3f}" if len(leads) > 1 else ""
    return f"{tables.mean(leads):+.3f}{error}, {tables.mean(gain > 0 for gain in leads):.0%}"


def print_leads(records, names):
    others = [name for name in names if name != "abc"]
    if "abc" not in names or not others:
        return
    print("\nPurity (a row first) of abc less that of the others on the same subsets: mean ± standard error, and the share of "
          "subsets where it is larger.\n")
    rows = []
    for (name, size), found in tables.group(records, "set", "rows").items():
        by_name = tables.group(found, "contender")
        subsets = len({record["seed"] for record in found})
        ours = by_name.get(("abc",), [])
        rows.append([name, f"{size}", f"{subsets}", *(lead(ours, by_name.get((other,), [])) for other in others)])
    tables.print_table(["set", "rows", "subsets", *others], rows)


def in_order(records):
    """By size, then by set as in the papers; an unknown set comes last."""
    names = list(purity_data.SETS)
    paper = {name: size for name, size in PUBLISHED}

    def place(record):
        name, size = record["set"], record["rows"]
        return size if size != paper.get(name) else 0, names.index(name) if name in names else len(names), record["seed"]

    return sorted(records, key=place)


def main():
    parser, options = parse()
    records = in_order(contest.hold(parser, options, all_data_sets(options), NAMES))
    names = sorted(tables.contenders_of(records), key=lambda name: list(TREES).index(name) if name in TREES else len(TREES))
    for definition in DEFINITIONS:
        print_definition(records, definition, names)
    print_leads(records, names)
    tables.print_remarks(records, NAMES)


if __name__ == "__main__":
    main()
