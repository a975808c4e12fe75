#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Documents by their topics ([V] section 8, Tables 1 and 2): log(1 + count of every topic), clustered by Fast-VDP and vdp.

    experiments/variational_topics.py --data FOLDER    # FOLDER/newsgroups4/, 4000 articles of four groups
    experiments/variational_topics.py --quick          # made-up articles: does the experiment work?

[V] has 30,696 abstracts of citeseer, which are not to be had; these articles have 200 topics of scikit-learn's
LatentDirichletAllocation. Shown are clusters, free energy and where the time goes, and for every cluster its classes and
the words of the topics that it has most more of than others. K and F are those of log counts: Gaussian clusters with
--prior paper, and the families that compete with fitted priors.
"""
import argparse
import io
import lzma
import tempfile
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.decomposition import LatentDirichletAllocation

import tables
import variational_runs

CONTENDERS = {"fast": variational_runs.FAST, "vdp": variational_runs.VDP}
PRIORS = {"paper": ("--family", "gaussian", "--prior", "paper"), "fitted": ()}


def load(folder):
    """Counts, words and classes."""
    def array(name):
        file = Path(folder, "newsgroups4", name)
        return np.load(io.BytesIO(lzma.decompress(file.read_bytes())) if file.suffix == ".xz" else file)

    words = [line.split()[0] for line in Path(folder, "newsgroups4", "vocab.txt").read_text().splitlines()]
    counts = csr_matrix((array("counts_data.npy.xz").astype(float), array("counts_indices.npy.xz"),
                         array("counts_indptr.npy.xz")), shape=(4000, len(words)))
    return counts, words, array("y.npy")


def made_up():
    random = np.random.default_rng(0)
    classes = np.repeat(np.arange(2), 60)
    rates = random.gamma(0.3, 1.0, (2, 40))
    return csr_matrix(random.poisson(3 * rates[classes]).astype(float)), [f"word{i}" for i in range(40)], classes


def topics(counts, words, n, most_documents, iterations):
    """log(1 + counts of topics), and the words of every topic, of words that are neither rare nor everywhere."""
    documents = np.diff(counts.tocsc().indptr)
    kept = np.flatnonzero((documents >= 3) & (documents <= most_documents * counts.shape[0]))
    counts = counts[:, kept]
    model = LatentDirichletAllocation(n, doc_topic_prior=0.1, topic_word_prior=0.01, max_iter=iterations, random_state=0,
                                      learning_method="online", batch_size=256)
    shares = model.fit_transform(counts)
    best = np.argsort(-model.components_, axis=1)[:, :6]
    return np.log1p(shares * counts.sum(axis=1).A1[:, None]), [[words[kept[w]] for w in row] for row in best]


def describe(rows, labels, classes, words):
    """A line per cluster: its size, its classes, and the three topics by which it differs most from all rows."""
    for c in range(labels.max() + 1):
        members = labels == c
        above = rows[members].mean(axis=0) - rows.mean(axis=0)
        yield [str(c), str(members.sum()), " / ".join(map(str, np.bincount(classes[members], minlength=classes.max() + 1))),
               "; ".join(" ".join(words[topic]) for topic in np.argsort(-above)[:3])]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/cli/coppice")
    parser.add_argument("--data", help="the folder with newsgroups4/")
    parser.add_argument("--topics", type=int, default=200)
    parser.add_argument("--iterations", type=int, default=20, help="of the topic model")
    parser.add_argument("--time-limit", type=float, default=600, help="seconds, for every fit")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    if not options.data and not options.quick:
        parser.error("--data FOLDER is needed: the folder with newsgroups4/")
    program = str(Path(options.program).resolve())
    counts, words, classes = made_up() if options.quick else load(options.data)
    n_topics, iterations = (4, 3) if options.quick else (options.topics, options.iterations)
    rows, topic_words = topics(counts, words, n_topics, 1.0 if options.quick else 0.3, iterations)
    lines, clusters = [], []
    with tempfile.TemporaryDirectory() as folder:
        np.save(Path(folder, "x.npy"), rows)
        np.save(Path(folder, "z.npy"), classes)
        for prior, with_prior in PRIORS.items():
            for who, method in CONTENDERS.items():
                fit = variational_runs.fit(program, folder, "x.npy", "found", *method, *with_prior, "--truth", "z.npy",
                                           "--time-limit", options.time_limit)
                lines.append([prior, who, f"{fit['seconds']:.2f}", " / ".join(f"{s:.2f}" for s in fit["parts"].values()),
                              fit["family"], str(fit["k"]), f"{fit['f'] / len(rows):.3f}", f"{fit['ari']:.3f}",
                              fit["stopped"], variational_runs.front(fit["front"])])
                labels = np.load(Path(folder, "found", "labels.npy"))
                clusters += [[f"{prior}, {who}", *cells] for cells in describe(rows, labels, classes, topic_words)]
    tables.print_table(["prior", "who", "processor seconds", "files / tree / search / last", "family", "K",
                        "F, nats per row", "ARI", "ended by", "front: nodes + rows, gap"], lines)
    print()
    tables.print_table(["fit", "cluster", "rows", "classes", "words of its three topics"], clusters)


if __name__ == "__main__":
    main()
