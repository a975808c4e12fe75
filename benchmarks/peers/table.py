# SPDX-License-Identifier: BSD-3-Clause
"""From measurements to the tables: medians, and ratios taken within one repeat."""
import math
import statistics

LEGEND = """\
Ratios are peer / ours, so above 1 we are better; each is the median over the repeats of the ratio within one repeat.
  ours, peer   median seconds per iteration: (time at iteration b - time at iteration a) / (b - a). Peers: two fits in one
               process after a warm-up. Ours: the trace of one fit. Linkages: seconds of the whole fit.
  fit          wall time of the fit with b iterations. Ours: prepare + fit. Peers: the call, data in memory.
  CPU          seconds of all threads. Ours: the whole process, reading and writing too. Peers: the fit alone.
  memory       the most a process held. Peers: with the interpreter and its libraries.
  objective    ours - peer's, below 0 we are better. k-means: inertia after b iterations, from the centres of each by one
               program in float64, relative to the peer's. Mixtures: -log likelihood per row in nats, as each reports it.
  !            somebody stopped before iteration b: not to be compared."""


def median(values):
    known = [value for value in values if value is not None and not math.isnan(value)]
    return statistics.median(known) if known else math.nan


def without_nan(value):
    """JSON has no word for what is not a number."""
    if isinstance(value, dict):
        return {key: without_nan(part) for key, part in value.items()}
    if isinstance(value, list):
        return [without_nan(part) for part in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def ratio(theirs, ours, key):
    return median(b[key] / a[key] for a, b in zip(ours, theirs) if a[key])


def objective(result, name):
    """The judged inertia where there is one, what was reported otherwise."""
    judged = result["inertia"].get(name)
    return judged if judged is not None else median(run.get("reported") for run in result["runs"][name])


def objective_difference(result, ours, peer):
    a, b = objective(result, ours), objective(result, peer)
    return (a - b) / b if result["task"] == "kmeans" else a - b


def is_whole(result, name):
    """Whether every fit came to the last iteration."""
    return all(run["iterations"] in (None, result["last"]) for run in result["runs"][name])


def compare(result, ours, peer):
    """A row of the table; `ours` is None where coppice has no such method or failed."""
    theirs = result["runs"][peer]
    row = dict(case=result["case"], shape=result["shape"], threads=result["threads"], ours=ours, peer=peer,
               peer_seconds=median(run["per_iteration"] for run in theirs))
    if ours is None:
        return row | dict(whole=is_whole(result, peer))
    mine = result["runs"][ours]
    return row | dict(ours_seconds=median(run["per_iteration"] for run in mine),
                      ratio=ratio(theirs, mine, "per_iteration"), fit_ratio=ratio(theirs, mine, "wall"),
                      cpu_ratio=ratio(theirs, mine, "cpu"), memory_ratio=ratio(theirs, mine, "peak"),
                      objective_difference=objective_difference(result, ours, peer),
                      whole=is_whole(result, peer) and is_whole(result, ours))


def comparisons(results):
    for result in results:
        ours = [name for name in result["runs"] if name in result["ours"]] or [None]
        peers = [name for name in result["runs"] if name not in result["ours"]]
        yield from (compare(result, mine, peer) for mine in ours for peer in peers)


def disturbances(results):
    """Where others kept more than a twentieth of a core busy: measure again."""
    for result in results:
        others = max((run["others"] for runs in result["runs"].values() for run in runs), default=0.0)
        if others > 0.05:
            yield f"{result['case']}, {result['threads']} threads: others kept up to {others:.2f} cores busy; measure again"


def number(value, form):
    width = int(form.split(".")[0])
    return " " * (width - 1) + "-" if value is None or math.isnan(value) else f"{value:{form}}"


def milliseconds(value):
    return number(None if value is None else value * 1e3, "10.3f")


def print_comparisons(rows):
    print(f"{'case':15} {'rows x columns, clusters':26} threads {'ours':15} {'peer':18} | {'ours, ms':>10} "
          f"{'peer, ms':>10} {'ratio':>7}   | {'fit':>6} {'CPU':>6} {'memory':>6} | objective")
    for row in rows:
        mark = " " if row["whole"] else "!"
        fit, cpu, memory = (number(row.get(key), "6.2f") for key in ("fit_ratio", "cpu_ratio", "memory_ratio"))
        print(f"{row['case']:15} {row['shape']:26} {row['threads']:7} {row['ours'] or '-':15} {row['peer']:18} | "
              f"{milliseconds(row.get('ours_seconds'))} {milliseconds(row['peer_seconds'])} "
              f"{number(row.get('ratio'), '7.2f')} {mark} | {fit} {cpu} {memory} | "
              f"{number(row.get('objective_difference'), '+9.1e')}")


def rates(results):
    """Flops per second that the plain matrix product would need, for everybody, and their share of BLAS's rate."""
    for result in results:
        if not result.get("product"):
            continue
        blas = median(result["product"])
        for name, runs in result["runs"].items():
            rate = result["flops"] / median(run["per_iteration"] for run in runs)
            yield dict(case=result["case"], shape=result["shape"], threads=result["threads"], name=name,
                       product="sgemm" if result["dtype"] == "float32" else "dgemm", product_rate=blas, rate=rate,
                       share=rate / blas)


def print_rates(rows):
    print(f"{'case':15} {'rows x columns, clusters':26} threads {'who':15} | {'Gflop/s':>8} {'gemm':>8} | "
          "share of gemm")
    for row in rows:
        print(f"{row['case']:15} {row['shape']:26} {row['threads']:7} {row['name']:15} | {number(row['rate'] / 1e9, '8.2f')} "
              f"{number(row['product_rate'] / 1e9, '8.2f')} | {number(row['share'], '8.2f')} of {row['product']}")
