#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""How fast coppice is beside other people's libraries, on equal terms.

Everybody gets the same file, the same start, the same number of threads and of iterations; every measurement is a
process of its own, and the repeats take turns: ours, peer, peer, ours, peer, peer. Prints a table of ratios, then the
rates beside that of BLAS's matrix product. README.md tells how to read them; cases.py and peers.py have the choices.

    scripts/install-packages peers
    benchmarks/peers/compare.py [--cases kdd,grid-1024] [--threads 1,2] [--repeats 5] [--json FILE]
    benchmarks/peers/compare.py --quick      # tiny sizes: does the bench work?
"""
import argparse
import contextlib
import dataclasses
import json
import sys
import tempfile
from pathlib import Path

import cases
import measure
import peers
import table


def available_memory():
    """Three fifths of what is free, in gigabytes."""
    lines = dict(line.split(":") for line in Path("/proc/meminfo").read_text().splitlines())
    return 0.6 * int(lines["MemAvailable"].split()[0]) * 1024 / 1e9


def parse():
    def names(text):
        return text.split(",")

    def numbers(text):
        return [int(word) for word in text.split(",")]

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=names, help=f"of {', '.join(case.name for case in cases.CASES)}")
    parser.add_argument("--peers", type=names, help=f"of {', '.join(peers.PEERS)}; none: ours alone")
    parser.add_argument("--threads", type=numbers, default=[1, 2])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--assign", type=names, default=["auto"], help="ours: of auto, naive, kdtree, bounds")
    parser.add_argument("--dtype", choices=("float32", "float64"), help="of the k-means cases")
    parser.add_argument("--data", help="folder of real data, used where it has a set for the case")
    parser.add_argument("--program", default="build/release/cli/coppice")
    parser.add_argument("--program-options", default="", help="further options of our program, as typed")
    parser.add_argument("--floor", type=float, default=1e-6, help="what a peer's mixture adds to variances: our floor")
    parser.add_argument("--memory", type=float, default=available_memory(), help="gigabytes of a peer beside the data")
    parser.add_argument("--work", help="folder for the files, kept; a temporary one otherwise")
    parser.add_argument("--json", help="also write every figure as JSON")
    parser.add_argument("--quick", action="store_true", help="every case in a tiny size, one repeat")
    options = parser.parse_args()
    refuse_unknown(parser, "case", options.cases, [case.name for case in cases.CASES])
    refuse_unknown(parser, "peer", options.peers, [*peers.PEERS, "none"])
    return options


def refuse_unknown(parser, what, chosen, known):
    if unknown := set(chosen or ()) - set(known):
        parser.error(f"no {what} is called {', '.join(sorted(unknown))}; there are {', '.join(known)}")


def chosen_cases(options):
    for case in cases.CASES:
        if options.cases and case.name not in options.cases:
            continue
        if options.dtype and case.task == "kmeans":
            case = dataclasses.replace(case, dtype=options.dtype)
        yield cases.quick(case) if options.quick else case


def contenders(case, options, notes):
    """Who takes part; why somebody does not is noted."""
    program = str(Path(options.program).resolve())
    choices = options.assign if case.task == "kmeans" else ["auto"]
    everybody = [measure.Ours(program, assign, options.program_options) for assign in choices]
    everybody += [measure.Theirs(peer, options.floor) for peer in peers.PEERS.values()
                  if peer.task == case.task and (not options.peers or peer.name in options.peers)]
    taking_part = []
    for contender in everybody:
        if obstacle := contender.obstacle(case, options.memory * 1e9):
            notes.append(f"{case.name}: {contender.name} left out: {obstacle}")
        else:
            taking_part.append(contender)
    return taking_part


def take_turns(case, folder, threads, repeats, taking_part, notes):
    """All runs by name, and the rates of the matrix product; who fails once is not asked again."""
    runs, products = {contender.name: [] for contender in taking_part}, []
    for _ in range(repeats):
        for contender in list(taking_part):
            try:
                runs[contender.name].append(contender.measure(case, folder, threads))
            except measure.Failure as failure:
                notes.append(f"{case.name}, {threads} threads: {contender.name} failed: {failure}")
                taking_part.remove(contender)
                del runs[contender.name]
        if case.task == "kmeans":
            products.append(measure.step("product", threads, folder=str(folder), threads=threads)["rate"])
    return runs, products


def judge(runs, folder, threads):
    """The inertia of everybody's centres, by one program; the files are not mentioned any more."""
    files = {name: [run.pop("centres", None) for run in of_name][-1] for name, of_name in runs.items()}
    return {name: measure.step("inertia", threads, folder=str(folder), centres=file)["inertia"]
            for name, file in files.items() if file}


def measure_case(case, folder, options, notes):
    """One result per number of threads."""
    data = measure.step("data", max(options.threads), case=dataclasses.asdict(case), folder=str(folder),
                        data_folder=real_data(options))
    case = dataclasses.replace(case, rows=data["rows"], columns=data["columns"])
    taking_part = contenders(case, options, notes)
    for threads in options.threads:
        repeats = 1 if options.quick else options.repeats
        say(f"{case.name}: {case.shape}, {case.dtype}, {data['origin']}; {threads} threads ...")
        runs, products = take_turns(case, folder, threads, repeats, list(taking_part), notes)
        described = dict(case=case.name, shape=case.shape, flops=case.flops, origin=data["origin"], threads=threads)
        yield dataclasses.asdict(case) | described | dict(
            runs=runs, product=products, inertia=judge(runs, folder, threads),
            ours=[contender.name for contender in taking_part if contender.ours])


def say(text):
    print(text, file=sys.stderr, flush=True)


def real_data(options):
    return str(Path(options.data).resolve()) if options.data and not options.quick else None


def versions(options):
    found = measure.step("versions")
    ours = dict(coppice=measure.program_version(str(Path(options.program).resolve())))
    return dict(versions=ours | found["versions"], blas=found["blas"], cores=found["cores"])


def print_header(found, options):
    libraries = ", ".join(f"{name} {version}" for name, version in found["versions"].items() if version)
    repeats = 1 if options.quick else options.repeats
    print(f"{libraries}; BLAS: {found['blas']}; {found['cores']} cores; {repeats} repeats")
    if not found["blas"]:
        print("WARNING: no fast BLAS under NumPy: the peers would be many times slower than they are. See README.md.")
    print(table.LEGEND, flush=True)


@contextlib.contextmanager
def case_folder(case, options):
    """Where the files of a case are; gone afterwards unless --work was given."""
    if options.work:
        folder = Path(options.work, f"{case.name}-{case.dtype}").resolve()
        folder.mkdir(parents=True, exist_ok=True)
        yield folder
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)


def main():
    options = parse()
    found, results, notes = versions(options), [], []
    print_header(found, options)
    for case in chosen_cases(options):
        with case_folder(case, options) as folder:
            results += measure_case(case, folder, options, notes)
    rows, speeds = list(table.comparisons(results)), list(table.rates(results))
    print()
    table.print_comparisons(rows)
    print()
    table.print_rates(speeds)
    notes += table.disturbances(results)
    for note in notes:
        print("note:", note)
    if options.json:
        figures = found | dict(ratios=rows, rates=speeds, results=results, notes=notes)
        Path(options.json).write_text(json.dumps(table.without_nan(figures), indent=1) + "\n")


if __name__ == "__main__":
    main()
