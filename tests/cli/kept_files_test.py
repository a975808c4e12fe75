# SPDX-License-Identifier: BSD-3-Clause
"""What a command replaces and what it leaves alone: other people's files, modes, and what appeared meanwhile."""

import os
import pathlib
import stat
import subprocess
import tempfile
import time

import numpy as np
import pytest

from program import BINARY, IO, OK, USAGE, left_behind, run, succeed, summary, with_result

RESULT = ["labels.csv", "model.coppice", "summary.json"]


def earlier_result(folder):
    return with_result(folder, "--method", "kmeans", "--k", 3, rows=200, k=3)


@pytest.fixture
def folder(tmp_path):
    return earlier_result(tmp_path)


def refit(folder, *more, **how):
    return run(folder, "fit", "x.csv", "--method", "kmeans", "--k", 2, "--out", "res", "--force", "--quiet", *more, **how)


def mode_of(path):
    return stat.S_IMODE(os.lstat(path).st_mode)


# Other people's files in a result folder.


def test_files_and_folders_of_others_are_kept(folder):
    (folder / "res/notes.txt").write_text("mine")
    (folder / "res/deep/er").mkdir(parents=True)
    (folder / "res/deep/er/plot.png").write_bytes(b"\x89PNG")
    (folder / "res/.hidden").write_text("dot")
    (folder / "res/link").symlink_to("../x.csv")
    (folder / "res/dangling").symlink_to("nowhere")
    (folder / "res/labels.csv.bak").write_text("old labels")
    assert refit(folder).returncode == OK
    assert summary(folder / "res")["k"] == 2
    assert (folder / "res/notes.txt").read_text() == "mine"
    assert (folder / "res/deep/er/plot.png").read_bytes() == b"\x89PNG"
    assert (folder / "res/.hidden").read_text() == "dot"
    assert os.readlink(folder / "res/link") == "../x.csv"
    assert os.readlink(folder / "res/dangling") == "nowhere"
    assert (folder / "res/labels.csv.bak").read_text() == "old labels"
    assert sorted(os.listdir(folder)) == ["res", "truth.csv", "x.csv"], "nothing else is left beside it"


def test_own_files_that_are_not_written_again_go(folder):
    succeed(folder, "fit", "x.csv", "--method", "ward", "--k", 3, "--out", "res", "--force", "--quiet",
            "--labels-format", "npy")
    assert left_behind(folder / "res") == ["labels.npy", "linkage.npy", "model.coppice", "summary.json"]
    assert refit(folder).returncode == OK
    assert left_behind(folder / "res") == RESULT


def test_a_link_of_an_own_name_goes_but_not_what_it_leads_to(folder):
    (folder / "kept.json").write_text((folder / "res/summary.json").read_text())
    (folder / "res/summary.json").unlink()
    (folder / "res/summary.json").symlink_to("../kept.json")
    before = (folder / "kept.json").read_text()
    assert refit(folder).returncode == OK
    assert not (folder / "res/summary.json").is_symlink()
    assert (folder / "kept.json").read_text() == before


def test_a_folder_of_an_own_name_is_refused_before_the_fit(folder):
    for name in ("linkage.npy", "labels.npy"):
        (folder / "res" / name).mkdir()
        (folder / "res" / name / "inside").write_text("mine")
        before = left_behind(folder)
        done = refit(folder)
        assert done.returncode == IO
        assert name in done.stderr and "folder" in done.stderr
        assert left_behind(folder) == before
        (folder / "res" / name / "inside").unlink()
        (folder / "res" / name).rmdir()


# Inputs inside the folder that is to be replaced.


@pytest.mark.parametrize("spelled", ["res/data.csv", "./res/../res/data.csv", "link.csv", "link/data.csv", "ABSOLUTE"])
def test_an_input_in_the_folder_is_refused(folder, spelled):
    (folder / "res/data.csv").write_text((folder / "x.csv").read_text())
    (folder / "link.csv").symlink_to("res/data.csv")
    (folder / "link").symlink_to("res")
    before = left_behind(folder)
    given = folder / "res/data.csv" if spelled == "ABSOLUTE" else spelled
    done = run(folder, "fit", given, "--method", "kmeans", "--k", 2, "--out", "res", "--force")
    assert done.returncode == IO
    assert "data.csv" in done.stderr or "link.csv" in done.stderr
    assert "--force" in done.stderr
    assert left_behind(folder) == before and summary(folder / "res")["k"] == 3


def test_an_input_in_the_folder_named_through_a_link_is_refused(folder):
    (folder / "res/data.csv").write_text((folder / "x.csv").read_text())
    (folder / "same").symlink_to("res")
    for out in ("same", "same/", folder / "res", "res/."):
        done = run(folder, "fit", "res/data.csv", "--method", "kmeans", "--k", 2, "--out", out, "--force")
        assert done.returncode == IO, out
    assert summary(folder / "res")["k"] == 3


def test_a_part_of_an_archive_in_the_folder_is_refused(folder):
    np.savez(folder / "res/arrays.npz", a=np.arange(20.0).reshape(10, 2), b=np.ones(3))
    done = run(folder, "fit", "res/arrays.npz:/a", "--method", "kmeans", "--k", 2, "--out", "res", "--force")
    assert done.returncode == IO
    assert (folder / "res/arrays.npz").exists()


def test_an_input_in_a_folder_inside_is_refused(folder):
    (folder / "res/sub").mkdir()
    (folder / "res/sub/data.csv").write_text((folder / "x.csv").read_text())
    done = run(folder, "fit", "res/sub/data.csv", "--method", "kmeans", "--k", 2, "--out", "res", "--force")
    assert done.returncode == IO


def test_an_input_beside_a_folder_of_a_like_name_is_taken(folder):
    (folder / "res2").mkdir()
    (folder / "res2/data.csv").write_text((folder / "x.csv").read_text())
    succeed(folder, "fit", "res2/data.csv", "--method", "kmeans", "--k", 2, "--out", "res", "--force", "--quiet")
    assert summary(folder / "res")["k"] == 2


def test_other_files_in_the_folder_are_read_and_kept(folder):
    os.rename(folder / "truth.csv", folder / "res/truth.csv")
    assert refit(folder, "--truth", "res/truth.csv").returncode == OK
    assert "ari" in summary(folder / "res")["scores"]
    assert (folder / "res/truth.csv").exists()


def test_the_earlier_labels_and_model_can_start_the_next_fit(folder):
    """--force says that they go; they are read before."""
    succeed(folder, "fit", "x.csv", "--method", "kmeans", "--k", 3, "--init", "res/labels.csv", "--out", "res", "--force",
            "--quiet")
    assert summary(folder / "res")["k"] == 3
    succeed(folder, "fit", "x.csv", "--out", "res", "--force", "--quiet")
    succeed(folder, "fit", "x.csv", "--method", "abc", "--start-from", "res/model.coppice", "--out", "res", "--force",
            "--quiet")
    assert summary(folder / "res")["method"] == "abc"


# Folders by what they are.


def test_a_link_to_a_result_folder_stays_a_link(folder):
    (folder / "elsewhere").mkdir()
    os.rename(folder / "res", folder / "elsewhere/real")
    (folder / "res").symlink_to("elsewhere/real")
    (folder / "elsewhere/real/notes.txt").write_text("mine")
    assert refit(folder).returncode == OK
    assert os.readlink(folder / "res") == "elsewhere/real"
    assert summary(folder / "elsewhere/real")["k"] == 2
    assert (folder / "elsewhere/real/notes.txt").read_text() == "mine"
    assert os.listdir(folder / "elsewhere") == ["real"]


def test_the_current_folder_is_not_pulled_away(folder):
    done = run(folder / "res", "fit", "../x.csv", "--method", "kmeans", "--k", 2, "--out", ".", "--force")
    assert done.returncode == IO
    assert "current folder" in done.stderr
    assert left_behind(folder / "res") == RESULT


def test_a_folder_without_a_result_is_not_replaced(folder):
    (folder / "papers").mkdir()
    (folder / "papers/draft.txt").write_text("mine")
    done = run(folder, "fit", "x.csv", "--method", "kmeans", "--k", 2, "--out", "papers", "--force")
    assert done.returncode == IO
    assert left_behind(folder / "papers") == ["draft.txt"]


# Modes.


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o400])
def test_a_file_that_is_replaced_keeps_its_mode(folder, mode):
    commands = {"p.csv": ("predict", "res/model.coppice", "x.csv", "--out"), "c.npy": ("convert", "x.csv"),
                "g.csv": ("generate", "birch", "--side", 2, "--rows-per-cluster", 3, "--out")}
    for name, command in commands.items():
        (folder / name).write_text("old")
        os.chmod(folder / name, mode)
        succeed(folder, *command, name, "--force")
        assert mode_of(folder / name) == mode, name
        assert (folder / name).read_bytes() != b"old"


def test_densities_and_generated_labels_keep_their_modes(folder):
    succeed(folder, "fit", "x.csv", "--out", "bkm", "--quiet")
    for name in ("d.csv", "l.csv"):
        (folder / name).write_text("old")
        os.chmod(folder / name, 0o600)
    succeed(folder, "density", "bkm/model.coppice", "x.csv", "--out", "d.csv", "--force")
    succeed(folder, "generate", "birch", "--side", 2, "--rows-per-cluster", 3, "--out", "g.csv", "--labels", "l.csv",
            "--force")
    assert mode_of(folder / "d.csv") == mode_of(folder / "l.csv") == 0o600


def test_a_result_that_is_replaced_keeps_its_modes(folder):
    os.chmod(folder / "res/labels.csv", 0o600)
    os.chmod(folder / "res/model.coppice", 0o640)
    os.chmod(folder / "res/summary.json", 0o604)
    os.chmod(folder / "res", 0o2750)
    assert refit(folder).returncode == OK
    modes = [mode_of(folder / "res" / name) for name in ("labels.csv", "model.coppice", "summary.json", "")]
    assert modes == [0o600, 0o640, 0o604, 0o2750]


@pytest.mark.parametrize("mask", [0o077, 0o022, 0o002])
def test_new_files_honour_the_umask(folder, mask):
    def set_mask():
        os.umask(mask)

    more = {"preexec_fn": set_mask}
    succeed(folder, "predict", "res/model.coppice", "x.csv", "--out", "p.csv", **more)
    succeed(folder, "convert", "x.csv", "x.npy", **more)
    succeed(folder, "fit", "x.csv", "--method", "kmeans", "--k", 2, "--out", "new", "--quiet", **more)
    for name in ("p.csv", "x.npy", "new/labels.csv", "new/model.coppice", "new/summary.json"):
        assert mode_of(folder / name) == 0o666 & ~mask, name
    assert mode_of(folder / "new") == 0o777 & ~mask


# Who comes second.


def all_at_once(folder, commands):
    """Exit codes and messages of commands that run side by side and end together: each waits for its input."""
    pipe = folder / "late.csv"
    started = []
    for number, command in enumerate(commands):
        os.mkfifo(folder / f"late{number}.csv")
        words = [str(word).replace(str(pipe), str(folder / f"late{number}.csv")) for word in command]
        started.append(subprocess.Popen([BINARY, *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True))
    table = (folder / "x.csv").read_text()
    # A pipe can be opened for writing once its reader has passed all checks and is there.
    writers = [open(folder / f"late{number}.csv", "w", encoding="utf-8") for number in range(len(commands))]
    for writer in writers:
        writer.write(table)
        writer.close()
    ends = [(process, *process.communicate(timeout=60)) for process in started]
    return [(process.returncode, stderr) for process, _, stderr in ends]


@pytest.mark.parametrize("command", [
    ("predict", "res/model.coppice", "LATE", "--out", "out.csv"),
    ("convert", "LATE", "out.npy"),
    ("fit", "LATE", "--method", "kmeans", "--k", 2, "--quiet", "--out", "out"),
])
def test_of_four_writers_one_wins_and_the_others_are_told(folder, command):
    late = folder / "late.csv"
    ends = all_at_once(folder, [[late if word == "LATE" else word for word in command]] * 4)
    assert sorted(code for code, _ in ends) == [OK, IO, IO, IO]
    for code, message in ends:
        if code == IO:
            assert "exists already" in message and "--force" in message
    assert not [name for name in os.listdir(folder) if ".part-" in name]


def test_densities_do_not_replace_what_appeared_meanwhile(folder):
    succeed(folder, "fit", "x.csv", "--out", "bkm", "--quiet")
    ends = all_at_once(folder, [["density", "bkm/model.coppice", folder / "late.csv", "--out", "d.csv"]] * 2)
    assert sorted(code for code, _ in ends) == [OK, IO]


@pytest.mark.parametrize("content", [None, "mine"])
def test_a_folder_that_appeared_meanwhile_is_left(folder, content):
    os.mkfifo(folder / "late.csv")
    command = [BINARY, "fit", "late.csv", "--method", "kmeans", "--k", "2", "--out", "out"]
    with subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True) as process:
        with open(folder / "late.csv", "w", encoding="utf-8") as writer:  # the program waits for its rows
            (folder / "out").mkdir()
            if content:
                (folder / "out/note.txt").write_text(content)
            writer.write((folder / "x.csv").read_text())
        _, message = process.communicate(timeout=60)
    assert process.returncode == IO
    assert "exists already" in message
    assert left_behind(folder / "out") == (["note.txt"] if content else [])


def test_generate_does_not_replace_labels_that_appeared_meanwhile(folder):
    """The loser of the table writes no labels either: the two files belong together."""
    command = [BINARY, "generate", "mixture", "--rows", "20000", "--out", "g.csv", "--labels", "l.csv", "--seed"]
    started = [subprocess.Popen([*command, str(seed)], cwd=folder, stderr=subprocess.PIPE) for seed in range(3)]
    for process in started:
        process.communicate(timeout=60)
    codes = [process.returncode for process in started]
    assert sorted(codes) == [OK, IO, IO]
    winner = codes.index(OK)
    succeed(folder, "generate", "mixture", "--rows", 20000, "--out", "again.csv", "--labels", "again_l.csv", "--seed",
            winner)
    assert (folder / "g.csv").read_bytes() == (folder / "again.csv").read_bytes()
    assert (folder / "l.csv").read_bytes() == (folder / "again_l.csv").read_bytes()


# Without rights.


@pytest.fixture
def owned():
    """A folder with a result, and how to run a program with no more rights than the owner of the folder. A folder of its
    own: those above pytest's are closed to others."""
    with tempfile.TemporaryDirectory() as name:
        folder = earlier_result(pathlib.Path(name))
        if os.geteuid() != 0:
            yield folder, {}
            return
        nobody = 65534
        for path in [folder, *folder.rglob("*")]:
            os.chown(path, nobody, nobody)
        yield folder, {"user": nobody, "group": nobody, "extra_groups": []}


def test_what_cannot_be_moved_is_noticed_before_the_fit(owned):
    """A folder in the result that is not to be written to: it could not be taken along."""
    folder, rights = owned
    theirs = folder / "res/theirs"
    theirs.mkdir()
    (theirs / "data").write_text("theirs")
    os.chmod(theirs, 0o555)
    before = left_behind(folder)
    done = refit(folder, **rights)
    assert done.returncode == IO
    assert "theirs" in done.stderr
    assert left_behind(folder) == before
    os.chmod(theirs, 0o777)
    assert refit(folder, **rights).returncode == OK
    assert (theirs / "data").read_text() == "theirs"


def test_refusals_come_before_the_work(folder):
    """A folder that is not there: told at once, not when the input has been read."""
    os.mkfifo(folder / "never.csv")
    began = time.monotonic()
    assert run(folder, "predict", "res/model.coppice", "never.csv", "--out", "no/such/p.csv").returncode == IO
    assert run(folder, "convert", "never.csv", "no/such/p.npy").returncode == IO
    assert run(folder, "fit", "never.csv", "--out", "-").returncode == USAGE
    assert time.monotonic() - began < 10
