# SPDX-License-Identifier: BSD-3-Clause
"""Records of a contest as Markdown tables."""
import collections
import statistics


def print_table(header, rows):
    print("| " + " | ".join(header) + " |")
    print("|" + "---|" * len(header))
    for row in rows:
        print("| " + " | ".join(row) + " |")


def group(records, *names):
    """Records by the values of these names, in the order in which they came."""
    groups = collections.defaultdict(list)
    for record in records:
        groups[tuple(record[name] for name in names)].append(record)
    return groups


def fitted(records):
    return [record for record in records if "error" not in record]


def mean(values):
    values = list(values)
    return statistics.fmean(values) if values else float("nan")


def spread(values, digits=1):
    """Mean and sample standard deviation, which one value has not."""
    around = f" ± {statistics.stdev(values):.{digits}f}" if len(values) > 1 else ""
    return f"{mean(values):.{digits}f}{around}"


def k_and_scores(records, *scores):
    """Mean K ± standard deviation / mean scores of the fits that ended; - if none did."""
    ended = fitted(records)
    if not ended:
        return "-"
    return " / ".join([spread([record["k"] for record in ended])] +
                      [f"{mean(record[score] for record in ended):.2f}" for score in scores])


def contenders_of(records):
    return list(dict.fromkeys(record["contender"] for record in records))


def common(records, names):
    """The records about data sets on which everybody's fit ended; who has no result at all keeps nobody waiting."""
    everybody = set(contenders_of(fitted(records)))
    for of_data in group(fitted(records), *names).values():
        if {record["contender"] for record in of_data} == everybody:
            yield from of_data


def print_remarks(records, names):
    """What a reader of the table must know: fits that failed, and data that were not the same for all."""
    for (contender, error), failed in group([r for r in records if "error" in r], "contender", "error").items():
        print(f"\n{contender}: {len(failed)} fits gave no result: {error}")
    for key, of_data in group(records, *names).items():
        if len({record["data"] for record in of_data}) > 1:
            print(f"\nWARNING: not the same rows for all: {' '.join(map(str, key))}. Was the generator changed? "
                  "Start a new file.")
