"""The steps of tests/gui/story.sh for a disk that fills up in mid-run: the studio's own folder is on a
disk of 300 MB, another program takes the rest of it, and the run goes on in another folder."""

import os
import pathlib
import sys

from demo import first_start
from user import Story, runs, set_field


def fill(folder):
    """Leaves no room at all, as a large download does."""
    file = folder / "download.part"
    with open(file, "wb", buffering=0) as out:
        try:
            while True:
                out.write(b"\0" * 65536)
        except OSError:
            pass
    return file


def train_until_full(s):
    s.keys("ctrl+1")
    set_field(s, "output.save_every", "Save every", "20")
    s.keys("ctrl+k")
    s.keys("ctrl+a", "Delete")
    s.wait("Ready")
    s.click("Start", "Button")
    s.wait_until("the first checkpoint", lambda: list(s.work.glob("home/**/checkpoints/step-*")))
    download = fill(s.work / "home")
    s.wait("Paused: the disk is full")
    s.shoot("full")
    s.click("Try to write again", "Button")
    s.wait("Paused: the disk is full")
    s.shoot("still-full")
    return download


def go_on_elsewhere(s, folder):
    s.click("Save to another folder…", "Button")
    s.wait("Directory:")
    s.keys("ctrl+a")
    s.type(str(folder))
    s.keys("Return")
    s.wait_until("a checkpoint elsewhere", lambda: list(folder.glob("**/checkpoints/step-*")))
    s.shoot("elsewhere")


def end(s, download):
    """Once there is room again the database has what was missed."""
    download.unlink()
    s.wait_until("the end", lambda: runs(s) and runs(s)[0]["state"] == "finished")
    s.wait("Open folder")
    s.shoot("finished")
    assert len(runs(s)) == 1 and runs(s)[0]["steps"] == int(os.environ.get("STORY_STEPS", "400")), runs(s)
    s.keys("ctrl+5")
    s.wait("Search runs")
    s.shoot("history")


def main():
    s = Story(*map(pathlib.Path, sys.argv[1:]))
    elsewhere = s.work / "elsewhere"
    elsewhere.mkdir()
    try:
        first_start(s)
        download = train_until_full(s)
        go_on_elsewhere(s, elsewhere)
        end(s, download)
        assert list(elsewhere.glob("**/*.safetensors")), "no adapter"
        print(f"story: told in {s.count} screenshots")
    finally:
        if s.studio.poll() is None:
            s.kill()


if __name__ == "__main__":
    main()
