"""The steps of tests/gui/story.sh for a disk that fills up in mid-run: another program takes all that is
left of it, and the run goes on in another folder."""

import os
import pathlib
import sys

from demo import first_start
from user import Story, runs, set_field


def fill(folder):
    """Leaves no room at all, as a large download does."""
    with open(folder / "download.part", "wb", buffering=0) as out:
        try:
            while True:
                out.write(b"\0" * 65536)
        except OSError:
            pass


def train_until_full(s, small):
    s.keys("ctrl+1")
    s.fill("Run folder", str(small / "run"), "Edit")
    set_field(s, "output.save_every", "Save every", "20")
    s.keys("ctrl+k")
    s.keys("ctrl+a", "Delete")
    s.wait("Ready")
    s.click("Start", "Button")
    s.wait_until("the first checkpoint", lambda: list(small.glob("run/checkpoints/step-*")))
    fill(small)
    s.wait("Paused: the disk is full")
    s.shoot("full")
    s.click("Try to write again", "Button")
    s.wait("Paused: the disk is full")
    s.shoot("still-full")


def go_on_elsewhere(s, folder):
    s.click("Save to another folder…", "Button")
    s.wait("Directory:")
    s.keys("ctrl+a")
    s.type(str(folder))
    s.keys("Return")
    s.wait_until("a checkpoint elsewhere", lambda: list(folder.glob("**/checkpoints/step-*")))
    s.shoot("elsewhere")


def end(s):
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
        train_until_full(s, s.work / "small")
        go_on_elsewhere(s, elsewhere)
        end(s)
        assert list(elsewhere.glob("**/*.safetensors")), "no adapter"
        print(f"story: told in {s.count} screenshots")
    finally:
        if s.studio.poll() is None:
            s.kill()


if __name__ == "__main__":
    main()
