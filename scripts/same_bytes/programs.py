# SPDX-License-Identifier: BSD-3-Clause
"""Builds the program of the work tree, and that of an older revision beside it."""

import os
import subprocess
import sys

ROOT_OF_BUILDS = "build/same-bytes"


def succeed(command, folder, **more):
    done = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, check=False, **more)
    if done.returncode != 0:
        sys.stderr.buffer.write(done.stdout + done.stderr)
        raise SystemExit(f"same-bytes: failed: {' '.join(map(str, command))}")
    return done.stdout


def build(tree):
    """The release build of a source tree; with ccache, files that both trees share are compiled once."""
    environment = {"CCACHE_BASEDIR": str(tree), "CCACHE_NOHASHDIR": "1", **os.environ}
    succeed(["cmake", "--preset", "release"], tree, env=environment)
    only_the_program = ["--target", "coppice-cli", "--parallel", os.cpu_count() or 1]
    succeed(["cmake", "--build", "--preset", "release", *only_the_program], tree, env=environment)
    return tree / "build/release/cli/coppice"


def check_out(root, revision):
    """The source tree of a revision, in a folder named after its commit, so that it can be used again."""
    commit = succeed(["git", "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"], root).decode().strip()
    tree = root / ROOT_OF_BUILDS / commit
    if not tree.is_dir():
        part = tree.with_suffix(f".part-{os.getpid()}")
        part.mkdir(parents=True)
        succeed(["tar", "-x"], part, input=succeed(["git", "archive", commit], root))
        part.rename(tree)
    return tree


def build_both(root, revision):
    old = check_out(root, revision)
    print(f"Building {revision} ({old.relative_to(root)}) and the work tree (build/release) ...", flush=True)
    return build(old), build(root)
