# SPDX-License-Identifier: BSD-3-Clause
"""Draws the first two columns of a table, coloured by the labels of a fit.

    coppice fit points.csv
    python3 plot_clusters.py points.csv points.coppice/labels.csv picture.png
"""
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np


def main(table, labels, picture):
    points = np.genfromtxt(table, delimiter=",", skip_header=1)
    label = np.genfromtxt(labels, delimiter=",", skip_header=1)[:, 1].astype(int)
    figure, axes = plt.subplots(figsize=(7, 4.5), dpi=130)
    axes.scatter(points[:, 0], points[:, 1], c=label, s=4, cmap="tab10", linewidths=0)
    axes.set_title(f"{label.max() + 1} clusters, found by coppice")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.tight_layout()
    figure.savefig(picture)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
