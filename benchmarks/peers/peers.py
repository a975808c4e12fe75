# SPDX-License-Identifier: BSD-3-Clause
"""Other people's libraries, one function each; a new one is a function with the decorator `peer`.

A function gets the problem, prepares what the library wants to have, and returns two functions: `fit(iterations)`,
which is what gets timed and says how many there were, and `read(fitted)`, which says what came out (`reported`, and
`centres` if there are any). Linkages have no iterations: None. Nothing may stop early: tolerances are 0, and there is
one start.

The registry is also read by the process that starts the measurements, so the libraries are imported inside.
"""
import dataclasses
import importlib.util
from typing import Any, Callable

ITEM_BYTES = {"float32": 4, "float64": 8}


@dataclasses.dataclass(frozen=True)
class Problem:
    points: Any
    start: Any  # centres of k-means, labels of a mixture, None for linkages
    clusters: int
    kind: str
    threads: int
    floor: float  # what a mixture adds to variances


@dataclasses.dataclass(frozen=True)
class Peer:
    name: str
    task: str
    library: str  # the module, which is also the name of its Debian package after python3-
    prepare: Callable
    dtypes: tuple
    extra_bytes: Callable  # memory that grows faster than the data, given the case
    kinds: tuple = ()  # of the task; empty: all

    def obstacle(self, case, memory):
        """Why it cannot take the case; None if it can."""
        if importlib.util.find_spec(self.library) is None:
            return f"python3-{self.library} is not installed"
        if self.kinds and case.kind not in self.kinds:
            return f"takes {' and '.join(self.kinds)} only"
        if case.dtype not in self.dtypes:
            return f"takes {' and '.join(self.dtypes)} only"
        if self.extra_bytes(case) > memory:
            return f"needs {self.extra_bytes(case) / 1e9:.1f} GB beside the data, more than --memory allows"
        return None


PEERS = {}


def peer(name, task, library, dtypes=("float32", "float64"), extra_bytes=lambda case: 0, kinds=()):
    def register(prepare):
        PEERS[name] = Peer(name, task, library, prepare, dtypes, extra_bytes, kinds)
        return prepare

    return register


def scikit_learn_kmeans(problem, algorithm):
    """After its iterations scikit-learn assigns once more; the difference of two fits does not contain that."""
    from sklearn.cluster import KMeans

    def fit(iterations):
        estimator = KMeans(problem.clusters, init=problem.start, n_init=1, max_iter=iterations, tol=0,
                           algorithm=algorithm)
        return estimator.fit(problem.points), estimator.n_iter_

    def read(fitted):
        return dict(reported=fitted.inertia_, centres=fitted.cluster_centers_)

    return fit, read


@peer("sklearn-lloyd", "kmeans", "sklearn")
def sklearn_lloyd(problem):
    return scikit_learn_kmeans(problem, "lloyd")


@peer("sklearn-elkan", "kmeans", "sklearn", extra_bytes=lambda case: case.rows * case.clusters * ITEM_BYTES[case.dtype])
def sklearn_elkan(problem):
    return scikit_learn_kmeans(problem, "elkan")


@peer("faiss", "kmeans", "faiss", dtypes=("float32",))
def faiss_kmeans(problem):
    """All rows are used (FAISS draws 256 per cluster otherwise). It never stops early, and refills empty clusters."""
    import faiss

    faiss.omp_set_num_threads(problem.threads)
    rows, columns = problem.points.shape

    def fit(iterations):
        fitted = faiss.Kmeans(columns, problem.clusters, niter=iterations, nredo=1, min_points_per_centroid=1,
                              max_points_per_centroid=rows)
        fitted.train(problem.points, init_centroids=problem.start)
        return fitted, len(fitted.obj)

    def read(fitted):  # its objective is that of the last assignment, before the last update
        return dict(reported=float(fitted.obj[-1]), centres=fitted.centroids)

    return fit, read


def moments(problem):
    """Weights, means and covariances (or variances) of the starting labels: the M-step that we start with, too."""
    import numpy as np

    groups = [problem.points[problem.start == cluster] for cluster in range(problem.clusters)]
    weights = np.array([len(group) for group in groups]) / len(problem.points)
    means = np.array([group.mean(axis=0) for group in groups])
    if problem.kind == "gaussian":
        identity = np.eye(problem.points.shape[1])
        return weights, means, np.array([np.cov(group.T, bias=True) + problem.floor * identity for group in groups])
    variances = np.array([group.var(axis=0) + problem.floor for group in groups])
    return weights, means, variances.mean(axis=1) if problem.kind == "spherical" else variances


@peer("sklearn-gmm", "gmm", "sklearn", extra_bytes=lambda case: 2 * case.rows * case.clusters * ITEM_BYTES[case.dtype])
def sklearn_gmm(problem):
    """init_params is "random" since "kmeans" would run k-means even when every parameter is given."""
    import numpy as np
    from sklearn.mixture import GaussianMixture

    types = {"gaussian": "full", "diagonal": "diag", "spherical": "spherical"}
    weights, means, covariances = moments(problem)
    precisions = np.linalg.inv(covariances) if problem.kind == "gaussian" else 1 / covariances

    def fit(iterations):
        estimator = GaussianMixture(problem.clusters, covariance_type=types[problem.kind], tol=0, reg_covar=problem.floor,
                                    max_iter=iterations, init_params="random", weights_init=weights, means_init=means,
                                    precisions_init=precisions, random_state=0)
        return estimator.fit(problem.points), estimator.n_iter_

    def read(fitted):  # lower_bound_ belongs to the parameters before the last M-step, score to those after it
        return dict(reported=-fitted.score(problem.points), previous=-fitted.lower_bound_)

    return fit, read


def linkage_steps(link):
    def fit(_):
        return link(), None

    def read(merges):
        return dict(reported=float(merges[:, 2].sum()))

    return fit, read


@peer("fastcluster", "linkage", "fastcluster", dtypes=("float64",), extra_bytes=lambda case: 4 * case.rows**2)
def fastcluster_linkage(problem):
    import fastcluster

    return linkage_steps(lambda: fastcluster.linkage(problem.points, method=problem.kind))


@peer("fastcluster-vector", "linkage", "fastcluster", dtypes=("float64",), kinds=("single", "ward"))
def fastcluster_vector(problem):
    """Without a matrix of distances."""
    import fastcluster

    return linkage_steps(lambda: fastcluster.linkage_vector(problem.points, method=problem.kind))
