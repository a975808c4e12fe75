# SPDX-License-Identifier: BSD-3-Clause
"""One fit of scikit-learn in a process of its own: `peer.py NAME X.npy LABELS.npy MOST` writes labels, prints figures. With
the name of one more table, its mean log density per row is among them.

`peer.py NAME` alone only looks whether the installed scikit-learn has the method.
"""
import json
import sys
import time
import warnings

import numpy as np
import sklearn


def gmm_bic(points, most):
    """Full covariances, K = 1 .. most, one start each, the best BIC."""
    from sklearn.mixture import GaussianMixture

    best, best_bic = None, np.inf
    for k in range(1, min(most, len(points)) + 1):
        try:
            mixture = GaussianMixture(k, covariance_type="full", n_init=1, random_state=0).fit(points)
            bic = mixture.bic(points)
        except ValueError:  # a covariance that is not positive definite in spite of scikit-learn's floor
            continue
        if bic < best_bic:
            best, best_bic = mixture, bic
    if best is None:
        raise SystemExit("no mixture could be fitted for any K")
    return best.predict(points), best.n_components, best


def bgm(points, most):
    """Dirichlet process mixture with defaults; K counts the components that own a row."""
    from sklearn.mixture import BayesianGaussianMixture

    mixture = BayesianGaussianMixture(n_components=min(most, len(points)), random_state=0,
                                      weight_concentration_prior_type="dirichlet_process").fit(points)
    labels = mixture.predict(points)
    return labels, len(np.unique(labels)), mixture


def hdbscan(points, _):
    """Defaults; rows that it calls noise are one group in the scores, but none in K."""
    from sklearn.cluster import HDBSCAN

    labels = HDBSCAN().fit_predict(points)
    return labels, len(np.unique(labels[labels >= 0])), None


METHODS = {"gmm-bic": gmm_bic, "bgm": bgm, "hdbscan": hdbscan}


def look_for(name):
    if name != "hdbscan":
        return
    from sklearn import cluster

    if not hasattr(cluster, "HDBSCAN"):
        raise SystemExit(f"scikit-learn {sklearn.__version__} has no HDBSCAN; 1.3 and later have")


def main():
    name, *rest = sys.argv[1:]
    look_for(name)
    if not rest:
        return
    warnings.simplefilter("ignore")  # a mixture that has not converged is judged all the same
    points = np.load(rest[0]).astype(np.float64)
    start = time.perf_counter()
    labels, k, mixture = METHODS[name](points, int(rest[2]))
    seconds = time.perf_counter() - start
    np.save(rest[1], labels)
    density = {}
    if len(rest) > 3 and mixture is not None:
        density = dict(density=float(np.mean(mixture.score_samples(np.load(rest[3]).astype(np.float64)))))
    print(json.dumps(dict(k=int(k), seconds=seconds, version=f"scikit-learn {sklearn.__version__}") | density))


if __name__ == "__main__":
    main()
