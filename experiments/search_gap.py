#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Does the search find what is there to be found? F of the known labels beside F of what is found without them.

F is what families and numbers of clusters are compared by: the soft bound where the program says one, else the objective.

The known labels are a start like any other (`--init`): families compete from them, priors are fitted, splits, merges and
sweeps go on until nothing helps. What comes out is the settled truth. A search that ends above it has missed something; one
that ends below has found what the objective prefers, whether or not people would. The same table is fitted with other
seeds: K and F should not depend on them.

Planted data: the mixtures of finding_k.py and the cases of hard_data.py. Real data with labels, from --data FOLDER (a folder
NAME with X.npy and y.npy for each): there the settled truth is one more start, not what is to be found.

    experiments/search_gap.py --results gap.jsonl                       # hours; continues where it was stopped
    experiments/search_gap.py --sources mixture --cells '*/1000/*' --seeds 0..2 --tries 3
    experiments/search_gap.py --sources real --data FOLDER --sets pendigits --rows 1000
    experiments/search_gap.py --table gap.jsonl
    experiments/search_gap.py --quick
"""
import argparse
from pathlib import Path

import contest
import digits
import finding_k
import hard_cases
import hard_data
import tables

NAMES = ("source", "case", "seed")
SOURCES = ("mixture", "hard", "real")
NEAR = 1.0  # nats above the settled truth that count as found
SAME_K = 0.9  # of the seeds


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    contest.add_options(parser, [], ours={}, peers=())
    parser.add_argument("--sources", nargs="+", choices=SOURCES, default=["mixture", "hard"])
    parser.add_argument("--cells", nargs="+", default=["*"], metavar="TAU/N/D", help="of the mixtures, as in finding_k.py")
    parser.add_argument("--spreads", nargs="+", choices=("spread", "tight"), default=["spread", "tight"])
    parser.add_argument("--cases", nargs="+", metavar="NAME", help="groups or cases of hard_data.py; default: all")
    parser.add_argument("--tries", type=int, default=10, help="seeds of the search on each table")
    parser.add_argument("--data", metavar="FOLDER", help="where the folders of real data are")
    parser.add_argument("--sets", nargs="+", default=list(digits.SETS), metavar="NAME")
    parser.add_argument("--rows", nargs="+", type=int, default=[1000], metavar="N", help="sizes of real subsets; 0: all rows")
    options = parser.parse_args()
    if options.quick:
        options.cells, options.cases, options.tries = ["2/100/2"], ["constant"], 2
    options.seeds = options.seeds or (range(1) if options.quick else range(10))
    options.ours = {"truth": "--init z.npy"} | {f"seed {seed}": f"--seed {seed}" for seed in range(options.tries)}
    options.contenders = list(options.ours)
    return parser, options


def named(source, case, seed, data):
    """The same data under the names of this experiment."""
    return contest.DataSet(tuple(zip(NAMES, (source, case, seed))), data.make)


def mixtures(parser, options):
    program = str(Path(options.program).resolve())
    for reading in options.spreads:
        for cell in finding_k.chosen_cells(parser, options.cells):
            for seed in options.seeds:
                case = "/".join([reading, *(f"{value:g}" for value in cell)])
                yield named("mixture", case, seed, finding_k.data_set(program, reading, cell, seed))


def hard(parser, options):
    for group, name in hard_data.CASES:
        if options.cases and group not in options.cases and name not in options.cases:
            continue
        for seed in options.seeds:
            yield named("hard", name, seed, hard_cases.data_set(group, name, seed))


def real(parser, options):
    if not options.data:
        parser.error("--data FOLDER is needed for real data")
    for name in options.sets:
        arrays = digits.load_set(parser, options.data, name)
        for size in options.rows:
            for seed in options.seeds if size else [0]:
                yield named("real", f"{name} {size or 'all'}", seed, digits.data_set(name, *arrays, size, seed))


def of_data(records):
    """For every data set the settled truth and the searches, where all of them ended."""
    for key, found in tables.group(records, *NAMES).items():
        ended = tables.fitted(found)
        truth = [record for record in ended if record["contender"] == "truth"]
        searches = [record for record in ended if record["contender"] != "truth"]
        if truth and searches:
            yield key, truth[0], searches


def worth(record):
    return record["objective"] if record.get("soft_bound") is None else record["soft_bound"]


def agreement(searches):
    """The share of seeds that find the K that most of them find."""
    found = [record["k"] for record in searches]
    return max(found.count(k) for k in found) / len(found)


def case_row(case, data):
    gaps = [worth(searches[0]) - worth(truth) for _, truth, searches in data]
    ranges = [max(map(worth, searches)) - min(map(worth, searches)) for _, _, searches in data]
    first = [searches[0] for _, _, searches in data]
    return [case, f"{len(data)}", f"{sum(gap <= NEAR for gap in gaps)}", f"{max(gaps):.1f}", f"{min(gaps):.1f}",
            f"{sum(agreement(searches) >= SAME_K for _, _, searches in data)}", f"{max(ranges):.1f}",
            tables.spread([record["k"] for record in first]), f"{tables.mean(record['ari'] for record in first):.2f}",
            tables.spread([truth["k"] for _, truth, _ in data]), f"{tables.mean(truth['ari'] for _, truth, _ in data):.2f}",
            f"{tables.mean(record['seconds'] for record in first):.2f}"]


def print_all(records):
    data = list(of_data(records))
    header = ["case", "tables", f"within {NEAR:g} nat", "worst", "best", f"K the same for {SAME_K:.0%} of seeds", "range of F over seeds",
              "K found", "ARI", "K of the settled truth", "ARI", "seconds"]
    print("\nF found (first seed) less F of the settled truth, in nats.\n")
    by_case = {}
    for entry in data:
        by_case.setdefault(entry[0][:2], []).append(entry)
    rows = [case_row(f"{source} {case}", entries) for (source, case), entries in by_case.items()]
    tables.print_table(header, [*rows, case_row("all", data)] if data else rows)
    print("\nMissed by more than that, or K that depends on the seed:\n")
    for (source, case, seed), truth, searches in data:
        gap = worth(searches[0]) - worth(truth)
        if gap > NEAR or agreement(searches) < SAME_K:
            print(f"- {source} {case} seed {seed}: {gap:+.1f} nats, K {truth['k']} settled ({truth['family']}), found "
                  f"{'/'.join(str(record['k']) for record in searches)} ({searches[0]['family']})")


def main():
    parser, options = parse()
    sources = dict(mixture=mixtures, hard=hard, real=real)
    data_sets = [] if options.table else [data for name in options.sources for data in sources[name](parser, options)]
    records = contest.hold(parser, options, data_sets, NAMES)
    print_all(records)
    tables.print_remarks(records, NAMES)


if __name__ == "__main__":
    main()
