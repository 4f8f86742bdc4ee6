"""The steps of tests/gui/story.sh for the built-in demo: first start, training, pause, a sample and a
checkpoint while it is paused, the window closed in the middle of the run, started and resumed."""

import os
import pathlib
import sys

from user import Story, runs, set_field

STEPS = int(os.environ.get("STORY_STEPS", "400"))


def first_start(s):
    s.start()
    s.wait("Choose a base model")
    s.shoot("welcome")
    s.click("Next", "Button")
    s.wait("Choose training images")
    s.shoot("demo-images")
    s.click("Next", "Button")
    s.wait("What do you want to train?")
    s.click("Done", "Button")
    s.wait("Start", "Button")
    set_field(s, "training.steps", "Steps", str(STEPS))
    set_field(s, "samples.every", "Sample every", "0")
    s.keys("ctrl+k")
    s.keys("ctrl+a", "Delete")
    s.wait("Ready")
    s.shoot("setup")


def files(s, pattern):
    return sorted(pathlib.Path(folder) for folder in s.work.glob("home/**/" + pattern))


def train_and_pause(s):
    s.click("Start", "Button")
    s.wait_until("the first steps", lambda: runs(s) and runs(s)[0]["steps"] >= 10)
    s.keys("ctrl+3")
    s.shoot("training")
    s.click("Pause", "Button")
    s.wait("Paused")
    s.shoot("paused")
    paused_at = runs(s)[0]["steps"]
    s.click("Sample now", "Button")
    s.wait_until("a sample", lambda: files(s, "samples/*.png"))
    s.click("Save now", "Button")
    s.wait_until("a checkpoint", lambda: files(s, "checkpoints/step-*"))
    assert runs(s)[0]["steps"] == paused_at, "it trained while it was paused"
    s.keys("ctrl+4")
    s.shoot("sample-while-paused")
    s.click("Resume", "Button")
    s.wait_until("more steps", lambda: runs(s)[0]["steps"] > paused_at + 5)


def close_and_save(s):
    """Closes the window as its title bar's button does, in the middle of the run."""
    s.close_window()
    s.wait("Stop, save and quit", "Button")
    s.shoot("close")
    s.click("Stop, save and quit", "Button")
    s.wait_until("the end of the studio", lambda: s.studio.poll() is not None)
    assert s.studio.returncode == 0, s.studio.returncode
    (run,) = runs(s)
    assert run["state"] == "stopped" and run["steps"] < STEPS, run
    return run["steps"]


def resume(s, stopped_at):
    s.start()
    s.wait("Start", "Button")
    s.keys("ctrl+5")
    s.click("zorb-demo", "row")
    s.wait("Resume", "Button")
    s.shoot("restarted")
    s.click("Resume", "Button")
    s.wait_until("more steps", lambda: runs(s)[0]["steps"] > stopped_at)
    s.keys("ctrl+3")
    s.shoot("resumed")
    s.wait_until("the end", lambda: runs(s)[0]["state"] == "finished")
    s.wait("Open folder")
    s.shoot("finished")
    assert len(runs(s)) == 1 and runs(s)[0]["steps"] == STEPS, runs(s)


def main():
    s = Story(*map(pathlib.Path, sys.argv[1:]))
    try:
        first_start(s)
        train_and_pause(s)
        stopped_at = close_and_save(s)
        resume(s, stopped_at)
        print(f"story: told in {s.count} screenshots; closed at step {stopped_at}")
    finally:
        if s.studio.poll() is None:
            s.kill()


if __name__ == "__main__":
    main()
